/* SPDX-License-Identifier: Apache-2.0 */
/* Build options: splitting the text, looking tokens up in options.def. No state, no lock. */
#include "program/build/options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/object/alloc.h"
#include "base/query/info.h"

enum option_how { FLAG, VALUE, REST, STD, NAME, UNUSED, IDLE };

static const struct option_row {
    const char *text;
    enum option_how how;
    unsigned where;
} rows[] = {
#define SL_OPTION(text, how, where) {text, how, where},
#include "program/build/options.def"
#undef SL_OPTION
};

static const struct std_row {
    const char *version;
    unsigned needs; /* SL_FOR_GENERIC, SL_FOR_31, or 0: all devices take it */
} std_rows[] = {
    {"CL1.0", 0},
    {"CL1.1", 0},
    {"CL1.2", 0},
    {"CL3.0", 0},
    {"CL3.1", SL_FOR_31},
    {"CL2.0", SL_FOR_GENERIC},
    {"CLC++", SL_FOR_GENERIC},
    {"CLC++1.0", SL_FOR_GENERIC},
    {"CLC++2021", SL_FOR_GENERIC},
};

/* ---- splitting ------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* One character of a token; returns how much of the text it took. `quote` is the open quote or 0.
 */
static size_t step(const char *at, char *quote, char *out, size_t *length)
{
    if (*at == *quote || (!*quote && (*at == '"' || *at == '\''))) {
        *quote = *quote ? 0 : *at;
        return 1;
    }
    bool escapes =
        *at == '\\' && at[1] && *quote != '\'' && (!*quote || at[1] == '"' || at[1] == '\\');
    out[(*length)++] = at[escapes];
    return 1u + escapes;
}

