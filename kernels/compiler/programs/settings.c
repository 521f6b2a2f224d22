/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/programs/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sluice/base/environment.h"
#include "sluice/base/near_name.h"
#include "sluice/base/switch_words.h"

#define SWITCH {SL_OFF_WORDS, SL_ON_WORDS}
#define DEPTHS {"strict", "default", "ignore-depth", "ignoredepth"}

/* What the driver passes on from its environment too. */
static const struct setting {
    const char *name;
    const char *words[10]; /* that it may be; none: anything. The last is NULL */
    const char *wanted;    /* what it should be; NULL: anything */
} settings[] = {
    {"SLUICE_DUMP", {NULL}, NULL},
    {"SLUICE_FPGA_DEPTH", DEPTHS, "strict, default or ignore-depth"},
    {"SLUICE_FPGA_DEPTHS", {NULL}, NULL}, /* the build looks at its rows */
    {"SLUICE_PASS_LIMIT", {NULL}, "a number"},
    {"SLUICE_CHECK_PASSES", SWITCH, "0 or 1"},
    {"SLUICE_FPGA_TIMING", SWITCH, "0 or 1"},
    {"SLUICE_FPGA_OPERATORS", {NULL}, NULL}, /* a file that is not there is an error */
    {"CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE", DEPTHS, "strict, default or ignore-depth"},
};

enum { COUNT = sizeof settings / sizeof *settings };

static bool is_meant(const struct setting *setting, const char *value)
{
    char *end;
    if (!setting->wanted || !*value)
        return true;
    if (!setting->words[0]) {
        (void)strtol(value, &end, 0);
        return !*end;
    }
    for (size_t i = 0; setting->words[i]; i++)
        if (!strcasecmp(value, setting->words[i]))
            return true;
    return false;
}

static void check_name(const char *name, size_t length, const char *called)
{
    size_t fewest = SL_NEAR_NAME_SLIPS + 1;
    const char *near = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        size_t slips = sl_near_name(name, length, settings[i].name);
        near = slips < fewest ? settings[i].name : near;
        fewest = slips < fewest ? slips : fewest;
    }
    if (near && fewest)
        fprintf(stderr, "%s: there is no %.*s: did you mean %s?\n", called, (int)length, name,
                near);
}

void sl_offline_settings(struct sl_strings *list, const char *called)
{
    static const char prefix[] = "SLUICE_";
    for (size_t i = 0; i < COUNT; i++) {
        const char *value = sl_environment(settings[i].name);
        if (!value)
            continue;
        if (!is_meant(&settings[i], value))
            fprintf(stderr, "%s: %s=%s is not %s: ignored\n", called, settings[i].name, value,
                    settings[i].wanted);
        sl_strings_addf(list, "%s=%s", settings[i].name, value);
    }
    for (char **row = sl_environment_all(); *row; row++)
        if (!strncmp(*row, prefix, sizeof prefix - 1))
            check_name(*row, strcspn(*row, "="), called);
}
