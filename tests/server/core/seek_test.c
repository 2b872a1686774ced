/* Who comes together: that nobody is given away twice or meets somebody against his wish, that nobody is left who might play, and
 * that whoever came first goes first. What is looked at is made to find matchers that are wrong. */
#include "tests/support/test.h"

#include "server/core/seek.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEKERS = 1000,
    TERMS = 9,
    STEPS = 20000,
    LOOK_EVERY = 25,
    CLASSES = (PLAYER_COUNT_MAX + 1) * 4
};

struct terms {
    const char *text;
    int count;
};
static const struct terms all_terms[TERMS] = {
    {"chess 3+2", 2}, {"chess 10+5", 2}, {"hex", 2},   {"three", 3},    {"four", 4},
    {"six", 6},       {"eight", 8},      {"alone", 1}, {"hex rated", 2}};

/* One simulated seeker looks for one thing at a time. */
struct seeker {
    struct seek seek;
    char player[PLAYER_ID_BYTES + 1];
    bool seeks, away, plays;
};

typedef bool matcher(struct seeks *seeks, struct seek *seek, uint64_t random,
                     struct seek_group *group);

struct trial {
    struct seeks seeks;
    struct seeker seekers[SEEKERS];
    uint64_t random;
    matcher *match;
    int groups;
    const char *fault; /* what was found; NULL: nothing */
};

static void note(struct trial *trial, bool holds, const char *words)
{
    if (!holds && !trial->fault)
        trial->fault = words;
}

/* --- what must hold ----------------------------------------------------------------------------- */

static bool may_meet(const struct seek_wish *one, const struct seek_wish *other)
{
    bool seats = one->seat == SEEK_ANY_SEAT || one->seat != other->seat;
    bool ratings = one->rating >= other->rating_min && one->rating <= other->rating_max &&
                   other->rating >= one->rating_min && other->rating <= one->rating_max;
    int apart = abs(one->rating - other->rating);
    bool near = (one->rating_within == 0 || apart <= one->rating_within) &&
                (other->rating_within == 0 || apart <= other->rating_within);
    return seats && ratings && near && !(one->no_bots && other->is_bot) &&
           !(other->no_bots && one->is_bot);
}

static void look_at_group(struct trial *trial, const struct seek_group *group)
{
    uint32_t seats = 0;
    note(trial, group->count == group->members[0]->terms->count, "too few");
    for (int i = 0; i < group->count; i++) {
        struct seeker *seeker = group->members[i]->of;
        const struct seek *seek = &seeker->seek;
        note(trial, !seeker->plays, "twice");
        note(trial, seeker->seeks && !seeker->away, "not there");
        note(trial, seek->terms == group->members[0]->terms, "other terms");
        note(trial, seek->wish.seat == SEEK_ANY_SEAT || seek->wish.seat == group->seats[i],
             "another seat");
        note(trial, group->seats[i] >= 0 && group->seats[i] < group->count, "no seat");
        seats |= UINT32_C(1) << group->seats[i];
        for (int k = 0; k < i; k++) {
            const struct seek *other = group->members[k];
            note(trial, may_meet(&seek->wish, &other->wish), "against a wish");
            note(trial, strcmp(seek->player->id, other->player->id) != 0, "with himself");
        }
        seeker->plays = true;
    }
    note(trial, seats == (UINT32_C(1) << group->count) - 1, "one seat for two");
}

/* Whether a group could be made of those who wait: by trying all, where those of one wish are alike. */
struct crowd {
    struct seek_wish wishes[CLASSES];
    int counts[CLASSES];
};

static bool completes(const struct crowd *crowd, int from, struct seek_wish *chosen, int count,
                      int wanted)
{
    if (count == wanted)
        return true;
    for (int class = from; class < CLASSES; class ++) {
        int already = 0;
        bool fits = true;
        for (int i = 0; i < count; i++) {
            already += memcmp(&chosen[i], &crowd->wishes[class], sizeof *chosen) == 0;
            fits = fits && may_meet(&chosen[i], &crowd->wishes[class]);
        }
        if (!fits || already >= crowd->counts[class])
            continue;
        chosen[count] = crowd->wishes[class];
        if (completes(crowd, class, chosen, count + 1, wanted))
            return true;
    }
    return false;
}

