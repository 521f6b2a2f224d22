/* SPDX-License-Identifier: Apache-2.0 */
/* Variables whose names are nearly one of ours. Constant tables, no lock. */
#include "base/config_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/query/info.h"
#include "sluice/base/environment.h"

enum { LONGEST = 40, MOST_SLIPS = 2 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters that are missing, too many, others, or in each other's place (optimal string alignment).
 */
static size_t slips(const char *name, size_t length, const char *known)
{
    size_t rows[3][LONGEST + 1], width = strlen(known);
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

static void look_at(const char *name, size_t length)
{
    size_t fewest = MOST_SLIPS + 1;
    const char *near = NULL;
    for (int key = 0; key < SL_CONFIG_COUNT; key++) {
        const char *known = sl_config_name((enum sl_config_key)key);
        size_t count = strlen(known) <= LONGEST ? slips(name, length, known) : fewest;
        near = count < fewest ? known : near;
        fewest = least(count, fewest);
    }
    if (near && fewest)
        sl_log(SL_LOG_WARN, SL_LOG_SETTING, "there is no %.*s: did you mean %s?", (int)length, name,
               near);
}

void sl_config_check_names(void)
{
    static const char prefix[] = "SLUICE_";
    for (char **row = sl_environment_all(); *row; row++) {
        size_t length = strcspn(*row, "=");
        if (!strncmp(*row, prefix, sizeof prefix - 1) && length <= LONGEST)
            look_at(*row, length);
    }
}
