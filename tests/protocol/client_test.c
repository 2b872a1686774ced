/* Conversations as scripts. A line begins with what it is:
 *
 *     open, close        what happens to the connection
 *     do VERB …          the owner gives a command; `do full` fills the list of commands
 *     > FRAME            the next frame the client sends is exactly this; `> nothing` when it has
 * none < TEXT             the server says this ! WORDS            the next thing the owner is told;
 * `! nothing` when nothing more ? WORDS            what the client knows now, as words
 *
 * The client's seed is 1, so its ids are 1-1, 1-2, … and every frame is known beforehand. At the
 * end of a script nothing may be left unsaid or unheard. Hashes were computed by another program
 * from README.md's definition. */
#include "tests/support/test.h"

#include "protocol/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, TOLD_MAX = 64, TOLD_BYTES = 256, WORDS_MAX = 8, KNOWN_BYTES = 512 };

struct script {
    const char *name;
    const char *lines[LINES_MAX];
};

/* clang-format off */
#define ROOM "\"room\":\"k3Qd9xZa\""
#define SEATS "\"seats\":{\"black\":{\"as\":\"bot\",\"name\":\"\",\"player\":\"p_2\"},\"white\":{\"as\":\"human\",\"name\":\"Ada\",\"player\":\"p_1\"}}"
#define PAWN(player, moves, last) "{\"figure\":\"pawn\",\"last_move\":" last ",\"moves_made\":" moves ",\"player\":\"" player "\"}"
#define STATE_3 "{\"cells\":{\"a1\":" PAWN("white", "0", "0") ",\"a8\":" PAWN("black", "0", "0") "},\"move_number\":1,\"ply\":0," SEATS ",\"state\":\"w\",\"status\":\"playing\",\"to_move\":\"white\"}"
#define STATE_4 "{\"cells\":{\"a2\":" PAWN("white", "1", "1") ",\"a8\":" PAWN("black", "0", "0") "},\"last_move\":{\"from\":\"a1\",\"to\":\"a2\"},\"move_number\":1,\"ply\":1," SEATS ",\"state\":\"b\",\"status\":\"playing\",\"to_move\":\"black\"}"
#define PATCH_4 "{\"cells\":{\"a1\":null,\"a2\":" PAWN("white", "1", "1") "},\"last_move\":{\"from\":\"a1\",\"to\":\"a2\"},\"ply\":1,\"state\":\"b\",\"to_move\":\"black\"}"
#define HASH_3 "16dc2105"
#define HASH_4 "3c1febd8"
#define HASH_5 "793d71a2" /* state 4 and a draw offered by black */

#define HELLO "< {\"type\":\"hello\",\"protocol\":\"senet.v1\",\"server\":\"0.1.0\",\"heartbeat_ms\":15000,\"limits\":{}}"
#define AUTH(id) "> {\"type\":\"auth\",\"id\":\"" id "\"}"
#define AUTH_AGAIN(id) "> {\"type\":\"auth\",\"id\":\"" id "\",\"token\":\"secret\"}"
#define WELCOME(re) "< {\"type\":\"welcome\",\"re\":\"" re "\",\"session\":\"s_1\",\"player\":\"p_1\",\"token\":\"secret\"}"
#define WELCOME_AGAIN(re) "< {\"type\":\"welcome\",\"re\":\"" re "\",\"session\":\"s_2\",\"player\":\"p_1\"}"
#define ACK(re, version) "< {\"type\":\"ack\",\"re\":\"" re "\"," ROOM ",\"version\":" version "}"
#define RESUMED(re, version, mode) "< {\"type\":\"ack\",\"re\":\"" re "\"," ROOM ",\"version\":" version ",\"mode\":\"" mode "\"}"
#define RESUME(id, version) "> {\"type\":\"resume\",\"id\":\"" id "\"," ROOM ",\"version\":" version "}"
#define SYNC(id) "> {\"type\":\"sync\",\"id\":\"" id "\"," ROOM "}"
#define SNAPSHOT(rest) "< {\"type\":\"snapshot\"," ROOM ",\"seat\":\"white\",\"seats\":[\"white\"]," rest "}"
#define SNAPSHOT_3 SNAPSHOT("\"version\":3,\"state\":" STATE_3 ",\"hash\":\"" HASH_3 "\",\"layout\":{\"players\":[\"white\",\"black\"]},\"legal_moves\":[{\"from\":\"a1\",\"to\":\"a2\"},{\"choice\":\"queen\",\"from\":\"a1\",\"to\":\"a3\"}]")
#define SNAPSHOT_4(re) SNAPSHOT(re "\"version\":4,\"state\":" STATE_4 ",\"hash\":\"" HASH_4 "\"")
#define EVENT(version, kind, patch, hash) "< {\"type\":\"event\"," ROOM ",\"version\":" version ",\"kind\":\"" kind "\",\"at\":1,\"patch\":" patch ",\"hash\":\"" hash "\"}"
#define EVENT_4 EVENT("4", "moved", PATCH_4, HASH_4)
#define EVENT_5 EVENT("5", "draw_offered", "{\"draw_offer\":\"black\"}", HASH_5)
#define ERROR(re, code, retry) "< {\"type\":\"error\",\"re\":\"" re "\",\"code\":\"" code "\",\"message\":\"words\",\"retry\":" retry "}"
#define MOVED(re, url) "< {\"type\":\"error\",\"re\":\"" re "\",\"code\":\"moved\",\"message\":\"words\",\"retry\":true,\"retry_ms\":1000,\"url\":\"" url "\"}"

