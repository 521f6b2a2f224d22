/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a clock as a waveform (IEEE 1364, value change dump). One unit of time is a cycle. */
#include <ctype.h>
#include <stdlib.h>

#include "report/signals.h"

enum { FILL_BITS = 32 };

/* Of the visible characters, as short as may be. */
static void print_code(FILE *out, size_t signal)
{
    enum { FIRST = '!', CODES = '~' - '!' + 1 };
    do {
        putc(FIRST + (int)(signal % CODES), out);
        signal /= CODES;
    } while (signal);
}

/* Readers take brackets for a range of bits. */
static void print_name(FILE *out, const char *name)
{
    for (const char *c = name; *c; c++)
        putc(isalnum((unsigned char)*c) ? *c : '_', out);
}

static void declare(FILE *out, size_t signal, unsigned bits, const char *name)
{
    fprintf(out, "$var wire %u ", bits);
    print_code(out, signal);
    fprintf(out, " %s $end\n", name);
}

static void open_scope(FILE *out, const char *name)
{
    fputs("$scope module ", out);
    print_name(out, name);
    fputs(" $end\n", out);
}

static const char close_scope[] = "$upscope $end\n";

static void declare_kernels(FILE *out, const struct sl_changes *c)
{
    static const char *const names[] = {[SL_SIGNAL_RUNS] = "runs", [SL_SIGNAL_WAITS] = "waits"};
    const struct sl_report_design *design = &c->events.design;
    open_scope(out, "kernels");
    for (size_t k = 0; k < design->kernel_count; k++) {
        open_scope(out, design->kernels[k].name);
        for (unsigned s = 0; s < SL_KERNEL_SIGNALS; s++)
            declare(out, sl_signal_of_kernel(k, s), 1, names[s]);
        fputs(close_scope, out);
    }
    fputs(close_scope, out);
}

static void declare_pipes(FILE *out, const struct sl_changes *c)
{
    static const char *const names[] = {
        [SL_SIGNAL_FILL] = "fill", [SL_SIGNAL_WRITTEN] = "written", [SL_SIGNAL_READ] = "read",
        [SL_SIGNAL_FULL] = "full", [SL_SIGNAL_EMPTY] = "empty",
    };
    const struct sl_report_design *design = &c->events.design;
    open_scope(out, "pipes");
    for (size_t p = 0; p < design->pipe_count; p++) {
        open_scope(out, design->pipes[p].name);
        for (unsigned s = sl_pipe_has_fill(&design->pipes[p]) ? 0 : 1; s < SL_PIPE_SIGNALS; s++)
            declare(out, sl_signal_of_pipe(c, p, s), s == SL_SIGNAL_FILL ? FILL_BITS : 1, names[s]);
        fputs(close_scope, out);
    }
    fputs(close_scope, out);
}

static bool is_fill(const struct sl_changes *c, size_t signal)
{
    size_t first = sl_signal_of_pipe(c, 0, SL_SIGNAL_FILL);
    return signal >= first && (signal - first) % SL_PIPE_SIGNALS == SL_SIGNAL_FILL;
}

static void print_value(FILE *out, const struct sl_changes *c, size_t signal, int64_t value)
{
    if (!is_fill(c, signal)) {
        putc(value > 0 ? '1' : '0', out);
    } else {
        int bit = FILL_BITS - 1;
        while (bit && !(value >> bit & 1))
            bit--;
        putc('b', out);
        for (; bit >= 0; bit--)
            putc(value >> bit & 1 ? '1' : '0', out);
        putc(' ', out);
    }
    print_code(out, signal);
    putc('\n', out);
}

static void print_start(FILE *out, const struct sl_changes *c)
{
    const struct sl_report_design *design = &c->events.design;
    fprintf(out,
            "$version sluice-report $end\n"
            "$comment one unit of time is a cycle, at %u MHz $end\n"
            "$timescale 1 ns $end\n",
            design->clock_mhz);
    open_scope(out, "design");
    declare_kernels(out, c);
    declare_pipes(out, c);
    fprintf(out, "%s$enddefinitions $end\n#0\n$dumpvars\n", close_scope);
    for (size_t k = 0; k < design->kernel_count * SL_KERNEL_SIGNALS; k++)
        print_value(out, c, k, 0);
    for (size_t p = 0; p < design->pipe_count; p++)
        for (unsigned s = sl_pipe_has_fill(&design->pipes[p]) ? 0 : 1; s < SL_PIPE_SIGNALS; s++)
            print_value(out, c, sl_signal_of_pipe(c, p, s), 0);
    fputs("$end\n", out);
}

/* Of each signal the value at the end of a cycle's changes, where that is another one. */
static void print_changes(FILE *out, const struct sl_changes *c, int64_t *values)
{
    uint64_t told = 0;
    for (size_t i = 0, next; i < c->count; i = next) {
        size_t signal = c->rows[i].signal;
        int64_t before = values[signal];
        for (next = i; next < c->count && c->rows[next].signal == signal &&
                       c->rows[next].cycle == c->rows[i].cycle;
             next++)
            values[signal] += c->rows[next].by;
        if (is_fill(c, signal) ? values[signal] == before : (values[signal] > 0) == (before > 0))
            continue;
        if (c->rows[i].cycle != told)
            fprintf(out, "#%llu\n", (unsigned long long)c->rows[i].cycle);
        told = c->rows[i].cycle;
        print_value(out, c, signal, values[signal]);
    }
    if (c->events.cycles > told)
        fprintf(out, "#%llu\n", (unsigned long long)c->events.cycles);
}

int sl_vcd_print(FILE *out, const char *profile, size_t bytes, char *why, size_t size)
{
    struct sl_changes changes;
    int rc = sl_changes_read(&changes, profile, bytes, why, size);
    int64_t *values = rc ? NULL : calloc(changes.signal_count + 1, sizeof *values);
    if (values) {
        print_start(out, &changes);
        print_changes(out, &changes, values);
    } else if (!rc) {
        snprintf(why, size, "out of memory");
        rc = -1;
    }
    free(values);
    sl_changes_finish(&changes);
    return rc;
}
