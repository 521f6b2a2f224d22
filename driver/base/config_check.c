/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a variable cannot have been meant to have. Those of devices are the devices' own to
 * check. Constant tables, no lock. */
#include "base/config_check.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/query/info.h"
#include "sluice/base/near_name.h"
#include "sluice/base/switch_words.h"
#include "sluice/build_mode.h"

static const enum sl_config_key numbers[] = {
    SL_CONFIG_TRACE,           SL_CONFIG_CACHE_MAX_MB,
    SL_CONFIG_COMPILE_TIMEOUT, SL_CONFIG_COMPILE_MEMORY_MB,
    SL_CONFIG_PASS_LIMIT,      SL_CONFIG_FAIL_ALLOC,
};

static const struct {
    enum sl_config_key key;
    const char *words[10]; /* the last is NULL */
    const char *shown;
} choices[] = {
    {SL_CONFIG_CACHE, {SL_OFF_WORDS, SL_ON_WORDS}, "0 or 1"},
    {SL_CONFIG_CHECK_PASSES, {SL_OFF_WORDS, SL_ON_WORDS}, "0 or 1"},
    {SL_CONFIG_FPGA_TIMING, {SL_OFF_WORDS, SL_ON_WORDS}, "0 or 1"},
    {SL_CONFIG_PIN_THREADS, {"auto", SL_OFF_WORDS, SL_ON_WORDS}, "auto, 0 or 1"},
    {SL_CONFIG_BUILD, SL_BUILD_MODE_WORDS, "whole, auto, on-demand or quick"},
};

static bool is_number(const char *text, long least)
{
    char *end;
    long number = strtol(text, &end, 0);
    return *text && !*end && number >= least;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (!strcasecmp(text, *words))
            return true;
    return false;
}

static void complain(enum sl_config_key key, const char *value, const char *what)
{
    sl_log(SL_LOG_WARN, SL_LOG_SETTING, "%s=%s is not %s: ignored", sl_config_name(key), value,
           what);
}

/* Devices of others have topics of their own, whose names we do not know: only what is nearly one
 * of ours, by one letter in four, is told. */
static void look_at_topic(const char *name, size_t length)
{
    static const char *const topics[] = {SL_LOG_TOPICS};
    size_t fewest = SL_NEAR_NAME_SLIPS + 1;
    const char *near = NULL;
    for (size_t i = 0; i < SL_LEN(topics); i++) {
        size_t slips = sl_near_name(name, length, topics[i]);
        near = slips < fewest ? topics[i] : near;
        fewest = slips < fewest ? slips : fewest;
    }
    if (near && fewest && fewest * 3 < length)
        sl_log(SL_LOG_WARN, SL_LOG_SETTING, "%s: there is no topic %.*s: did you mean %s?",
               sl_config_name(SL_CONFIG_LOG), (int)length, name, near);
}

static void check_log(const char *spec)
{
    if (!sl_log_spec_valid(spec))
        complain(SL_CONFIG_LOG, spec, "off, error, warn, info, debug or TOPIC: and one of them");
    while (*spec) {
        size_t length = strcspn(spec, ",");
        const char *colon = memchr(spec, ':', length);
        if (colon)
            look_at_topic(spec, (size_t)(colon - spec));
        spec += length + (spec[length] == ',');
    }
}

void sl_config_check(void)
{
    const char *value = sl_config(SL_CONFIG_LOG);
    if (value)
        check_log(value);
    for (size_t i = 0; i < SL_LEN(numbers); i++) {
        value = sl_config(numbers[i]);
        if (value && *value && !is_number(value, numbers[i] == SL_CONFIG_TRACE ? -1 : 0))
            complain(numbers[i], value, "a number");
    }
    for (size_t i = 0; i < SL_LEN(choices); i++) {
        value = sl_config(choices[i].key);
        if (value && *value && !is_one_of(value, choices[i].words))
            complain(choices[i].key, value, choices[i].shown);
    }
}