static bool is_rated(const char *terms)
{
    return strstr(terms, "rated") != NULL;
}

static bool waits_for(const struct seeker *seeker, const struct terms *terms)
{
    return seeker->seeks && !seeker->away && !seeker->plays &&
           strcmp(seeker->seek.terms->text, terms->text) == 0;
}

/* Of those who look for a game for two. */
static bool two_are_left(const struct trial *trial, const struct terms *terms)
{
    const struct seeker *waiting[SEEKERS];
    int count = 0;
    for (int i = 0; i < SEEKERS; i++)
        if (waits_for(&trial->seekers[i], terms))
            waiting[count++] = &trial->seekers[i];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (may_meet(&waiting[i]->seek.wish, &waiting[k]->seek.wish))
                return true;
    return false;
}

static bool somebody_is_left(const struct trial *trial, const struct terms *terms)
{
    if (is_rated(terms->text))
        return two_are_left(trial, terms);
    struct crowd crowd;
    struct seek_wish chosen[PLAYER_COUNT_MAX];
    memset(&crowd, 0, sizeof crowd);
    for (int class = 0; class < CLASSES; class ++) {
        crowd.wishes[class].seat = class / 4 - 1;
        crowd.wishes[class].is_bot = class % 2 != 0;
        crowd.wishes[class].no_bots = class / 2 % 2 != 0;
    }
    for (int i = 0; i < SEEKERS; i++) {
        const struct seeker *seeker = &trial->seekers[i];
        const struct seek_wish *wish = &seeker->seek.wish;
        if (waits_for(seeker, terms))
            crowd.counts[(wish->seat + 1) * 4 + wish->no_bots * 2 + wish->is_bot]++;
    }
    return completes(&crowd, 0, chosen, 0, terms->count);
}

static void look_at_all(struct trial *trial)
{
    int waiting = 0;
    for (int i = 0; i < TERMS; i++)
        note(trial, !somebody_is_left(trial, &all_terms[i]), "left alone");
    for (int i = 0; i < SEEKERS; i++)
        waiting += trial->seekers[i].seeks && !trial->seekers[i].away && !trial->seekers[i].plays;
    note(trial, waiting == trial->seeks.waiting, "a wrong count");
}

/* --- what happens ------------------------------------------------------------------------------- */

static uint64_t below(struct trial *trial, uint64_t bound)
{
    return test_random(&trial->random) % bound;
}

static struct seek_wish any_wish(struct trial *trial, int count, bool rated)
{
    struct seek_wish wish = {.seat = SEEK_ANY_SEAT};
    if (below(trial, 2) == 0)
        wish.seat = (int)below(trial, (uint64_t)count);
    wish.is_bot = below(trial, 4) == 0;
    wish.no_bots = below(trial, 3) == 0;
    if (rated) {
        wish.rating = 1400 + 50 * (int)below(trial, 9);
        wish.rating_min = below(trial, 2) == 0 ? 0 : wish.rating - 50 * (int)below(trial, 4);
        wish.rating_max = below(trial, 2) == 0 ? 4000 : wish.rating + 50 * (int)below(trial, 4);
        wish.rating_within = below(trial, 2) == 0 ? 0 : 50 * (int)below(trial, 3);
    }
    return wish;
}

static void look_for_others(struct trial *trial, struct seeker *seeker)
{
    struct seek_group group;
    if (!trial->match(&trial->seeks, &seeker->seek, below(trial, UINT64_MAX), &group))
        return;
    trial->groups++;
    look_at_group(trial, &group);
}

