/* SPDX-License-Identifier: Apache-2.0 */
/* Variables whose names are nearly one of ours. Constant tables, no lock. */
#include "base/config_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/query/info.h"
#include "sluice/base/environment.h"
#include "sluice/base/near_name.h"

/* Names that begin otherwise are others' for sure; that keeps this cheap. */
static const char prefix[] = "SL";
enum { OWN_LETTERS = sizeof "SLUICE_" - 1 };

static void look_at(const char *name, size_t length)
{
    size_t fewest = SL_NEAR_NAME_SLIPS + 1;
    const char *near = NULL;
    for (int key = 0; key < SL_CONFIG_COUNT; key++) {
        const char *known = sl_config_name((enum sl_config_key)key);
        size_t count = sl_near_name(name, length, known);
        near = count < fewest ? known : near;
        fewest = count < fewest ? count : fewest;
    }
    /* Of SLUICE_FOO no two letters are a slip. */
    if (near && fewest && length >= OWN_LETTERS + 2 * fewest)
        sl_log(SL_LOG_WARN, SL_LOG_SETTING, "there is no %.*s: did you mean %s?", (int)length, name,
               near);
}

void sl_config_check_names(void)
{
    for (char **row = sl_environment_all(); *row; row++) {
        size_t length = strcspn(*row, "=");
        if (!strncmp(*row, prefix, sizeof prefix - 1))
            look_at(*row, length);
    }
}
