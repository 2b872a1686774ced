#include "server/store/postgres_pictures.h"

#include "server/store/arena.h"
#include "server/store/postgres_statements.h"

/* Bytes travel in hexadecimal: parameters and results are texts. */
static const char digits[] = "0123456789abcdef";

static char *write_hex(const unsigned char *bytes, size_t length, void **arena)
{
    char *text = arena_take(arena, 2 * length + 1);
    for (size_t i = 0; i < length && text != NULL; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    if (text != NULL)
        text[2 * length] = '\0';
    return text;
}

static unsigned value_of(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
}

static unsigned char *read_hex(const char *text, size_t length, void **arena)
{
    unsigned char *bytes = arena_take(arena, length + 1);
    for (size_t i = 0; i < length && bytes != NULL; i++)
        bytes[i] = (unsigned char)(value_of(text[2 * i]) << 4 | value_of(text[2 * i + 1]));
    return bytes;
}

enum store_status postgres_keep_picture(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer)
{
    const struct store_picture *picture = &request->picture;
    struct postgres_parameters parameters = {0};
    const char *hex = write_hex(picture->bytes, picture->length, &answer->arena);
    if (hex == NULL)
        return postgres_out_of_memory(driver);
    postgres_add_text(&parameters, picture->hash);
    postgres_add_number(&parameters, picture->kind);
    postgres_add_number(&parameters, picture->at_ms);
    postgres_add_text(&parameters, hex);
    PGresult *result = postgres_ask(driver, KEEP_PICTURE, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    bool is_new = postgres_truth_at(result, 0, 0);
    PQclear(result);
    return is_new ? STORE_OK : STORE_DUPLICATE;
}

static bool copy_picture(const PGresult *result, struct store_answer *answer)
{
    struct store_picture *picture = arena_take(&answer->arena, sizeof *picture);
    if (picture == NULL)
        return false;
    size_t length = (size_t)PQgetlength(result, 0, 1) / 2;
    *picture = (struct store_picture){
        .kind = (int)postgres_number_at(result, 0, 0),
        .bytes = read_hex(PQgetvalue(result, 0, 1), length, &answer->arena),
        .length = length,
    };
    answer->picture = picture;
    return picture->bytes != NULL;
}

enum store_status postgres_picture(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->picture.hash);
    PGresult *result = postgres_ask(driver, PICTURE, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    bool found = PQntuples(result) == 1, copied = found && copy_picture(result, answer);
    PQclear(result);
    if (!found)
        return STORE_NOT_FOUND;
    return copied ? STORE_OK : postgres_out_of_memory(driver);
}

enum store_status postgres_sweep_pictures(struct store_driver *driver,
                                          const struct store_request *request,
                                          struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    struct store_sweep *sweep = arena_take(&answer->arena, sizeof *sweep);
    int most = driver_pictures_swept(request);
    if (sweep == NULL)
        return postgres_out_of_memory(driver);
    *sweep = (struct store_sweep){.next = ""};
    answer->sweep = sweep;
    postgres_add_text(&parameters, request->picture.hash);
    postgres_add_number(&parameters, most);
    postgres_add_number(&parameters, request->picture.at_ms);
    postgres_add_boolean(&parameters, request->to > 0);
    PGresult *result = postgres_ask(driver, SWEEP_PICTURES, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    int count = PQntuples(result);
    for (int i = 0; i < count; i++)
        driver_note_picture(sweep, (uint64_t)postgres_number_at(result, i, 1),
                            postgres_truth_at(result, i, 2));
    if (count == most)
        sweep->next = postgres_text_at(result, count - 1, 0, &answer->arena);
    PQclear(result);
    return sweep->next != NULL ? STORE_OK : postgres_out_of_memory(driver);
}
