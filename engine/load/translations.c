#include "engine/load/fields.h"

#include <ctype.h>
#include <string.h>

/* What the texts of a file are in other languages: of each a dictionary. A key is a text as the file has it, so a file that extends
 * another one and says something else is not translated by what that one said, and what nothing here says is no mistake. */

enum { TEXTS_MAX = 256, TAG_BYTES_MAX = 16 };

/* As RFC 5646 writes it: "de", "pt-BR", "zh-Hant". */
static bool is_language(const char *tag)
{
    size_t letters = 0;
    while (islower((unsigned char)tag[letters]))
        letters++;
    if (letters < 2 || letters > 3 || strlen(tag) > TAG_BYTES_MAX)
        return false;
    for (const char *part = tag + letters; *part != '\0';) {
        size_t length = 1;
        while (isalnum((unsigned char)part[length]))
            length++;
        if (part[0] != '-' || length < 3 || length > 9)
            return false;
        part += length;
    }
    return true;
}

static bool read_text(struct reader *reader, const struct node *node, void *element)
{
    struct translated_text *translated = element;
    const char *fault = text_name_fault(node->key, DESCRIPTION_BYTES_MAX);
    const char *text = reader_text(reader, node, DESCRIPTION_BYTES_MAX, true);
    if (fault != NULL)
        reader_error_key(reader, node, "", "this cannot be a text of the game: %s", fault);
    if (text == NULL || fault != NULL)
        return false;
    *translated = (struct translated_text){reader_copy_string(reader, node->key), text};
    return true;
}

bool language_read(struct reader *reader, const struct node *node, void *element)
{
    struct game_translation *translation = element;
    if (!is_language(node->key)) {
        reader_error_key(reader, node, "write it like \"de\" or \"pt-BR\"", "\"%s\" is no language",
                         text_quote(node->key).text);
        return false;
    }
    translation->language = reader_copy_string(reader, node->key);
    translation->texts = elements_read(
        reader, node,
        EACH(ELEMENTS(TEXTS_MAX, "texts", struct translated_text, read_text), .named = true),
        &translation->text_count);
    return translation->texts != NULL;
}