#define AUTHENTICATED "open", HELLO, AUTH("1-1"), WELCOME("1-1"), "! welcome"
#define SEATED AUTHENTICATED, "do join k3Qd9xZa white Ada", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"white\",\"name\":\"Ada\",\"as\":\"human\"}", \
    ACK("1-2", "3"), "! acknowledged 1-2 k3Qd9xZa 3", SNAPSHOT_3, "! state snapshot 3"

#define LONG_LIST AUTHENTICATED, "do join k3Qd9xZa all", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"all\",\"as\":\"human\"}", ACK("1-2", "3"), "! acknowledged 1-2 k3Qd9xZa 3", \
    SNAPSHOT("\"version\":3,\"state\":" STATE_3 ",\"hash\":\"" HASH_3 "\",\"legal_moves\":[{\"from\":\"a1\",\"to\":\"a2\"},{\"from\":\"a1\",\"to\":\"a3\"}],\"legal_moves_count\":5"), "! state snapshot 3", "? hand 0 of 5"
#define LOOK(id) "> {\"type\":\"legal_moves\",\"id\":\"" id "\"," ROOM ",\"skip\":3}"
#define LOOKED(re, version) "< {\"type\":\"legal_moves\",\"re\":\"" re "\"," ROOM ",\"version\":" version ",\"moves\":[{\"from\":\"a1\",\"to\":\"a5\"},{\"from\":\"a1\",\"to\":\"a6\"}],\"skip\":3,\"count\":5}"

