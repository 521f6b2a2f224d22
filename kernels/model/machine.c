/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Constant. */
#include "model/machine.h"

#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum {
#define SL_MACHINE(id, ...) id,
#define SL_ROW(...)
#include "model/machines.def"
#undef SL_MACHINE
#undef SL_ROW
    MACHINES
};

static const struct sl_model_machine machines[MACHINES] = {
#define SL_MACHINE(id, ...) [id] = {__VA_ARGS__},
#define SL_ROW(...)
#include "model/machines.def"
#undef SL_MACHINE
#undef SL_ROW
};

static const struct {
    int machine;
    struct sl_model_row is;
} rows[] = {
#define SL_MACHINE(...)
#define SL_ROW(id, ...) {id, {__VA_ARGS__}},
#include "model/machines.def"
#undef SL_MACHINE
#undef SL_ROW
};

const struct sl_model_machine *sl_model_machine_at(size_t k)
{
    return k < MACHINES ? &machines[k] : NULL;
}

const struct sl_model_machine *sl_model_machine(const char *name)
{
    for (size_t k = 0; k < MACHINES; k++)
        if (!strcmp(name, machines[k].name) || !strcmp(name, machines[k].model))
            return &machines[k];
    return NULL;
}

/* ---- this machine ---------------------------------------------------------------------------- */

/* Under a hypervisor the number of the model may be anything; what a processor can do is not. */
#if defined(__x86_64__)
static bool has(unsigned leaf, unsigned part, unsigned bit)
{
    unsigned r[4] = {0};
    return __get_cpuid_count(7, leaf, &r[0], &r[1], &r[2], &r[3]) && r[part] >> bit & 1;
}

static const struct sl_model_machine *by_features(void)
{
    bool tiles = has(0, 3, 24), prefetches_code = has(1, 3, 14);
    if (tiles)
        return &machines[prefetches_code ? GRANITE_RAPIDS : SAPPHIRE_RAPIDS];
    return NULL;
}

static const struct sl_model_machine *by_registers(void)
{
    bool amd = __builtin_cpu_is("amd");
    if (__builtin_cpu_supports("avx512f"))
        return &machines[amd ? ZEN4 : ICE_LAKE];
    return &machines[amd ? ZEN3 : ALDER_LAKE];
}
#else
static const struct sl_model_machine *by_features(void)
{
    return NULL;
}

static const struct sl_model_machine *by_registers(void)
{
    return &machines[SAPPHIRE_RAPIDS];
}
#endif

const struct sl_model_machine *sl_model_host(void)
{
    const struct sl_model_machine *found = by_features();
    found = found ? found : sl_model_machine(sl_mc_host());
    return found ? found : by_registers();
}

/* ---- rows ------------------------------------------------------------------------------------ */

bool sl_model_named(const char *names, const char *name)
{
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (!strncmp(name, at, length))
            return true;
        at += length;
    }
    return false;
}

static bool is_for(const struct sl_model_row *row, const struct sl_mc_instruction *i)
{
    return (!row->bits || row->bits == i->bits) && sl_model_named(row->names, i->name);
}

const struct sl_model_row *sl_model_row(const struct sl_model_machine *machine,
                                        const struct sl_model_rows *own,
                                        const struct sl_mc_instruction *i)
{
    for (size_t k = 0; own && k < own->count; k++)
        if (is_for(&own->rows[k], i))
            return &own->rows[k];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (&machines[rows[k].machine] == machine && is_for(&rows[k].is, i))
            return &rows[k].is;
    return NULL;
}

enum { MOST_BITS = 4096, MOST_CYCLES = 1000, PARTS = 100 };

/* Not so for what is no number. */
static bool is_time(double cycles)
{
    return cycles >= 0 && cycles <= MOST_CYCLES;
}

/* A line without its remark. The name goes to `name`, of SL_MODEL_NAME bytes. */
static bool read_row(const char *line, char *name, struct sl_model_row *row)
{
    double latency, each;
    unsigned long bits;
    int end = 0;
    if (sscanf(line, " %39s %lu %lf %lf %n", name, &bits, &latency, &each, &end) != 4 ||
        line[end] || bits > MOST_BITS || !is_time(latency) || !is_time(each))
        return false;
    *row = (struct sl_model_row){.names = name,
                                 .bits = (uint32_t)bits,
                                 .latency = (uint32_t)(latency + 0.5),
                                 .each = (uint32_t)(each * PARTS + 0.5)};
    return true;
}

size_t sl_model_rows_read(struct sl_model_rows *to, const char *text)
{
    enum { LONGEST = 128 };
    size_t line = 0;
    to->count = 0;
    for (const char *at = text; *at;) {
        char one[LONGEST];
        size_t length = strcspn(at, "\n"), said = strcspn(at, "#\n");
        snprintf(one, sizeof one, "%.*s", (int)said, at);
        at += length + (at[length] == '\n');
        line++;
        if (!one[strspn(one, " \t\r")])
            continue;
        if (said >= LONGEST || to->count == SL_MODEL_MOST_ROWS ||
            !read_row(one, to->names[to->count], &to->rows[to->count]))
            return line;
        to->count++;
    }
    return 0;
}