/* Writes the next token to `out` (room for all the text); false at the end or in an open quote. */
static bool next_token(const char **text, char *out, bool *open_quote)
{
    const char *at = *text;
    size_t length = 0;
    char quote = 0;
    while (is_space(*at))
        at++;
    if (!*at)
        return false;
    while (*at && (quote || !is_space(*at)))
        at += step(at, &quote, out, &length);
    out[length] = 0;
    *text = at;
    *open_quote = quote != 0;
    return !quote;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool append(struct sl_options *options, const char *head, const char *tail)
{
    if (options->count == options->capacity) {
        uint32_t capacity = options->capacity ? options->capacity * 2 : 8;
        char **grown = sl_realloc(options->tokens, capacity * sizeof *grown);
        if (!grown)
            return false;
        options->tokens = grown;
        options->capacity = capacity;
    }
    size_t head_bytes = strlen(head), tail_bytes = strlen(tail);
    char *token = sl_alloc(head_bytes + tail_bytes + 1);
    if (!token)
        return false;
    memcpy(token, head, head_bytes);
    memcpy(token + head_bytes, tail, tail_bytes + 1);
    options->tokens[options->count++] = token;
    return true;
}

static enum sl_options_result refuse(struct sl_options *options, enum sl_options_result result,
                                     const char *fmt, const char *what)
{
    char shown[81];
    snprintf(shown, sizeof shown, "%s", what);
    snprintf(options->why, sizeof options->why, fmt, shown);
    return result;
}

static const struct option_row *find_row(const char *token)
{
    for (size_t i = 0; i < SL_LEN(rows); i++) {
        bool whole = rows[i].how == FLAG || rows[i].how == NAME || rows[i].how == UNUSED ||
                     rows[i].how == IDLE;
        if (whole ? !strcmp(token, rows[i].text)
                  : !strncmp(token, rows[i].text, strlen(rows[i].text)))
            return &rows[i];
    }
    return NULL;
}

static enum sl_options_result check_std(struct sl_options *options, unsigned where,
                                        const char *version)
{
    for (size_t i = 0; i < SL_LEN(std_rows); i++) {
        if (strcmp(version, std_rows[i].version))
            continue;
        if ((std_rows[i].needs & where) == std_rows[i].needs)
            return SL_OPTIONS_OK;
        return refuse(options, SL_OPTIONS_UNSUPPORTED,
                      "-cl-std=%s: this language version is not supported; "
                      "CL1.0, CL1.1, CL1.2 and CL3.0 are",
                      version);
    }
    return refuse(options, SL_OPTIONS_INVALID,
                  "-cl-std=%s: unknown language version; CL1.2 and CL3.0 are known, for example",
                  version);
}

/* "-Wp,..." and their like are for tools that there are none of. */
static bool is_warning(const char *name)
{
    return !name[0] || name[1] != ',';
}

static enum sl_options_result check_token(struct sl_options *options, unsigned where,
                                          const struct option_row *row, const char *token)
{
    const char *rest = row ? token + strlen(row->text) : NULL;
    if (!row || (row->how == REST && !is_warning(rest)))
        return refuse(options, SL_OPTIONS_INVALID, "unknown build option '%s'", token);
    if (!(row->where & where))
        return refuse(options, SL_OPTIONS_INVALID, "option '%s' does not belong to this call",
                      token);
    return row->how == STD ? check_std(options, where, rest) : SL_OPTIONS_OK;
}

/* Takes one option; a value that stands apart is read from *text into `buffer`. */
static enum sl_options_result take(struct sl_options *options, unsigned where, const char **text,
                                   char *buffer)
{
    const struct option_row *row = find_row(buffer);
    const enum sl_options_result result = check_token(options, where, row, buffer);
    if (result != SL_OPTIONS_OK)
        return result;
    const bool has_value = row->how == VALUE || row->how == NAME || row->how == UNUSED;
    const char *tail = "";
    if (has_value && !buffer[strlen(row->text)]) {
        bool open_quote = false;
        if (!next_token(text, buffer, &open_quote) || !*buffer)
            return refuse(options, SL_OPTIONS_INVALID, "option '%s' needs a value", row->text);
        tail = buffer;
    }
    const bool means = row->how != UNUSED && row->how != IDLE;
    const char *word = row->how == NAME ? "-s=" : *tail ? row->text : buffer;
    if (means && !append(options, word, tail))
        return SL_OPTIONS_NO_MEMORY;
    return SL_OPTIONS_OK;
}

static bool has(const struct sl_options *options, const char *token)
{
    for (uint32_t i = 0; i < options->count; i++)
        if (!strcmp(options->tokens[i], token))
            return true;
    return false;
}

/* Spec 5.8.7.1: -enable-link-options only together with -create-library, and a library takes link
 * options only with it. */
static enum sl_options_result check_library(struct sl_options *options)
{
    bool enabled = has(options, "-enable-link-options");
    options->create_library = has(options, "-create-library");
    if (enabled && !options->create_library)
        return refuse(options, SL_OPTIONS_INVALID, "'%s' needs -create-library",
                      "-enable-link-options");
    if (options->create_library && !enabled && options->count > 1)
        return refuse(options, SL_OPTIONS_INVALID,
                      "'%s' takes link options only with "
                      "-enable-link-options",
                      "-create-library");
    return SL_OPTIONS_OK;
}

enum sl_options_result sl_options_parse(const char *text, unsigned where, struct sl_options *out)
{
    *out = (struct sl_options){0};
    if (!text)
        return SL_OPTIONS_OK;
    char *buffer = sl_alloc(strlen(text) + 1);
    if (!buffer)
        return SL_OPTIONS_NO_MEMORY;
    enum sl_options_result result = SL_OPTIONS_OK;
    bool open_quote = false;
    while (result == SL_OPTIONS_OK && next_token(&text, buffer, &open_quote))
        result = take(out, where, &text, buffer);
    if (result == SL_OPTIONS_OK && open_quote)
        result = refuse(out, SL_OPTIONS_INVALID, "quote is not closed: '%s'", buffer);
    if (result == SL_OPTIONS_OK && where & SL_FOR_LINK)
        result = check_library(out);
    sl_free(buffer);
    return result;
}

static bool anchor_in(const char *folder, struct sl_options *options)
{
    for (uint32_t i = 0; i < options->count; i++) {
        char *token = options->tokens[i];
        if (strncmp(token, "-I", 2) || token[2] == '/')
            continue;
        size_t bytes = strlen(folder) + strlen(token) + 2;
        char *anchored = sl_alloc(bytes);
        if (!anchored)
            return false;
        snprintf(anchored, bytes, "-I%s/%s", folder, token + 2);
        sl_free(token);
        options->tokens[i] = anchored;
    }
    return true;
}

bool sl_options_anchor(struct sl_options *options, bool here)
{
    const size_t most = 4096;
    char *folder = sl_alloc(most); /* more than an entry point may have on its stack */
    if (!folder)
        return false;
    if (!getcwd(folder, most)) {
        sl_free(folder);
        return true;
    }
    bool fine = anchor_in(folder, options) && (!here || append(options, "-I", folder));
    sl_free(folder);
    return fine;
}

void sl_options_finish(struct sl_options *options)
{
    for (uint32_t i = 0; i < options->count; i++)
        sl_free(options->tokens[i]);
    sl_free(options->tokens);
    *options = (struct sl_options){0};
}