static const struct script scripts[] = {
    {"it authenticates before anything else", {
        "do chat hi", /* in no room: refused on the spot */
        "! null",
        "do create chess", "> nothing", "open", AUTH("1-2"), "> nothing", HELLO, "> nothing", "? not ready",
        WELCOME("1-2"), "! welcome", "? ready",
        "> {\"type\":\"create\",\"id\":\"1-1\",\"game\":\"chess\"}", "> nothing",
        ACK("1-1", "1"), "! acknowledged 1-1 k3Qd9xZa 1"}},
    {"a token refused is told, and nothing more is sent", {
        "open", AUTH("1-1"), ERROR("1-1", "bad_token", "false"), "! refused 1-1 bad_token words", "> nothing", "? not ready"}},
    {"the token it was given is used from then on", {
        AUTHENTICATED, "close", "open", AUTH_AGAIN("1-2"), WELCOME_AGAIN("1-2"), "! welcome", "? ready"}},
    {"a welcome to somebody else's auth is none", {
        "open", AUTH("1-1"), WELCOME("1-7"), "? not ready", "> nothing", WELCOME("1-1"), "! welcome"}},
    {"a definition goes as text", {
        AUTHENTICATED, "do create {\"a\":1}", "> {\"type\":\"create\",\"id\":\"1-2\",\"definition\":\"{\\\"a\\\":1}\"}",
        ERROR("1-2", "bad_definition", "false"), "! refused 1-2 bad_definition words"}},

    {"a join brings the room, then its state", {
        AUTHENTICATED, "do join k3Qd9xZa white Ada", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"white\",\"name\":\"Ada\",\"as\":\"human\"}",
        "? ready room - version 0 status - to_move - legal 0 syncs 0",
        ACK("1-2", "3"), "! acknowledged 1-2 k3Qd9xZa 3", "? not ready", "? not ready room k3Qd9xZa version 0 status - to_move - legal 0 syncs 0",
        SNAPSHOT_3, "! state snapshot 3", "? ready room k3Qd9xZa version 3 status playing to_move white legal 2 syncs 0 must_move",
        "? legal 0 a1 a2 -", "? legal 1 a1 a3 queen", "? state " STATE_3, "? layout {\"players\":[\"white\",\"black\"]}",
        "? holds white", "? holds not black", "? holds not red", "? occupied a1", "? occupied not a2"}},
    {"an event is applied, and the legal moves are gone with the turn", {
        SEATED, "do move a1 a2", "> {\"type\":\"move\",\"id\":\"1-3\"," ROOM ",\"version\":3,\"move\":{\"from\":\"a1\",\"to\":\"a2\"}}",
        ACK("1-3", "4"), "! acknowledged 1-3 k3Qd9xZa 4", EVENT_4, "! state moved 4", "? state " STATE_4,
        "? ready room k3Qd9xZa version 4 status playing to_move black legal 0 syncs 0",
        EVENT_5, "! state draw_offered 5", "? draw_offer black", "> nothing"}},
    {"a pass is a move from nowhere to nowhere", {
        SEATED, "< {\"type\":\"event\"," ROOM ",\"version\":4,\"kind\":\"chat\",\"at\":1,\"patch\":{},\"hash\":\"" HASH_3 "\",\"legal_moves\":[{\"pass\":true},{\"from\":\"a1\",\"to\":\"a2\"}]}",
        "! state chat 4", "? legal 0 - - -", "? legal 1 a1 a2 -",
        "do pass", "> {\"type\":\"move\",\"id\":\"1-3\"," ROOM ",\"version\":4,\"move\":{\"pass\":true}}",
        ACK("1-3", "5"), "! acknowledged 1-3 k3Qd9xZa 5"}},
    {"of a list that is too long the rest is asked for, once in a state", {
        LONG_LIST, "do look 3", LOOK("1-3"), "do look 3", "> nothing", LOOKED("1-3", "3"), "! nothing", "? hand 3 of 5", "? legal 1 a1 a6 -",
        "do look 3", "! null", "> nothing", EVENT_4, "! state moved 4", "? hand 0 of 0"}},
    {"what is legal in a state that is over is nothing", {
        LONG_LIST, "do look 3", LOOK("1-3"), EVENT_4, "! state moved 4", LOOKED("1-3", "3"), "! nothing", "? hand 0 of 0"}},
    {"what is legal in a state that is to come is nothing yet", {
        LONG_LIST, "do look 3", LOOK("1-3"), LOOKED("1-3", "4"), "! nothing", "? hand 0 of 5", EVENT_4, "! state moved 4"}},
    {"a look that is refused may be tried again", {
        LONG_LIST, "do look 3", LOOK("1-3"), ERROR("1-3", "rate_limited", "true"), "! refused 1-3 rate_limited words", "> nothing", "do look 3", LOOK("1-4"),
        LOOKED("1-4", "3"), "? hand 3 of 5"}},
    {"a look that was cut off may be tried again", {
        LONG_LIST, "do look 3", LOOK("1-3"), "close", "open", AUTH_AGAIN("1-4"), WELCOME_AGAIN("1-4"), "! welcome", RESUME("1-5", "3"), RESUMED("1-5", "3", "events"), "> nothing",
        "do look 3", LOOK("1-6"), LOOKED("1-6", "3"), "? hand 3 of 5"}},
    {"legal moves that are no list are garbage", {
        LONG_LIST, "do look 3", LOOK("1-3"), "< {\"type\":\"legal_moves\",\"re\":\"1-3\"," ROOM ",\"version\":3,\"moves\":{}}", "! broken legal moves that are none"}},
    {"an event may come before the acknowledgement", {
        SEATED, "do move a1 a2 queen", "> {\"type\":\"move\",\"id\":\"1-3\"," ROOM ",\"version\":3,\"move\":{\"from\":\"a1\",\"to\":\"a2\",\"choice\":\"queen\"}}",
        EVENT_4, "! state moved 4", ACK("1-3", "4"), "! acknowledged 1-3 k3Qd9xZa 4"}},
    {"events known already are ignored", {
        SEATED, EVENT_4, "! state moved 4", EVENT_4, EVENT("3", "joined", "{\"x\":1}", "00000000"), "! nothing", "? state " STATE_4, "> nothing"}},
    {"a patch nests, replaces and takes away", {
        SEATED, EVENT("4", "chat", "{\"x\":{\"y\":{\"z\":null,\"w\":1}}}", "0fa461fe"), "! state chat 4",
        EVENT("5", "chat", "{\"x\":{\"y\":[null]}}", "d67aef7d"), "! state chat 5",
        EVENT("6", "chat", "{\"x\":null,\"nothing\":null}", HASH_3), "! state chat 6", "? state " STATE_3}},
    {"a hash that differs asks for a snapshot", {
        SEATED, EVENT("4", "moved", PATCH_4, "00000000"), "! nothing", "? not ready", SYNC("1-3"), "> nothing", EVENT_5, "! nothing",
        SNAPSHOT_4("\"re\":\"1-3\","), "! state snapshot 4", "? ready room k3Qd9xZa version 4 status playing to_move black legal 0 syncs 1",
        EVENT_5, "! state draw_offered 5", "? layout {\"players\":[\"white\",\"black\"]}"}},
    {"a gap in the versions asks for a snapshot, once", {
        SEATED, EVENT_5, SYNC("1-3"), EVENT_5, "> nothing", "! nothing", SNAPSHOT_4("\"re\":\"1-3\","), "! state snapshot 4", EVENT_5, "! state draw_offered 5",
        "? ready room k3Qd9xZa version 5 status playing to_move black legal 0 syncs 0"}},
    {"a sync not answered is asked for again on the next connection", {
        SEATED, EVENT("4", "moved", PATCH_4, "00000000"), SYNC("1-3"), "close", "? not ready", "open", AUTH_AGAIN("1-4"), WELCOME_AGAIN("1-4"), "! welcome",
        RESUME("1-5", "0"), "> nothing", RESUMED("1-5", "4", "events"), SYNC("1-6"), SNAPSHOT_4("\"re\":\"1-6\","), "! state snapshot 4", "? ready"}},
    {"a snapshot unasked is taken when it is not older", {
        SEATED, SNAPSHOT_4(""), "! state snapshot 4", SNAPSHOT_3, "! nothing", "? state " STATE_4}},
    {"a snapshot that is not what its hash says breaks the conversation", {
        SEATED, SNAPSHOT("\"version\":4,\"state\":" STATE_4 ",\"hash\":\"" HASH_3 "\""), "! broken a snapshot whose hash is not its state's",
        EVENT_4, "! nothing", "> nothing", "? not ready"}},

    {"after a reconnection: auth, resume, then what was not answered, with the same ids", {
        SEATED, "do move a1 a2", "do chat hello", "do command \"type\":\"ping\"",
        "> {\"type\":\"move\",\"id\":\"1-3\"," ROOM ",\"version\":3,\"move\":{\"from\":\"a1\",\"to\":\"a2\"}}",
        "> {\"type\":\"chat\",\"id\":\"1-4\"," ROOM ",\"text\":\"hello\"}", ACK("1-4", "4"), "! acknowledged 1-4 k3Qd9xZa 4",
        "close", "> nothing", "do action draw.offer", "open", "? not ready", AUTH_AGAIN("1-7"), "> nothing", WELCOME_AGAIN("1-7"), "! welcome",
        RESUME("1-8", "3"), "> nothing", RESUMED("1-8", "4", "events"), "? not ready",
        "> {\"type\":\"move\",\"id\":\"1-3\"," ROOM ",\"version\":3,\"move\":{\"from\":\"a1\",\"to\":\"a2\"}}",
        "> {\"id\":\"1-5\",\"type\":\"ping\"}",
        "> {\"type\":\"action\",\"id\":\"1-6\"," ROOM ",\"kind\":\"draw.offer\"}", "> nothing",
        EVENT_4, "! state moved 4", "? ready", ACK("1-3", "4"), "! acknowledged 1-3 k3Qd9xZa 4",
        "< {\"type\":\"pong\",\"re\":\"1-5\",\"at\":7}", "! answer 1-5 {\"type\":\"pong\",\"re\":\"1-5\",\"at\":7}",
        ERROR("1-6", "not_your_turn", "false"), "! refused 1-6 not_your_turn words",
        "close", "open", AUTH_AGAIN("1-9"), WELCOME_AGAIN("1-9"), "! welcome", RESUME("1-a", "4"), RESUMED("1-a", "4", "events"), "> nothing", "? ready"}},
    {"an unanswered join is sent again", {
        AUTHENTICATED, "do join k3Qd9xZa any - bot", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"any\",\"as\":\"bot\"}",
        "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"any\",\"as\":\"bot\"}",
        ACK("1-2", "3"), "! acknowledged 1-2 k3Qd9xZa 3", SNAPSHOT_3, "! state snapshot 3", "? ready"}},
    {"a join acknowledged whose snapshot was lost is resumed from nothing", {
        AUTHENTICATED, "do join k3Qd9xZa any - bot", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"any\",\"as\":\"bot\"}", ACK("1-2", "3"), "! acknowledged 1-2 k3Qd9xZa 3",
        "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "0"), RESUMED("1-4", "3", "snapshot"), "? not ready", "> nothing",
        SNAPSHOT_3, "! state snapshot 3", "? ready"}},
    {"a resume answered with a snapshot waits for it", {
        SEATED, "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "3"), RESUMED("1-4", "4", "snapshot"), "? not ready",
        SNAPSHOT_4(""), "! state snapshot 4", "? ready"}},
    {"a server that was set back is believed", {
        SEATED, EVENT_4, "! state moved 4", "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "4"), RESUMED("1-4", "3", "snapshot"),
        "? not ready", SNAPSHOT_3, "! state snapshot 3", "? ready"}},
    {"a room that is gone is forgotten", {
        SEATED, "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "3"), ERROR("1-4", "unknown_room", "false"),
        "! refused 1-4 unknown_room words", "? ready room - version 0 status - to_move - legal 0 syncs 0", "> nothing"}},
    {"a resume that must wait ends the connection", {
        SEATED, "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "3"), ERROR("1-4", "unavailable", "true"),
        "! broken a resume or sync that must be tried again later", "> nothing",
        "close", "open", AUTH_AGAIN("1-5"), WELCOME_AGAIN("1-5"), "! welcome", RESUME("1-6", "3"), RESUMED("1-6", "3", "events"), "? ready"}},
    {"a resume refused because the room has moved says where to", {
        SEATED, "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "3"), MOVED("1-4", "http://b.example:81"),
        "! broken a resume or sync that must be tried again later at http://b.example:81", "> nothing",
        "close", "open", AUTH_AGAIN("1-5"), WELCOME_AGAIN("1-5"), "! welcome", RESUME("1-6", "3"), ERROR("1-6", "unavailable", "true"),
        "! broken a resume or sync that must be tried again later", "> nothing"}},
    {"so does a command, and it is for its owner to send it there", {
        SEATED, "do chat hello", "> {\"type\":\"chat\",\"id\":\"1-3\"," ROOM ",\"text\":\"hello\"}", MOVED("1-3", "https://b.example"),
        "! refused 1-3 moved words at https://b.example", "close", "open", AUTH_AGAIN("1-4"), WELCOME_AGAIN("1-4"), "! welcome", RESUME("1-5", "3"),
        RESUMED("1-5", "3", "events"), "> nothing", "? ready"}},
    {"an address of another refusal is none", {
        SEATED, "do chat hello", "> {\"type\":\"chat\",\"id\":\"1-3\"," ROOM ",\"text\":\"hello\"}",
        "< {\"type\":\"error\",\"re\":\"1-3\",\"code\":\"unavailable\",\"message\":\"words\",\"retry\":true,\"url\":\"http://b.example\"}", "! refused 1-3 unavailable words"}},
    {"the answer to an id of an earlier connection, twice, is heard once", {
        SEATED, "do chat hello", "> {\"type\":\"chat\",\"id\":\"1-3\"," ROOM ",\"text\":\"hello\"}", ACK("1-3", "4"), "! acknowledged 1-3 k3Qd9xZa 4",
        ACK("1-3", "4"), ERROR("1-3", "stale", "false"), "< {\"type\":\"pong\",\"re\":\"1-3\"}", "! nothing"}},

    {"leaving forgets the room", {
        SEATED, "do leave", "> {\"type\":\"leave\",\"id\":\"1-3\"," ROOM "}", ACK("1-3", "4"), "! acknowledged 1-3 k3Qd9xZa 4",
        "? ready room - version 0 status - to_move - legal 0 syncs 0", EVENT_4, "! nothing", "do move a1 a2", "! null"}},
    {"joining another room replaces the first", {
        SEATED, "do join Zweites_ any", "> {\"type\":\"join\",\"id\":\"1-3\",\"room\":\"Zweites_\",\"seat\":\"any\",\"as\":\"human\"}",
        EVENT_4, "! state moved 4", "< {\"type\":\"ack\",\"re\":\"1-3\",\"room\":\"Zweites_\",\"version\":1}", "! acknowledged 1-3 Zweites_ 1",
        EVENT_5, SNAPSHOT_4(""), "! nothing", "> nothing", "? not ready room Zweites_ version 0 status - to_move - legal 0 syncs 0"}},
    {"joining the same room again keeps its state until the snapshot comes", {
        SEATED, "do join k3Qd9xZa all", "> {\"type\":\"join\",\"id\":\"1-3\"," ROOM ",\"seat\":\"all\",\"as\":\"human\"}", ACK("1-3", "4"), "! acknowledged 1-3 k3Qd9xZa 4",
        "? not ready", EVENT_4, "! state moved 4", SNAPSHOT_4(""), "! state snapshot 4", "? ready"}},
    {"at most 64 commands are under way", {
        AUTHENTICATED, "do full", "! null", "do create chess", "! null"}},
    {"queries are answered by their own type", {
        SEATED, "do command \"type\":\"sync\"," ROOM, "> {\"id\":\"1-3\",\"type\":\"sync\"," ROOM "}",
        SNAPSHOT_3, "! state snapshot 3", SNAPSHOT_4("\"re\":\"1-3\","), "! state snapshot 4", "! answer 1-3 {\"type\":\"snapshot\"," ROOM}},
    {"what comes unasked is handed on", {
        SEATED, "< {\"type\":\"presence\"," ROOM ",\"spectators\":3,\"connected\":[]}", "! other {\"type\":\"presence\"",
        "< {\"type\":\"of.tomorrow\"}", "! other {\"type\":\"of.tomorrow\"}",
        "< {\"type\":\"error\",\"code\":\"bad_json\",\"message\":\"words\",\"retry\":false}", "! refused - bad_json words"}},

    {"silence after garbage", {"open", AUTH("1-1"), "< nonsense", "! broken a message that is not a JSON object with a type", WELCOME("1-1"), "! nothing", "> nothing",
        "close", "open", AUTH("1-2"), WELCOME("1-2"), "! welcome"}},
    {"an array is garbage", {"open", "< []", "! broken a message that is not"}},
    {"a type that is no string is garbage", {"open", "< {\"type\":1}", "! broken a message that is not"}},
    {"a member named twice is garbage", {"open", "< {\"type\":\"pong\",\"type\":\"pong\"}", "! broken a message that is not"}},
    {"another protocol is garbage", {"open", "< {\"type\":\"hello\",\"protocol\":\"senet.v2\"}", "! broken hello in another protocol"}},
    {"a welcome without a player is garbage", {"open", AUTH("1-1"), "< {\"type\":\"welcome\",\"re\":\"1-1\",\"token\":\"x\"}", "! broken a welcome without re, player or token"}},
    {"an ack of nothing is garbage", {AUTHENTICATED, "< {\"type\":\"ack\"}", "! broken an ack without its re"}},
    {"an error without a code is garbage", {AUTHENTICATED, "< {\"type\":\"error\",\"message\":\"m\"}", "! broken an error without code or message"}},
    {"a re that is a number is garbage", {AUTHENTICATED, "< {\"type\":\"pong\",\"re\":1}", "! broken a re that is not a string"}},
    {"a join acknowledged without a room is garbage", {AUTHENTICATED, "do join k3Qd9xZa any", "> {\"type\":\"join\",\"id\":\"1-2\"," ROOM ",\"seat\":\"any\",\"as\":\"human\"}",
        "< {\"type\":\"ack\",\"re\":\"1-2\",\"version\":1}", "! broken a join acknowledged without its room"}},
    {"a resume acknowledged without a mode is garbage", {SEATED, "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "3"), ACK("1-4", "3"),
        "! broken a resume acknowledged without its mode"}},
    {"a version that would not fit is garbage", {SEATED, EVENT("9223372036854775807", "moved", "{}", HASH_4), "! broken an event without room, version or kind"}},
    {"a version below zero is garbage", {SEATED, SNAPSHOT("\"version\":-1,\"state\":" STATE_4 ",\"hash\":\"" HASH_4 "\""), "! broken a snapshot without room, version or state"}},
    {"a resume acknowledged without a version is garbage", {SEATED, "close", "open", AUTH_AGAIN("1-3"), WELCOME_AGAIN("1-3"), "! welcome", RESUME("1-4", "3"),
        "< {\"type\":\"ack\",\"re\":\"1-4\",\"mode\":\"events\"}", "! broken a resume acknowledged without its version"}},
    {"a patch that is a list is garbage", {SEATED, EVENT("4", "moved", "[]", HASH_4), "! broken an event whose patch is not one"}},
    {"a patch that takes the board away is garbage", {SEATED, EVENT("4", "moved", "{\"cells\":null}", HASH_4), "! broken a state without cells or seats"}},
    {"a patch that makes the board a number is garbage", {SEATED, EVENT("4", "moved", "{\"cells\":4}", HASH_4), "! broken a state without cells or seats"}},
    {"a patch too deep is garbage", {SEATED, EVENT("4", "moved", "{\"x\":[[[[[[[[1]]]]]]]]}", HASH_4), "! broken an event whose patch is not one"}},
    {"an event without a version is garbage", {SEATED, "< {\"type\":\"event\"," ROOM ",\"kind\":\"moved\"}", "! broken an event without room, version or kind"}},
    {"legal moves without a target are garbage", {SEATED, "< {\"type\":\"event\"," ROOM ",\"kind\":\"moved\",\"version\":4,\"patch\":{},\"legal_moves\":[{\"from\":\"a1\"}]}", "! broken an event whose legal_moves are none"}},
    {"a snapshot without a state is garbage", {SEATED, SNAPSHOT("\"version\":4,\"hash\":\"" HASH_4 "\""), "! broken a snapshot without room, version or state"}},
    {"a state without a status is garbage", {SEATED, SNAPSHOT("\"version\":4,\"state\":{\"cells\":{},\"seats\":{}},\"hash\":\"" HASH_4 "\""), "! broken a state without its status"}},
    {"a message 65 deep is garbage", {SEATED,
        "< {\"type\":\"pong\",\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
        "! broken a message nested too deep"}},
    {"what is said on a closed connection is not heard", {SEATED, "close", EVENT_4, "< nonsense", "! nothing"}},
};
/* clang-format on */

