/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/operators.h"

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
    *table = (struct sl_operator_table){.local_ports = 2, .private_ports = 2, .clock_mhz = 300};
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

/* NULL, or what is wrong with it. */
static const char *read_row(struct sl_operator_table *table, char *row)
{
    static const char blank[] = " \t\r";
    char *rest, *end;
    row[strcspn(row, "#")] = '\0';
    const char *key = strtok_r(row, blank, &rest);
    if (!key)
        return NULL;
    const char *number = strtok_r(NULL, blank, &rest);
    uint32_t least, *value = find(table, key, &least);
    if (!value)
        return "no such key";
    if (!number || *number < '0' || *number > '9')
        return "a number is missing";
    unsigned long read = strtoul(number, &end, 10);
    if (*end || read > MOST || read < least)
        return "the number cannot be";
    if (strtok_r(NULL, blank, &rest))
        return "more than a key and a number";
    *value = (uint32_t)read;
    return NULL;
}

int sl_operators_read(struct sl_operator_table *table, const char *text, char *why, size_t size)
{
    struct sl_operator_table changed = *table;
    char row[LONGEST_ROW];
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
            return -1;
        }
        text += length + (text[length] == '\n');
    }
    *table = changed;
    return 0;
}
