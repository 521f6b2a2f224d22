/* SPDX-License-Identifier: Apache-2.0 */
/* The SLUICE_* variables, read from the environment at each call. No state, no lock. */
#include "base/config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sluice/base/environment.h"
#include "sluice/base/switch_words.h"

static const struct {
    const char *name, *fallback;
} rows[SL_CONFIG_COUNT] = {
#define SL_CONFIG(id, name, fallback, help) [SL_CONFIG_##id] = {name, fallback},
#include "base/config/config.def"
#undef SL_CONFIG
};

const char *sl_config(enum sl_config_key key)
{
    const char *value = sl_environment(rows[key].name);
    return value ? value : rows[key].fallback;
}

const char *sl_config_name(enum sl_config_key key)
{
    return rows[key].name;
}

const char *sl_config_by_name(const char *name)
{
    for (int key = 0; key < SL_CONFIG_COUNT; key++)
        if (!strcmp(rows[key].name, name))
            return sl_config((enum sl_config_key)key);
    return NULL;
}

static bool is_one_of(const char *value, const char *const *words)
{
    while (*words && strcasecmp(value, *words))
        words++;
    return *words != NULL;
}

bool sl_config_bool(enum sl_config_key key)
{
    static const char *const no[] = {"", SL_OFF_WORDS, NULL};
    static const char *const yes[] = {SL_ON_WORDS, NULL};
    const char *value = sl_config(key);
    if (value && !is_one_of(value, no) && !is_one_of(value, yes))
        value = rows[key].fallback; /* config_check.h says so */
    return value && !is_one_of(value, no);
}

static bool parse(const char *text, long *out)
{
    if (!text || !*text)
        return false;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 0);
    /* Out of range still has a sign worth keeping: strtol saturates and the caller clamps. */
    if (*end || (errno && errno != ERANGE))
        return false;
    *out = value;
    return true;
}

long sl_config_long(enum sl_config_key key, long low, long high)
{
    long value = 0;
    /* Below what is possible: config_check.h says that it is ignored. */
    if (!parse(sl_config(key), &value) || (low == 0 && value < 0)) {
        value = 0;
        parse(rows[key].fallback, &value);
    }
    return value < low ? low : value > high ? high : value;
}