static void begin(struct trial *trial, struct seeker *seeker)
{
    const struct terms *terms = &all_terms[below(trial, TERMS)];
    if (!seeks_may_add(&trial->seeks, seeker->player))
        return;
    seeker->seeks = true;
    seeker->seek.of = seeker;
    seeker->seek.wish = any_wish(trial, terms->count, is_rated(terms->text));
    seeks_add(&trial->seeks, &seeker->seek, terms->text, terms->count, seeker->player, 0);
    look_for_others(trial, seeker);
}

static void end(struct trial *trial, struct seeker *seeker)
{
    seeks_remove(&trial->seeks, &seeker->seek);
    seeker->seeks = seeker->away = seeker->plays = false;
    memset(&seeker->seek, 0, sizeof seeker->seek);
}

static void step(struct trial *trial)
{
    struct seeker *seeker = &trial->seekers[below(trial, SEEKERS)];
    if (!seeker->seeks)
        begin(trial, seeker);
    else if (seeker->plays || below(trial, 3) == 0)
        end(trial, seeker);
    else if (seeker->away) {
        seeker->away = false;
        seeks_return(&trial->seeks, &seeker->seek);
        look_for_others(trial, seeker);
    } else if (below(trial, 2) == 0) {
        seeker->away = true;
        seeks_leave(&trial->seeks, &seeker->seek, 0);
    } else {
        seeker->seek.wish =
            any_wish(trial, seeker->seek.terms->count, is_rated(seeker->seek.terms->text));
        look_for_others(trial, seeker);
    }
}

static struct trial *trial_new(matcher *match, uint64_t seed)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    trial->random = seed;
    trial->match = match;
    seeks_init(&trial->seeks, (struct hash_key){{seed, seed}});
    for (int i = 0; i < SEEKERS; i++)
        snprintf(trial->seekers[i].player, sizeof trial->seekers[i].player, "p_%04d", i);
    return trial;
}

static void trial_free(struct trial *trial)
{
    for (int i = 0; i < SEEKERS; i++)
        if (trial->seekers[i].seeks)
            end(trial, &trial->seekers[i]);
    assert_int_equal(trial->seeks.count, 0);
    assert_int_equal(trial->seeks.terms.count + trial->seeks.players.count, 0);
    seeks_release(&trial->seeks);
    free(trial);
}

/* NULL: nothing is wrong. */
static const char *simulate(matcher *match, uint64_t seed, int *groups)
{
    struct trial *trial = trial_new(match, seed);
    for (int i = 0; i < STEPS && !trial->fault; i++) {
        step(trial);
        if (i % LOOK_EVERY == 0)
            look_at_all(trial);
    }
    const char *fault = trial->fault;
    *groups += trial->groups;
    trial_free(trial);
    return fault;
}

static void a_thousand_seekers(void **state)
{
    int groups = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const char *fault = simulate(seeks_match, seed, &groups);
        if (fault)
            fail_msg("seed %llu: %s", (unsigned long long)seed, fault);
    }
    assert_true(groups > 1000);
}

/* --- matchers that are wrong -------------------------------------------------------------------- */

/* Wishes as `broken` makes them, for the time of a match. */
typedef void broken_wish(struct seek_wish *wish);

static bool match_with(broken_wish *broken, struct seeks *seeks, struct seek *seek, uint64_t random,
                       struct seek_group *group)
{
    static struct seek_wish kept[SEEKS_MAX];
    static struct seek *whose[SEEKS_MAX];
    int count = 0;
    for (struct link *link = seeks->order.ends.next; link != &seeks->order.ends;
         link = link->next) {
        whose[count] = link->owner;
        kept[count] = whose[count]->wish;
        broken(&whose[count++]->wish);
    }
    bool found = seeks_match(seeks, seek, random, group);
    for (int i = 0; i < count; i++)
        whose[i]->wish = kept[i];
    return found;
}

static void like_bots(struct seek_wish *wish)
{
    wish->no_bots = false;
}

static void sit_anywhere(struct seek_wish *wish)
{
    wish->seat = SEEK_ANY_SEAT;
}

