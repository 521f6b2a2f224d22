/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dataflow design as the report pages show it: kernels, the pipes between them, the places in the
 * source that use them, and what a profiled run has measured. It comes from a compiled module or
 * from the JSON that SLUICE_FPGA_PROFILE writes (docs/dataflow.md); the two carry the same names.
 *
 * A design belongs to one thread. All texts and arrays are owned by it.
 */
#ifndef SL_KERNELS_REPORT_DESIGN_H
#define SL_KERNELS_REPORT_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_module_info;

struct sl_report_kernel {
    char *name, *file;
    uint32_t line;
    uint32_t unit[3];    /* which copy of an autorun kernel */
    bool autorun, still; /* still: it waited in a stall that stopped the run */
    uint64_t launches, ended, run_ns, stall_ns;
    /* in cycles, if it has run with a clock: of all its runs together; late: by which they waited
     */
    uint64_t runs, begin, end, busy, late;
};

/* Its cycles without waiting. */
static inline uint64_t sl_report_work(const struct sl_report_kernel *kernel)
{
    return kernel->busy > kernel->late ? kernel->busy - kernel->late : 0;
}

struct sl_design_pipe {
    char *name, *type;
    char *kind; /* "channel", "pipe" or "argument" */
    char *host; /* "", "reads", "writes": what the host does with it; "yes" before it is known */
    char *io;   /* name of the I/O end, or "" */
    char *file;
    uint32_t line, packet_bytes, declared_depth, depth;
    int32_t writer, reader; /* index into kernels, -1: none */
    /* Of several kernels that may write it, or read it, while it is not known which one does: the
     * others; owned; NULL: there are none. */
    char *other_writers, *other_readers;
    uint64_t packets, high_water, full_ns, empty_ns;
    uint64_t held_ns; /* the longer of both, while launches went on (design->busy_ns) */
    double mean_fill;
    bool still;                         /* somebody waited for it in a stall that stopped the run */
    uint64_t full_cycles, empty_cycles; /* waited by writers and readers, by the clock */
    double best_cycles; /* for a packet, as fast as the schedule allows; 0: not known */
};

struct sl_design_site {
    char *file, *name; /* name: of the pipe, of its array, or of a kernel's argument */
    uint32_t kernel, line, column;
    int32_t pipe;  /* index into pipes, -1: not known */
    bool of_array; /* which one is known at run time only: `pipe` is the first of them */
    bool write, blocking;
    uint64_t stalls, stall_ns;
    uint64_t wait_cycles; /* by the clock */
};

struct sl_design_loop { /* as scheduled (docs/timing.md) */
    char *kernel, *file;
    char *why;   /* "II 4: float add at line 41, distance 1" */
    char *limit; /* "recurrence", "resource", ... */
    char *text;  /* of its line in the source, or "" */
    uint32_t line, nesting;
    bool pipelined;
    bool interleaved;                     /* iterations of several work-items */
    bool items;                           /* it is none: its iterations are work-items */
    uint32_t interval, depth;             /* of those that are pipelined */
    uint32_t global_bytes;                /* of an iteration, likewise */
    uint64_t trips;                       /* 0: not known at build time */
    uint64_t entries, iterations, cycles; /* by the clock; cycles: without waiting */
    const char *unit;        /* of several compute units the one with most; not owned, or NULL */
    uint32_t units;          /* that have entered it */
    uint64_t iterations_all; /* of all of them */
};

struct sl_design_region { /* between barriers of a kernel whose groups have a known length */
    char *kernel;
    uint32_t line; /* of the barrier in front, or the kernel's */
    bool first;    /* no barrier is in front */
    uint32_t depth, apart;
    uint32_t groups;                       /* of the kernel that are on their way at once */
    uint64_t visits, cycles, group_cycles; /* of a group: here, and of all regions */
};

enum sl_design_state {
    SL_DESIGN_RUN,
    SL_DESIGN_FULL,
    SL_DESIGN_EMPTY,
    SL_DESIGN_UNKNOWN, /* too much had happened: nothing more was kept */
    SL_DESIGN_STATES
};
struct sl_design_span { /* of the timeline; of that by the clock it is cycles */
    uint32_t kernel;
    enum sl_design_state state;
    uint64_t start_ns, end_ns;
};

struct sl_design_fill { /* what is in a pipe in equal parts of the run: from the least to the most
                         */
    uint32_t pipe, count, *least, *most; /* owned */
    uint64_t width;                      /* of a part, in cycles */
};

