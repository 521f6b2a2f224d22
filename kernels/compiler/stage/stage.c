/* SPDX-License-Identifier: Apache-2.0 */
/* What all stages share: failures, settings, what a build depends on. No locks. */
#include "compiler/stage/stage.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "sluice/base/switch_words.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

__attribute__((format(printf, 3, 0))) static int fail(struct sl_stages *stages, const char *place,
                                                      const char *format, va_list args)
{
    sl_text_addf(&stages->result->log, "%serror: ", place);
    sl_text_vaddf(&stages->result->log, format, args);
    sl_text_addf(&stages->result->log, "\n");
    return -1;
}

int sl_stage_fail(struct sl_stages *stages, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = fail(stages, "", format, args);
    va_end(args);
    return rc;
}

int sl_stage_fail_at(struct sl_stages *stages, const char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = fail(stages, place, format, args);
    va_end(args);
    return rc;
}

const char *sl_stage_setting(const struct sl_stages *stages, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < stages->request->setting_count; i++) {
        const char *row = stages->request->settings[i];
        if (!strncmp(row, name, length) && row[length] == '=')
            return row + length + 1;
    }
    return NULL;
}

bool sl_stage_is_set(const struct sl_stages *stages, const char *name)
{
    static const char *const yes[] = {SL_ON_WORDS};
    const char *word = sl_stage_setting(stages, name);
    bool is = false;
    for (size_t i = 0; word && i < sizeof yes / sizeof *yes; i++)
        is |= !strcasecmp(word, yes[i]);
    return is;
}

bool sl_stage_wants_timing(const struct sl_stages *stages)
{
    bool wanted = stages->options.timing || sl_stage_is_set(stages, "SLUICE_FPGA_TIMING");
    return wanted && sl_compile_pipe_kind(stages->request) == SL_PIPES_DATAFLOW;
}

void sl_stage_depend(struct sl_stages *stages, const char *path, const void *text, size_t bytes)
{
    XXH128_hash_t hash = XXH3_128bits(text, bytes);
    sl_strings_addf(&stages->result->dependencies, "%016" PRIx64 "%016" PRIx64 " %s", hash.high64,
                    hash.low64, path);
}