/* ---- the stage ---- */

struct stage {
    struct client *client;
    char told[TOLD_MAX][TOLD_BYTES];
    int told_count, told_heard;
    const char *line;
};

static const char *or_dash(const char *text)
{
    return text == NULL || text[0] == '\0' ? "-" : text;
}

static char *next_told(struct stage *stage)
{
    assert_in_range(stage->told_count, 0, TOLD_MAX - 1);
    return stage->told[stage->told_count++];
}

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct stage *stage = context;
    char *words = next_told(stage);
    assert_ptr_equal(client, stage->client);
    switch (event->kind) {
    case CLIENT_WELCOME:
        snprintf(words, TOLD_BYTES, "welcome");
        assert_string_equal(client_token(client), "secret");
        assert_string_equal(client_player(client), "p_1");
        break;
    case CLIENT_ACKNOWLEDGED:
        snprintf(words, TOLD_BYTES, "acknowledged %s %s %lld", event->id, event->room,
                 (long long)event->version);
        break;
    case CLIENT_REFUSED:
        snprintf(words, TOLD_BYTES, "refused %s %s %s%s%s", or_dash(event->id), event->code,
                 event->message, event->url ? " at " : "", event->url ? event->url : "");
        break;
    case CLIENT_STATE:
        snprintf(words, TOLD_BYTES, "state %s %lld", event->event_kind, (long long)event->version);
        assert_string_equal(event->room, client_room(client));
        assert_int_equal(event->version, client_version(client));
        break;
    case CLIENT_ANSWER:
        snprintf(words, TOLD_BYTES, "answer %s %s", event->id, event->json);
        break;
    case CLIENT_OTHER:
        snprintf(words, TOLD_BYTES, "other %s", event->json);
        break;
    case CLIENT_BROKEN:
        snprintf(words, TOLD_BYTES, "broken %s%s%s", event->message, event->url ? " at " : "",
                 event->url ? event->url : "");
        break;
    }
}