static void play_anybody(struct seek_wish *wish)
{
    wish->rating_min = 0;
    wish->rating_max = 4000;
    wish->rating_within = 0;
}

static bool match_whatever_rating(struct seeks *seeks, struct seek *seek, uint64_t random,
                                  struct seek_group *group)
{
    return match_with(play_anybody, seeks, seek, random, group);
}

static bool match_whoever_likes_no_bots(struct seeks *seeks, struct seek *seek, uint64_t random,
                                        struct seek_group *group)
{
    return match_with(like_bots, seeks, seek, random, group);
}

static bool match_whatever_seat(struct seeks *seeks, struct seek *seek, uint64_t random,
                                struct seek_group *group)
{
    return match_with(sit_anywhere, seeks, seek, random, group);
}

static bool match_and_keep_in_line(struct seeks *seeks, struct seek *seek, uint64_t random,
                                   struct seek_group *group)
{
    bool found = seeks_match(seeks, seek, random, group);
    if (found) {
        group->members[0]->stage = SEEK_AWAY;
        seeks_return(seeks, group->members[0]);
    }
    return found;
}

static bool match_most(struct seeks *seeks, struct seek *seek, uint64_t random,
                       struct seek_group *group)
{
    return random % 50 != 0 && seeks_match(seeks, seek, random, group);
}

static bool match_with_oneself(struct seeks *seeks, struct seek *seek, uint64_t random,
                               struct seek_group *group)
{
    bool found = seeks_match(seeks, seek, random, group);
    if (found && group->count > 1)
        group->members[1] = group->members[0];
    return found;
}

static bool match_those_away(struct seeks *seeks, struct seek *seek, uint64_t random,
                             struct seek_group *group)
{
    struct seek *away = (struct seek *)seeks_longest_away(seeks);
    if (away)
        seeks_return(seeks, away);
    return seeks_match(seeks, seek, random, group);
}

static void wrong_matchers_are_found(void **state)
{
    static const struct {
        matcher *match;
        const char *fault;
    } rows[] = {{match_whatever_rating, "against a wish"},
                {match_whoever_likes_no_bots, "against a wish"},
                {match_whatever_seat, "another seat"},
                {match_and_keep_in_line, "twice"},
                {match_most, "left alone"},
                {match_with_oneself, "twice"},
                {match_those_away, "not there"}};
    int groups = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *fault = simulate(rows[i].match, 7, &groups);
        if (!fault)
            fail_msg("matcher %zu was not found out", i);
        bool other = strcmp(fault, "a wrong count") == 0 || strcmp(fault, "against a wish") == 0 ||
                     strcmp(fault, "one seat for two") == 0;
        if (strcmp(fault, rows[i].fault) != 0 && !other)
            fail_msg("matcher %zu: %s, and not %s", i, fault, rows[i].fault);
    }
}

/* --- who came first ----------------------------------------------------------------------------- */

enum { FEW = 9 };

/* Of all sets of those who wait, with the last one among them, the one whose members came first; 0: there is none. */
static uint32_t first_set(struct seeker *seekers, int count, int wanted)
{
    uint32_t best = 0;
    for (uint32_t set = UINT32_C(1) << (count - 1); set < UINT32_C(1) << count; set++) {
        int size = 0;
        bool fits = true;
        for (int i = 0; i < count; i++) {
            size += (set >> i & 1) != 0;
            for (int k = 0; k < i && set >> i & 1; k++)
                fits = fits &&
                       (!(set >> k & 1) || may_meet(&seekers[i].seek.wish, &seekers[k].seek.wish));
        }
        /* Who came earlier stands lower: the set with the lower bit where they differ. */
        uint32_t differ = set ^ best;
        if (size == wanted && fits && (best == 0 || set & (differ & -differ)))
            best = set;
    }
    return best;
}