struct sl_design_wait { /* of a kernel in a stall that stopped the run; or of the host: "" */
    char *kernel, *pipe, *waits_for; /* owned; "": none, or nobody knows */
    uint64_t packets, depth;
    bool write, full;
    bool in_cycle; /* or nobody waits in a ring in that stall */
    bool outside;  /* for I/O or the host */
};

/* The clock of a run (docs/timing.md): what it said of a run that was not whole counts for nothing.
 */
enum sl_design_clock { SL_DESIGN_UNTIMED, SL_DESIGN_CLOCK_LOST, SL_DESIGN_TIMED };

struct sl_report_design {
    char *title;
    bool profiled;
    uint64_t time_ns; /* of the profiled run */
    uint64_t busy_ns; /* of that, launches of the host went on; all of it if there are none */
    struct sl_report_kernel *kernels;
    struct sl_design_pipe *pipes;
    struct sl_design_site *sites;
    struct sl_design_span *spans;
    struct sl_design_loop *loops; /* outer ones before those inside; none: there is no schedule */
    size_t kernel_count, pipe_count, site_count, span_count, loop_count;
    char **said; /* owned, as its texts; what the build warned of, in words */
    size_t said_count;
    char **bounds; /* owned, as its texts; what is the best possible by the schedule, in words */
    size_t bound_count;
    char **groups; /* the same of kernels with barriers: how long their groups take, and why */
    size_t group_count;
    struct sl_design_region *regions;
    size_t region_count;
    uint32_t clock_mhz;    /* that the schedule is for */
    uint32_t global_bytes; /* that global memory moves in a cycle; 0: no limit */
    enum sl_design_clock clock;
    uint64_t cycles; /* of the run */
    char *doubts;    /* why they are not exact, in lines; empty or NULL: they are */
    struct sl_design_span *cycle_spans;
    size_t cycle_span_count;
    bool waits_kept; /* cycle_spans tell when kernels waited, not only how long they were there */
    struct sl_design_fill *fills; /* of pipes whose operations are all known */
    size_t fill_count;
    char **stalls; /* that were reported, in words, in that order */
    size_t stall_count;
    struct sl_design_wait *waits; /* owned; what is in the last of those that have lasted */
    size_t wait_count;
    size_t last_stall;    /* that one: a row of `stalls` */
    bool ring;            /* kernels in it wait for each other */
    bool stopped;         /* it stood still, and launches have not ended: it measures nothing */
    bool short_of_memory; /* while it is filled: a text is missing */
};

/* What the kernel waits for for ever, since its `end`; NULL: it does not, or nobody knows. */
const struct sl_design_wait *sl_design_wait_of(const struct sl_report_design *, size_t kernel);

/* For those who fill a design. What is no character of UTF-8 becomes a question mark. Never NULL in
 * a design that is whole: 0, or -1 with the reason. */
char *sl_design_copy(struct sl_report_design *, const char *text);
int sl_design_whole(const struct sl_report_design *, char *why, size_t size);

/* One more line that the build said; what is in one that is there already is left out. */
void sl_design_say(struct sl_report_design *, const char *words);

/* Behind the pipe: whether the site's name is not the pipe's. */
void sl_design_site_name(const struct sl_report_design *, struct sl_design_site *);

/* Each fills a zeroed design: 0, or -1 with a reason in `why` (`size` bytes). A design that was not
 * filled whole is still to be finished. */
int sl_design_from_module(struct sl_report_design *, const struct sl_module_info *,
                          const char *title, char *why, size_t size);
int sl_design_from_json(struct sl_report_design *, const char *text, size_t bytes, char *why,
                        size_t size);
/* Either, by what the bytes begin with; they need not be trusted. */
int sl_design_read(struct sl_report_design *, const char *bytes, size_t count, const char *title,
                   char *why, size_t size);
void sl_design_finish(struct sl_report_design *);

/* Things a designer should look at, most important first; each an owned text in an owned array. */
char **sl_design_warnings(const struct sl_report_design *, size_t *count);
void sl_design_warnings_finish(char **warnings, size_t count);

/* The part of a name that compute units share: "element" of "element.12". */
size_t sl_design_kernel_stem(const char *name);
/* Whether it is a loop of that kernel, or of the one that the kernel is a compute unit of. */
bool sl_design_loop_is_of(const struct sl_report_design *, const struct sl_design_loop *,
                          const char *kernel);

#endif
