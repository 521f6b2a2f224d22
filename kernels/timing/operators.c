/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/operators.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *words;
    uint32_t latency;
} rows[SL_OPERATOR_COUNT] = {
#define SL_OPERATOR(name, key, words, latency) {key, words, latency},
#include "timing/operators.def"
#undef SL_OPERATOR
};

enum { MOST = 1000000, LONGEST_ROW = 256 };

void sl_operators_generic(struct sl_operator_table *table)
{
    *table = (struct sl_operator_table){
        .local_ports = 2, .private_ports = 2, .local_copies = 2, .clock_mhz = 300};
    for (unsigned i = 0; i < SL_OPERATOR_COUNT; i++)
        table->latency[i] = rows[i].latency;
}

const char *sl_operator_words(enum sl_operator kind)
{
    return kind < SL_OPERATOR_COUNT ? rows[kind].words : "";
}

/* Where the number of this key is; NULL: there is no such key. *least: what it is at least. */
static uint32_t *find(struct sl_operator_table *table, const char *key, uint32_t *least)
{
    *least = 1;
    if (!strcmp(key, "local.ports"))
        return &table->local_ports;
    if (!strcmp(key, "private.ports"))
        return &table->private_ports;
    if (!strcmp(key, "local.copies"))
        return &table->local_copies;
    if (!strcmp(key, "clock.mhz"))
        return &table->clock_mhz;
    *least = 0;
    if (!strcmp(key, "global.bytes"))
        return &table->global_bytes;
    for (unsigned i = 0; i < SL_OPERATOR_COUNT; i++)
        if (!strcmp(key, rows[i].key))
            return &table->latency[i];
    return NULL;
}

static const char blank[] = " \t\r";

/* NULL, or what is wrong with it. */
static const char *read_number(const char *text, uint32_t least, uint32_t *value)
{
    char *end;
    if (!text || *text < '0' || *text > '9')
        return "a number is missing";
    unsigned long read = strtoul(text, &end, 10);
    if (*end || read > MOST || read < least)
        return "the number cannot be";
    *value = (uint32_t)read;
    return NULL;
}

/* "loop flow.cl:12 2 5" or "loop 12 2 5", behind the word. */
static const char *read_loop(struct sl_operator_table *table, char **rest)
{
    struct sl_operator_loop row = {0};
    char *place = strtok_r(NULL, blank, rest), *colon = place ? strrchr(place, ':') : NULL;
    const char *wrong = read_number(colon ? colon + 1 : place, 1, &row.line);
    if (!wrong)
        wrong = read_number(strtok_r(NULL, blank, rest), 1, &row.interval);
    if (!wrong)
        wrong = read_number(strtok_r(NULL, blank, rest), 1, &row.depth);
    if (!wrong && strtok_r(NULL, blank, rest))
        wrong = "more than a place, II and depth";
    if (wrong)
        return wrong;
    if (colon)
        row.file = strndup(place, (size_t)(colon - place));
    struct sl_operator_loop *loops =
        realloc(table->loops, (table->loop_count + (size_t)1) * sizeof *loops);
    if (loops)
        table->loops = loops;
    if (!loops || (colon && !row.file)) {
        free(row.file);
        return "out of memory";
    }
    loops[table->loop_count++] = row;
    return NULL;
}

/* NULL, or what is wrong with it. */
static const char *read_row(struct sl_operator_table *table, char *row)
{
    char *rest;
    row[strcspn(row, "#")] = '\0';
    const char *key = strtok_r(row, blank, &rest);
    if (!key)
        return NULL;
    if (!strcmp(key, "loop"))
        return read_loop(table, &rest);
    uint32_t least, *value = find(table, key, &least);
    if (!value)
        return "no such key";
    const char *wrong = read_number(strtok_r(NULL, blank, &rest), least, value);
    if (!wrong && strtok_r(NULL, blank, &rest))
        wrong = "more than a key and a number";
    return wrong;
}

static void forget_loops(struct sl_operator_table *table)
{
    for (uint32_t i = 0; i < table->loop_count; i++)
        free(table->loops[i].file);
    free(table->loops);
    table->loops = NULL;
    table->loop_count = 0;
}

int sl_operators_read(struct sl_operator_table *table, const char *text, char *why, size_t size)
{
    struct sl_operator_table changed = *table;
    char row[LONGEST_ROW];
    changed.loops = NULL;
    changed.loop_count = 0;
    for (unsigned line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        const char *wrong = "longer than a row can be";
        if (length < sizeof row) {
            memcpy(row, text, length);
            row[length] = '\0';
            wrong = strlen(row) < length ? "a zero byte" : read_row(&changed, row);
        }
        if (wrong) {
            snprintf(why, size, "line %u: %s", line, wrong);
            forget_loops(&changed);
            return -1;
        }
        text += length + (text[length] == '\n');
    }
    forget_loops(table);
    *table = changed;
    return 0;
}

void sl_operators_finish(struct sl_operator_table *table)
{
    forget_loops(table);
}

/* A name without folders, or with the last ones, is the end of a path. */
static bool is_file(const char *name, const char *path)
{
    size_t length = strlen(name), whole = strlen(path);
    return length <= whole && !strcmp(path + whole - length, name) &&
           (length == whole || path[whole - length - 1] == '/');
}

const struct sl_operator_loop *sl_operators_loop(const struct sl_operator_table *table,
                                                 const char *file, uint32_t line)
{
    for (uint32_t i = table->loop_count; i-- > 0;) {
        const struct sl_operator_loop *loop = &table->loops[i];
        if (loop->line == line && (!loop->file || is_file(loop->file, file)))
            return loop;
    }
    return NULL;
}
