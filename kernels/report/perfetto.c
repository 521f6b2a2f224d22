/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a clock as a trace for ui.perfetto.dev, in the JSON of Chrome's trace events. A
 * microsecond stands for a cycle, so that all times are whole numbers. */
#include <stdlib.h>

#include "report/signals.h"
#include "sluice/base/json.h"

enum { KERNELS = 1, PIPES = 2 }; /* processes */

struct trace {
    FILE *out;
    struct sl_changes changes;
    int64_t *values; /* owned; of signals */
    uint64_t *since; /* owned; when they became more than 0 */
    int32_t *pipes;  /* owned; of signals: what is waited for since then */
    bool *writes;    /* owned; likewise */
};

static void print_process(struct trace *t, int process, const char *name)
{
    fprintf(t->out,
            "%s{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"%s\"}}",
            process == KERNELS ? "" : ",\n", process, name);
}

static void print_track(struct trace *t, int process, size_t track, const char *name)
{
    fprintf(t->out,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%zu,\"args\":{\"name\":",
            process, track + 1);
    sl_json_string(t->out, name);
    fputs("}}", t->out);
}

static void print_start(struct trace *t)
{
    const struct sl_report_design *design = &t->changes.events.design;
    fprintf(t->out,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is a cycle\","
            "\"clock_mhz\":%u,\"cycles\":%llu},\"traceEvents\":[\n",
            design->clock_mhz, (unsigned long long)t->changes.events.cycles);
    print_process(t, KERNELS, "kernels");
    for (size_t k = 0; k < design->kernel_count; k++)
        print_track(t, KERNELS, k, design->kernels[k].name);
    print_process(t, PIPES, "pipes");
    for (size_t p = 0; p < design->pipe_count; p++)
        print_track(t, PIPES, p, design->pipes[p].name);
}

static void print_fill(struct trace *t, size_t pipe, uint64_t cycle, int64_t packets)
{
    fprintf(t->out, ",\n{\"ph\":\"C\",\"pid\":%d,\"ts\":%llu,\"name\":", PIPES,
            (unsigned long long)cycle);
    sl_json_string(t->out, t->changes.events.design.pipes[pipe].name);
    fprintf(t->out, ",\"args\":{\"packets\":%lld}}", (long long)packets);
}

/* Of a kernel that waits: "c empty". */
static void print_reason(struct trace *t, size_t signal)
{
    const struct sl_report_design *design = &t->changes.events.design;
    char name[256] = "waits";
    if (t->pipes[signal] >= 0)
        snprintf(name, sizeof name, "%s %s", design->pipes[t->pipes[signal]].name,
                 t->writes[signal] ? "full" : "empty");
    sl_json_string(t->out, name);
}

static void print_slice(struct trace *t, size_t signal, uint64_t end)
{
    static const char *const words[] = {[SL_SIGNAL_FULL] = "\"full\"",
                                        [SL_SIGNAL_EMPTY] = "\"empty\""};
    size_t first = sl_signal_of_pipe(&t->changes, 0, SL_SIGNAL_FILL);
    bool kernel = signal < first;
    size_t kind = kernel ? signal % SL_KERNEL_SIGNALS : (signal - first) % SL_PIPE_SIGNALS;
    size_t track = kernel ? signal / SL_KERNEL_SIGNALS : (signal - first) / SL_PIPE_SIGNALS;
    if (!kernel && kind != SL_SIGNAL_FULL && kind != SL_SIGNAL_EMPTY)
        return;
    fprintf(t->out, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%zu,\"ts\":%llu,\"dur\":%llu,\"name\":",
            kernel ? KERNELS : PIPES, track + 1, (unsigned long long)t->since[signal],
            (unsigned long long)(end - t->since[signal]));
    if (!kernel)
        fputs(words[kind], t->out);
    else if (kind == SL_SIGNAL_RUNS)
        fputs("\"runs\"", t->out);
    else
        print_reason(t, signal);
    putc('}', t->out);
}

static bool is_fill(const struct trace *t, size_t signal, size_t *pipe)
{
    size_t first = sl_signal_of_pipe(&t->changes, 0, SL_SIGNAL_FILL);
    *pipe = signal < first ? 0 : (signal - first) / SL_PIPE_SIGNALS;
    return signal >= first && (signal - first) % SL_PIPE_SIGNALS == SL_SIGNAL_FILL;
}

/* All changes of a signal in one cycle. */
static void take(struct trace *t, const struct sl_change *change, int64_t by)
{
    size_t signal = change->signal, pipe;
    int64_t before = t->values[signal], now = before + by;
    t->values[signal] = now;
    if (is_fill(t, signal, &pipe)) {
        if (by)
            print_fill(t, pipe, change->cycle, now);
        return;
    }
    if (before > 0 && now <= 0)
        print_slice(t, signal, change->cycle);
    if (before <= 0 && now > 0) {
        t->since[signal] = change->cycle;
        t->pipes[signal] = change->pipe;
        t->writes[signal] = change->write;
    }
}

static void print_changes(struct trace *t)
{
    const struct sl_changes *c = &t->changes;
    for (size_t i = 0, next; i < c->count; i = next) {
        int64_t by = 0;
        for (next = i; next < c->count && c->rows[next].signal == c->rows[i].signal &&
                       c->rows[next].cycle == c->rows[i].cycle;
             next++)
            by += c->rows[next].by;
        take(t, &c->rows[i], by);
    }
    for (size_t s = 0; s < c->signal_count; s++) /* autorun kernels never end */
        if (t->values[s] > 0 && !is_fill(t, s, &(size_t){0}) && c->events.cycles > t->since[s])
            print_slice(t, s, c->events.cycles);
}

int sl_perfetto_print(FILE *out, const char *profile, size_t bytes, char *why, size_t size)
{
    struct trace t = {.out = out};
    int rc = sl_changes_read(&t.changes, profile, bytes, why, size);
    size_t count = t.changes.signal_count + 1;
    t.values = calloc(count, sizeof *t.values);
    t.since = calloc(count, sizeof *t.since);
    t.pipes = calloc(count, sizeof *t.pipes);
    t.writes = calloc(count, sizeof *t.writes);
    if (!rc && t.values && t.since && t.pipes && t.writes) {
        print_start(&t);
        print_changes(&t);
        fputs("\n]}\n", out);
    } else if (!rc) {
        snprintf(why, size, "out of memory");
        rc = -1;
    }
    free(t.values);
    free(t.since);
    free(t.pipes);
    free(t.writes);
    sl_changes_finish(&t.changes);
    return rc;
}