/* The words of a line; the last takes the rest. */
static int split(char *line, char *words[WORDS_MAX])
{
    int count = 0;
    memset(words, 0, WORDS_MAX * sizeof *words);
    for (char *word = strtok(line, " "); word != NULL && count < WORDS_MAX;
         word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

static const char *fill(struct client *client)
{
    for (int i = 0; i < CLIENT_UNACKNOWLEDGED_MAX; i++)
        assert_non_null(client_command(client, "\"type\":\"ping\""));
    return client_command(client, "\"type\":\"ping\"");
}

static const char *give_command(struct client *client, char *words[WORDS_MAX])
{
    const char *verb = words[0];
    if (strcmp(verb, "create") == 0)
        return client_create(client, words[1]);
    if (strcmp(verb, "join") == 0)
        return client_join(client, words[1], words[2],
                           words[3] != NULL && strcmp(words[3], "-") != 0 ? words[3] : NULL,
                           words[4] != NULL);
    if (strcmp(verb, "pass") == 0)
        return client_move(client, NULL, NULL, NULL);
    if (strcmp(verb, "swap") == 0)
        return client_move(client, NULL, NULL, CLIENT_SWAP);
    if (strcmp(verb, "move") == 0)
        return client_move(client, words[1], words[2], words[3]);
    if (strcmp(verb, "action") == 0)
        return client_action(client, words[1]);
    if (strcmp(verb, "chat") == 0)
        return client_chat(client, words[1]);
    if (strcmp(verb, "look") == 0)
        return client_look_for_legal_moves(client, (int)strtol(words[1], NULL, 10)) ? "1-" : NULL;
    if (strcmp(verb, "leave") == 0)
        return client_leave(client);
    if (strcmp(verb, "command") == 0)
        return client_command(client, words[1]);
    assert_string_equal(verb, "full");
    return fill(client);
}

/* A command that cannot be given is told like everything else: `! null`. */
static void play_command(struct stage *stage, const char *line)
{
    char copy[1024];
    char *words[WORDS_MAX];
    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    split(copy, words);
    const char *id = give_command(stage->client, words);
    if (id == NULL)
        strcpy(next_told(stage), "null");
    else
        assert_true(strncmp(id, "1-", 2) == 0);
}

static void expect_frame(struct stage *stage, const char *expected)
{
    size_t length = 0;
    const char *frame = client_next_frame(stage->client, &length);
    if (frame == NULL) {
        assert_string_equal("nothing", expected);
        return;
    }
    assert_string_equal(frame, expected);
    assert_int_equal(strlen(frame), length);
}

static void expect_told(struct stage *stage, const char *expected)
{
    const char *told = "nothing";
    if (stage->told_heard < stage->told_count)
        told = stage->told[stage->told_heard++];
    if (strncmp(told, expected, strlen(expected)) != 0)
        fail_msg("expected: %s\n    told: %s", expected, told);
}

static void say(struct stage *stage, const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + (length == 0)); /* exactly: reading past its end is seen */
    assert_non_null(copy);
    memcpy(copy, text, length);
    client_received(stage->client, copy, length);
    free(copy);
}

static void describe(struct client *client, char words[KNOWN_BYTES])
{
    snprintf(words, KNOWN_BYTES,
             "%sready room %s version %lld status %s to_move %s legal %d syncs %llu%s",
             client_ready(client) ? "" : "not ", or_dash(client_room(client)),
             (long long)client_version(client), or_dash(client_status(client)),
             or_dash(client_to_move(client)), client_legal_move_count(client),
             (unsigned long long)client_sync_count(client),
             client_must_move(client) ? " must_move" : "");
}

static void expect_legal_move(struct client *client, const char *words)
{
    const char *from = NULL, *to = NULL, *choice = NULL;
    char text[KNOWN_BYTES];
    int index = (int)strtol(words, NULL, 10);
    client_legal_move(client, index, &from, &to, &choice);
    snprintf(text, sizeof text, "%d %s %s %s", index, or_dash(from), or_dash(to), or_dash(choice));
    assert_string_equal(text, words);
}

static const char *after(const char *line, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(line, prefix, length) == 0 ? line + length : NULL;
}

/* "X" or "not X". */
static void expect_predicate(bool (*predicate)(const struct client *client, const char *what),
                             const struct client *client, const char *words)
{
    const char *negated = after(words, "not ");
    assert_int_equal(predicate(client, negated != NULL ? negated : words), negated == NULL);
}

static void expect_known(struct stage *stage, const char *line)
{
    struct client *client = stage->client;
    char words[KNOWN_BYTES];
    const char *rest = NULL;
    if ((rest = after(line, "state ")) != NULL) {
        assert_string_equal(client_state_json(client), rest);
    } else if ((rest = after(line, "layout ")) != NULL) {
        assert_string_equal(client_layout_json(client), rest);
    } else if ((rest = after(line, "legal ")) != NULL) {
        expect_legal_move(client, rest);
    } else if ((rest = after(line, "hand ")) != NULL) {
        snprintf(words, sizeof words, "%d of %d", client_legal_moves_first(client),
                 client_legal_moves_all(client));
        assert_string_equal(words, rest);
    } else if ((rest = after(line, "holds ")) != NULL) {
        expect_predicate(client_holds_seat, client, rest);
    } else if ((rest = after(line, "occupied ")) != NULL) {
        expect_predicate(client_cell_occupied, client, rest);
    } else if ((rest = after(line, "draw_offer ")) != NULL) {
        assert_string_equal(client_state_text(client, "draw_offer"), rest);
    } else {
        describe(client, words);
        if (strcmp(line, "ready") == 0 || strcmp(line, "not ready") == 0)
            words[strlen(line)] = '\0';
        assert_string_equal(words, line);
    }
}

static void play_line(struct stage *stage, const char *line)
{
    stage->line = line;
    if (strcmp(line, "open") == 0)
        client_opened(stage->client);
    else if (strcmp(line, "close") == 0)
        client_closed(stage->client);
    else if (after(line, "do ") != NULL)
        play_command(stage, after(line, "do "));
    else if (after(line, "> ") != NULL)
        expect_frame(stage, line + 2);
    else if (after(line, "< ") != NULL)
        say(stage, line + 2);
    else if (after(line, "! ") != NULL)
        expect_told(stage, line + 2);
    else
        expect_known(stage, after(line, "? "));
}

static void the_script_is_played(void **state)
{
    const struct script *script = *state;
    struct stage stage = {.told_count = 0};
    const struct client_options options = {.seed = 1};
    stage.client = client_new(&options, on_event, &stage);
    for (int i = 0; i < LINES_MAX && script->lines[i] != NULL; i++)
        play_line(&stage, script->lines[i]);
    expect_told(&stage, "nothing");
    client_free(stage.client);
}

/* ---- what a script cannot say ---- */

static void ignore_event(void *context, struct client *client, const struct client_event *event)
{
    (void)client;
    *(enum client_event_kind *)context = event->kind;
}

static void reconnections_wait_longer_each_time_up_to_half_a_minute(void **state)
{
    (void)state;
    static const uint64_t ceilings_ms[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000};
    uint64_t longest_ms[8] = {0};
    enum client_event_kind told = CLIENT_OTHER;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const struct client_options options = {.seed = seed};
        struct client *client = client_new(&options, ignore_event, &told);
        for (int i = 0; i < 8; i++) {
            uint64_t delay_ms = client_reconnect_delay_ms(client);
            assert_in_range(delay_ms, 0, ceilings_ms[i]);
            if (delay_ms > longest_ms[i])
                longest_ms[i] = delay_ms;
        }
        client_free(client);
    }
    for (int i = 0; i < 8; i++)
        assert_true(longest_ms[i] > ceilings_ms[i] * 9 / 10);
}

