/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a design as text. No lock: counters are read as they stand. */
#include "fpga/clock/clock.h"
#include "fpga/clock/clock_data.h"
#include "fpga/clock/clock_events.h"
#include "sluice/module.h"

static void print_kernels(struct sl_clock *clock, FILE *out)
{
    const char *comma = "";
    for (uint32_t k = 0; k < clock->info->kernel_count; k++) {
        const struct sl_clock_kernel_row *row = &clock->kernels[k];
        if (!sl_clock_get(&row->runs))
            continue;
        fprintf(out,
                "%s{\"kernel\":%u,\"runs\":%llu,\"begin\":%llu,\"end\":%llu,\"busy\":%llu,"
                "\"stalled\":%llu,\"loops\":[",
                comma, k, (unsigned long long)sl_clock_get(&row->runs),
                (unsigned long long)sl_clock_get(&row->begin),
                (unsigned long long)sl_clock_get(&row->end),
                (unsigned long long)sl_clock_get(&row->busy),
                (unsigned long long)sl_clock_get(&row->stalled));
        for (uint32_t l = 0; row->schedule && l < row->schedule->loop_count; l++) {
            const struct sl_clock_loop_row *loop = &clock->loops[row->first_loop + l];
            fprintf(out, "%s[%llu,%llu]", l ? "," : "",
                    (unsigned long long)sl_clock_get(&loop->entries),
                    (unsigned long long)sl_clock_get(&loop->iterations));
        }
        fputs("]}", out);
        comma = ",";
    }
}

static uint64_t end_of(const struct sl_clock *clock)
{
    uint64_t end = 0;
    for (uint32_t k = 0; k < clock->info->kernel_count; k++)
        if (sl_clock_get(&clock->kernels[k].end) > end)
            end = sl_clock_get(&clock->kernels[k].end);
    return end;
}

static void print_waits(FILE *out, const char *name, uint32_t row, uint64_t cycles, bool *any)
{
    if (!cycles)
        return;
    fprintf(out, "%s{\"%s\":%u,\"cycles\":%llu", *any ? "," : "", name, row,
            (unsigned long long)cycles);
    *any = true;
}

static void print_doubts(const struct sl_clock *clock, bool stopped, FILE *out)
{
    static const char *const words[] = {
        [SL_CLOCK_TOO_EARLY] = "an operation that does not wait was answered before all was known "
                               "that happens until its cycle",
        [SL_CLOCK_NO_PEER] = "an operation that does not wait was at a pipe whose other end has no "
                             "clock",
        [SL_CLOCK_OUTSIDE] =
            "the host or an I/O peripheral was later than the rate of its end says, "
            "at an operation that does not wait",
        [SL_CLOCK_ELSEWHERE] =
            "a loop or an operation was come to that the schedule has elsewhere only",
        [SL_CLOCK_ALIKE] = "an iteration passed by one of several operations of one place in the "
                           "source, of which nobody knows which it was",
        [SL_CLOCK_STOPPED] = "launches stood still and have not ended",
    };
    uint32_t doubts = atomic_load_explicit(&clock->doubts, memory_order_relaxed) |
                      (stopped ? 1u << SL_CLOCK_STOPPED : 0);
    const char *comma = "";
    fprintf(out, ",\"exact\":%s,\"doubts\":[", doubts ? "false" : "true");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(doubts & 1u << i))
            continue;
        fprintf(out, "%s\"%s\"", comma, words[i]);
        comma = ",";
    }
    putc(']', out);
}

void sl_clock_print(struct sl_clock *clock, bool stopped, FILE *out)
{
    bool any = false;
    bool lost = atomic_load_explicit(&clock->lost, memory_order_relaxed);
    fprintf(out, "{\"cycles\":%llu,\"whole\":%s", (unsigned long long)end_of(clock),
            lost ? "false" : "true");
    print_doubts(clock, stopped, out);
    fputs(",\"kernels\":[", out);
    print_kernels(clock, out);
    fputs("],\"sites\":[", out);
    for (uint32_t s = 0; s < clock->info->site_count; s++) {
        uint64_t cycles = sl_clock_get(&clock->sites[s]);
        print_waits(out, "site", s, cycles, &any);
        fputs(cycles ? "}" : "", out);
    }
    fputs("],\"pipes\":[", out);
    any = false;
    for (uint32_t p = 0; p < clock->pipe_count; p++) {
        uint64_t full = sl_clock_get(&clock->pipes[p][SL_PIPE_WRITE]);
        uint64_t empty = sl_clock_get(&clock->pipes[p][SL_PIPE_READ]);
        print_waits(out, "pipe", p, full + empty, &any);
        if (full + empty)
            fprintf(out, ",\"full\":%llu,\"empty\":%llu}", (unsigned long long)full,
                    (unsigned long long)empty);
    }
    putc(']', out);
    if (clock->events) {
        putc(',', out);
        sl_clock_events_print(clock->events, out);
    }
    putc('}', out);
}
