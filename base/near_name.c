/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "sluice/base/near_name.h"

#include <stdbool.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters that are missing, too many, others, or in each other's place (optimal string alignment).
 */
static size_t slips(const char *name, size_t length, const char *known)
{
    size_t rows[3][SL_NEAR_NAME_LONGEST + 1], width = strlen(known);
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t other = above[j - 1] + (name[i - 1] != known[j - 1]);
            row[j] = least(other, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && name[i - 1] == known[j - 2] && name[i - 2] == known[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[length % 3][width];
}

/* Is the name the known one without one of its inner words? */
static bool lacks_word(const char *name, size_t length, const char *known)
{
    const char *word = strchr(known, '_'), *next;
    for (; word && (next = strchr(word + 1, '_')); word = next) {
        size_t before = (size_t)(word - known), behind = strlen(next);
        if (length == before + behind && !memcmp(name, known, before) &&
            !memcmp(name + before, next, behind))
            return true;
    }
    return false;
}

size_t sl_near_name(const char *name, size_t length, const char *known)
{
    if (length > SL_NEAR_NAME_LONGEST || strlen(known) > SL_NEAR_NAME_LONGEST)
        return SL_NEAR_NAME_SLIPS + 1;
    return lacks_word(name, length, known) ? 1 : slips(name, length, known);
}