static void a_welcome_makes_the_next_wait_short_again(void **state)
{
    (void)state;
    static const char welcome[] =
        "{\"type\":\"welcome\",\"re\":\"zz-1\",\"player\":\"p_1\",\"token\":\"t\"}";
    const struct client_options options = {.seed = 35 * 36 + 35, .token = "t"};
    enum client_event_kind told = CLIENT_OTHER;
    size_t length = 0;
    struct client *client = client_new(&options, ignore_event, &told);
    for (int i = 0; i < 20; i++)
        client_reconnect_delay_ms(client);
    client_opened(client);
    assert_string_equal(client_next_frame(client, &length),
                        "{\"type\":\"auth\",\"id\":\"zz-1\",\"token\":\"t\"}");
    client_received(client, welcome, sizeof welcome - 1);
    assert_int_equal(told, CLIENT_WELCOME);
    assert_in_range(client_reconnect_delay_ms(client), 0, 1000);
    client_free(client);
}

static void ids_are_at_most_32_bytes_whatever_the_seed(void **state)
{
    (void)state;
    const struct client_options options = {.seed = UINT64_MAX};
    enum client_event_kind told = CLIENT_OTHER;
    struct client *client = client_new(&options, ignore_event, &told);
    assert_string_equal(client_create(client, "chess"), "3w5e11264sgsf-1");
    client_free(client);
}

