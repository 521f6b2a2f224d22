/* SPDX-License-Identifier: Apache-2.0 */
/* See target.h. */
#include "sluice/base/target.h"

#include <stddef.h>
#include <string.h>

#include "sluice/base/level.h"

struct word {
    const char *at;
    size_t length;
};

static bool is(struct word word, const char *name)
{
    return strlen(name) == word.length && !memcmp(word.at, name, word.length);
}

/* What a level has besides its own: the next one's. `at` is NULL: nothing. */
static struct word implied(struct word word)
{
    const struct sl_level *level;
    for (unsigned i = 0; (level = sl_level_at(i)); i++)
        if (is(word, level->name)) {
            const struct sl_level *below = sl_level_at(i + 1);
            return below ? (struct word){below->name, strlen(below->name)} : (struct word){NULL, 0};
        }
    return (struct word){NULL, 0};
}

static struct word architecture(const char *target)
{
    return (struct word){target, strcspn(target, ":")};
}

static const char *words_of(const char *target)
{
    const char *colon = strchr(target, ':');
    return colon ? colon + 1 : "";
}

/* false at the end. */
static bool next_word(const char **text, struct word *word)
{
    *text += strspn(*text, ",");
    *word = (struct word){*text, strcspn(*text, ",")};
    *text += word->length;
    return word->length != 0;
}

static bool machine_has(const char *words, struct word wanted)
{
    for (struct word word; next_word(&words, &word);)
        for (; word.at; word = implied(word))
            if (word.length == wanted.length && !memcmp(word.at, wanted.at, word.length))
                return true;
    return false;
}

bool sl_target_akin(const char *image, const char *machine)
{
    struct word one = architecture(image), other = architecture(machine);
    return one.length && one.length == other.length && !memcmp(one.at, other.at, one.length);
}

uint32_t sl_target_suits(const char *image, const char *machine)
{
    if (!strcmp(image, machine))
        return SL_TARGET_EXACT;
    if (!sl_target_akin(image, machine))
        return 0;
    uint32_t count = SL_TARGET_GENERIC;
    const char *words = words_of(image);
    for (struct word word; next_word(&words, &word);) {
        if (is(word, "generic"))
            continue;
        if (!machine_has(words_of(machine), word))
            return 0;
        for (struct word part = word; part.at; part = implied(part))
            count++;
    }
    return count;
}
