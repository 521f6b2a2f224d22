/* SPDX-License-Identifier: Apache-2.0 */
/* See setting.h. No state, no lock. */
#include "common/base/setting.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"

/* "a, b or c" */
static void list_words(char *text, size_t bytes, const char *const *words)
{
    size_t used = 0;
    for (size_t i = 0; words[i] && used < bytes; i++) {
        const char *between = !i ? "" : words[i + 1] ? ", " : " or ";
        int length = snprintf(text + used, bytes - used, "%s%s", between, words[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

/* -1: none of them, or not set. */
static int word(const struct sl_setting *setting, const char *name, const char *const *words)
{
    const char *value = setting->host->config(name);
    char list[128];
    if (!value || !*value)
        return -1;
    for (int i = 0; words[i]; i++) {
        if (!strcmp(value, words[i]))
            return i;
    }
    list_words(list, sizeof list, words);
    setting->host->log(SL_LOG_WARN, "setting", "%s=%s is not %s: ignored", name, value, list);
    return -1;
}

int sl_setting_word(const struct sl_setting *setting, const char *name, const char *const *words)
{
    int chosen = word(setting, name, words);
    return chosen < 0 ? 0 : chosen;
}

bool sl_setting_flag(const struct sl_setting *setting, const char *name)
{
    static const char *const words[] = {"0", "no", "off", "false", "1", "yes", "on", "true", NULL};
    return sl_setting_word(setting, name, words) >= 4;
}

uint64_t sl_setting_number(const struct sl_setting *setting, const char *name, uint64_t fallback,
                           uint64_t most)
{
    const char *value = setting->host->config(name);
    char *end;
    if (!value || !*value)
        return fallback;
    errno = 0;
    uint64_t parsed = strtoull(value, &end, 0);
    if (isdigit((unsigned char)*value) && !*end && !errno && parsed <= most)
        return parsed;
    setting->host->log(SL_LOG_WARN, "setting", "%s=%s is no number from 0 to %llu: ignored", name,
                       value, (unsigned long long)most);
    return fallback;
}

uint64_t sl_setting_type(const struct sl_setting *setting, const char *name, uint64_t own)
{
    static const char *const names[] = {"accelerator", "cpu", "gpu", NULL};
    static const uint64_t types[] = {SL_TYPE_ACCELERATOR, SL_TYPE_CPU, SL_TYPE_GPU};
    int chosen = word(setting, name, names);
    return chosen < 0 ? own : types[chosen];
}