static void first_come_first_served(void **state)
{
    struct trial *trial = trial_new(seeks_match, 3);
    int found = 0;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct seeker *seekers = trial->seekers;
        int count = 1 + (int)below(trial, FEW), wanted = 1 + (int)below(trial, 4);
        for (int i = 0; i < count; i++) { /* put there without a look at who might play */
            seekers[i].seek.of = &seekers[i];
            seekers[i].seek.wish = any_wish(trial, wanted, wanted == 2 && round % 2 == 0);
            seeks_add(&trial->seeks, &seekers[i].seek, "these", wanted, seekers[i].player, 0);
        }
        struct seek_group group;
        uint32_t expected = first_set(seekers, count, wanted), set = 0;
        bool some =
            seeks_match(&trial->seeks, &seekers[count - 1].seek, below(trial, UINT64_MAX), &group);
        for (int i = 0; some && i < group.count; i++)
            set |= UINT32_C(1) << ((struct seeker *)group.members[i]->of - seekers);
        found += some;
        assert_int_equal(set, expected);
        for (int i = 0; i < count; i++) {
            seeks_remove(&trial->seeks, &seekers[i].seek);
            memset(&seekers[i].seek, 0, sizeof seekers[i].seek);
        }
    }
    assert_true(found > 5000);
    trial_free(trial);
}

/* Where nobody minds, the lot is fair: each of six orders about as often. */
static void seats_are_drawn(void **state)
{
    struct trial *trial = trial_new(seeks_match, 5);
    int orders[3][3] = {{0}};
    (void)state;
    for (int round = 0; round < 6000; round++) {
        struct seek_group group;
        for (int i = 0; i < 3; i++) {
            trial->seekers[i].seek.of = &trial->seekers[i];
            trial->seekers[i].seek.wish = (struct seek_wish){.seat = SEEK_ANY_SEAT};
            seeks_add(&trial->seeks, &trial->seekers[i].seek, "three", 3, trial->seekers[i].player,
                      0);
        }
        assert_true(
            seeks_match(&trial->seeks, &trial->seekers[2].seek, below(trial, UINT64_MAX), &group));
        for (int i = 0; i < 3; i++)
            orders[i][group.seats[i]]++;
        for (int i = 0; i < 3; i++) {
            seeks_remove(&trial->seeks, &trial->seekers[i].seek);
            memset(&trial->seekers[i].seek, 0, sizeof trial->seekers[i].seek);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int seat = 0; seat < 3; seat++)
            assert_in_range(orders[i][seat], 1800, 2200);
    trial_free(trial);
}

static void bounds_hold(void **state)
{
    static struct seek seeks_of_one[SEEKS_OF_PLAYER], seeks_of_many[SEEKS_MAX];
    struct seeks seeks;
    char text[24];
    (void)state;
    seeks_init(&seeks, (struct hash_key){{1, 2}});
    for (int i = 0; i < SEEKS_OF_PLAYER; i++) {
        assert_true(seeks_may_add(&seeks, "p_one"));
        snprintf(text, sizeof text, "terms %d", i);
        seeks_add(&seeks, &seeks_of_one[i], text, 2, "p_one", 0);
    }
    assert_false(seeks_may_add(&seeks, "p_one"));
    for (int i = 0; i < SEEKS_MAX - SEEKS_OF_PLAYER; i++) {
        snprintf(text, sizeof text, "p_%d", i);
        assert_true(seeks_may_add(&seeks, text));
        seeks_add(&seeks, &seeks_of_many[i], "terms", 2, text, 0);
    }
    assert_false(seeks_may_add(&seeks, "p_other"));
    for (int i = 0; i < SEEKS_OF_PLAYER; i++)
        seeks_remove(&seeks, &seeks_of_one[i]);
    for (int i = 0; i < SEEKS_MAX - SEEKS_OF_PLAYER; i++)
        seeks_remove(&seeks, &seeks_of_many[i]);
    seeks_release(&seeks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_seekers),
        cmocka_unit_test(wrong_matchers_are_found),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(seats_are_drawn),
        cmocka_unit_test(bounds_hold),
    };
    return cmocka_run_group_tests_name("seek", tests, NULL, NULL);
}