static void a_message_of_more_than_four_mebibytes_is_not_read(void **state)
{
    (void)state;
    size_t length = (size_t)4 * 1024 * 1024 + 1;
    const struct client_options options = {.seed = 1};
    enum client_event_kind told = CLIENT_OTHER;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, ' ', length);
    memcpy(text, "{\"type\":\"pong\"}", 15);
    struct client *client = client_new(&options, ignore_event, &told);
    client_opened(client);
    client_received(client, text, length - 1);
    assert_int_equal(told, CLIENT_OTHER);
    client_received(client, text, length);
    assert_int_equal(told, CLIENT_BROKEN);
    client_free(client);
    free(text);
}

/* A server that keeps adding cells cannot make the client grow without end. */
static void a_state_has_a_largest_size(void **state)
{
    (void)state;
    char text[4096] = "";
    size_t length = 0;
    const struct client_options options = {.seed = 1, .skip_hash_check = true};
    enum client_event_kind told = CLIENT_OTHER;
    struct client *client = client_new(&options, ignore_event, &told);
    client_opened(client);
    client_next_frame(client, &length);
    say(&(struct stage){.client = client}, after(WELCOME("1-1"), "< "));
    client_join(client, "k3Qd9xZa", "any", NULL, false);
    client_next_frame(client, &length);
    say(&(struct stage){.client = client}, after(ACK("1-2", "3"), "< "));
    say(&(struct stage){.client = client}, after(SNAPSHOT_3, "< "));
    int version = 3;
    while (told != CLIENT_BROKEN && version < 10000) {
        version++;
        snprintf(text, sizeof text,
                 "{\"type\":\"event\"," ROOM ",\"version\":%d,\"kind\":\"moved\",\"patch\":"
                 "{\"cells\":{\"z%d\":{}}}}",
                 version, version);
        say(&(struct stage){.client = client}, text);
    }
    assert_int_equal(version, 3 + 4096 - 2 + 1);
    client_free(client);
}

int main(void)
{
    static struct CMUnitTest tests[sizeof scripts / sizeof scripts[0] + 5];
    size_t count = sizeof scripts / sizeof scripts[0];
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){scripts[i].name, the_script_is_played, NULL, NULL,
                                       (void *)(uintptr_t)&scripts[i]};
    const struct CMUnitTest others[] = {
        cmocka_unit_test(reconnections_wait_longer_each_time_up_to_half_a_minute),
        cmocka_unit_test(a_welcome_makes_the_next_wait_short_again),
        cmocka_unit_test(ids_are_at_most_32_bytes_whatever_the_seed),
        cmocka_unit_test(a_message_of_more_than_four_mebibytes_is_not_read),
        cmocka_unit_test(a_state_has_a_largest_size),
    };
    memcpy(tests + count, others, sizeof others);
    count += sizeof others / sizeof others[0];
    return _cmocka_run_group_tests("conversations", tests, count, NULL, NULL);
}
