/* SPDX-License-Identifier: Apache-2.0 */
#include "spirv_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv/grammar/grammar.h"

enum { MOST_NAMES = 512, MOST_WORDS = 16384, MOST_TOKENS = 64 };

struct assembler {
    char names[MOST_NAMES][32];
    uint32_t name_count;
    uint32_t *words;
    size_t count;
};

static _Noreturn void complain(const char *line, const char *why)
{
    fprintf(stderr, "%s: %s\n", line, why);
    abort();
}

static void emit(struct assembler *a, uint32_t word)
{
    if (a->count == MOST_WORDS)
        complain("", "too long");
    a->words[a->count++] = word;
}

/* Ids count from 1 in the order of their first mention. */
static uint32_t id_of(struct assembler *a, const char *name)
{
    for (uint32_t k = 0; k < a->name_count; k++)
        if (!strcmp(a->names[k], name))
            return k + 1;
    if (a->name_count == MOST_NAMES)
        complain(name, "too many names");
    snprintf(a->names[a->name_count], sizeof *a->names, "%s", name);
    return ++a->name_count;
}

static void emit_text(struct assembler *a, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at <= length; at += 4) {
        uint32_t word = 0;
        memcpy(&word, text + at, length - at < 4 ? length - at : 4);
        emit(a, word);
    }
}

static void emit_token(struct assembler *a, const char *line, const char *token)
{
    char *end;
    if (*token == '%') {
        emit(a, id_of(a, token + 1));
    } else if (*token == '"') {
        emit_text(a, token + 1);
    } else {
        uint64_t number =
            *token == '-' ? (uint64_t)strtoll(token, &end, 0) : strtoull(token, &end, 0);
        emit(a, (uint32_t)number);
        if (*end == 'L')
            emit(a, (uint32_t)(number >> 32));
        else if (*end)
            complain(line, "no number, name or text");
    }
}

/* Cuts the line in place; texts lose the quote behind them. */
static unsigned split(char *line, char *tokens[MOST_TOKENS])
{
    unsigned count = 0;
    for (char *at = line, *end; *at && *at != ';'; at = end) {
        end = *at == '"' ? strchr(at + 1, '"') : at + strcspn(at, " ;");
        if (!end || count == MOST_TOKENS)
            complain(line, "a text without an end, or too many operands");
        if (end > at)
            tokens[count++] = at;
        if (*end == ';')
            *end = 0; /* and that is all of the line */
        else if (*end)
            *end++ = 0;
    }
    return count;
}

static const struct sl_spirv_row *find(const char *line, const char *name)
{
    for (size_t k = 0; k < sl_spirv_opcodes_count; k++)
        if (!strcmp(sl_spirv_opcodes[k].name, name))
            return &sl_spirv_opcodes[k];
    complain(line, "no such instruction");
}

static void assemble_line(struct assembler *a, char *line)
{
    char *tokens[MOST_TOKENS];
    unsigned count = split(line, tokens), at = 0;
    size_t start = a->count;
    if (!count)
        return;
    const char *result = count > 2 && !strcmp(tokens[1], "=") ? tokens[0] : NULL;
    at = result ? 2 : 0;
    const struct sl_spirv_row *row = find(line, tokens[at++]);
    if (sl_spirv_has_result(row) != (result != NULL))
        complain(line, "a result too many, or none");
    emit(a, 0);
    if (sl_spirv_has_type(row) && at < count)
        emit_token(a, line, tokens[at++]);
    if (result)
        emit_token(a, line, result);
    while (at < count)
        emit_token(a, line, tokens[at++]);
    a->words[start] = (uint32_t)(a->count - start) << 16 | row->number;
}

struct spirv_module spirv_assemble(const char *text, uint32_t version)
{
    struct assembler *a = calloc(1, sizeof *a);
    char *copy = strdup(text), *rest = copy;
    if (!a || !copy || !(a->words = calloc(MOST_WORDS, sizeof *a->words)))
        complain("", "no memory");
    const uint32_t header[] = {0x07230203, version, 0, 0, 0};
    for (size_t k = 0; k < 5; k++)
        emit(a, header[k]);
    for (char *line; (line = strsep(&rest, "\n"));)
        assemble_line(a, line);
    a->words[3] = a->name_count + 1;
    struct spirv_module module = {a->words, a->count};
    free(copy);
    free(a);
    return module;
}

void spirv_module_finish(struct spirv_module *module)
{
    free(module->words);
    *module = (struct spirv_module){0};
}
