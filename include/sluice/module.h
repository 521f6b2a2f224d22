/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiled module: what kernels/ produces, what driver/ inspects and what devices/ run.
 *
 * An executable module is an ELF shared object without undefined symbols. It exports one constant,
 * SL_MODULE_SYMBOL, of type struct sl_module_info; all the rest hangs from it and stays valid for
 * as long as the object is loaded. What compiled code needs from outside arrives through
 * sl_launch.runtime, so a module runs equally under the driver, a unit test or another device.
 *
 * On disk, in the cache, in CL_PROGRAM_BINARIES and on the compiler's socket a module travels in a
 * container: struct sl_binary_header followed by its payload. The header is checked, checksum
 * included, before any byte of the payload is trusted to the dynamic linker.
 *
 * Nothing here may refer to OpenCL headers. All structs are plain C with natural alignment and are
 * shared with generated code: every change raises SL_MODULE_ABI.
 */
#ifndef SLUICE_MODULE_H
#define SLUICE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SL_MODULE_ABI 27u
#define SL_MODULE_SYMBOL "sluice_module"

/* ---- what a running kernel sees -------------------------------------------------------------- */

struct sl_launch;

/*
 * Services for compiled code; all are called from the thread that runs the work-group.
 * print: one executed printf. `record` holds, for each argument in order, one sl_print_arg followed
 * by its bytes, padded to 8 (of a string: its address); `format` is the literal. Returns what
 * printf returns: 0, or -1. trap: the kernel executed something that cannot continue; does not
 * return to the work-item's further code in a meaningful way, the launch ends with an error. `what`
 * is a static text.
 *
 * The next seven are for kernels with SL_KERNEL_USES_PIPES; NULL where those do not run.
 * pipe_slow: the operation of `site` on a ring whose fast path did not apply, whole: `packet` is
 * read (write) or filled (read). A blocking one returns 0 when it is done, maybe much later and on
 * another thread; else -1 when the pipe is full or empty, and the packet is untouched.
 * pipe_notify: something changed in a foreign ring whose attention is set.
 * pipe_reserve: room or data for `count` packets, to be committed later: an id, 0 if there is not
 * enough. pipe_reserved: the slot of packet `index` of a reservation, NULL if there is no such.
 * pipe_commit: packets of the reservation become visible (write) or their room free (read).
 * yield: the kernel spins on memory; others of its cluster get to run.
 * pipe_claim: before an operation at a contested end (SL_PIPE_CONTESTED) of which the kernel is not
 * known to be the one that has it; of two kernels the second does not come back.
 *
 * The rest is for kernels with SL_KERNEL_SHARED_PIPES: rings that all threads use at the same time;
 * `op` is enum sl_pipe_op. NULL where those do not run.
 * shared_move: one packet. 0, or -1 when the pipe is full or empty, and the packet is untouched.
 * shared_reserve: as pipe_reserve. shared_move_at: packet `index` of a reservation; -1 if there is
 * no such. shared_commit: as pipe_commit. shared_fill: the packets that could be read.
 *
 * `child` is for kernels with SL_KERNEL_ENQUEUES; NULL where those do not run.
 *
 * loop_mark: where the kernel is in its loops, of programs that were built with a schedule; for
 * kernels with SL_KERNEL_USES_PIPES. A loop is told by its place in the source. SL_LOOP_IS_THROUGH:
 * it has begun, had so many iterations less 1, without operations on pipes or loops inside, and
 * ended; 0: it had not begun. SL_LOOP_IS_ITEM: a work-item begins, in a kernel whose work-items are
 * the iterations of a loop, or on their way one behind the other; its place is that of the kernel,
 * column 0. `iterations`: where the items of a group meet it begins once more behind that, and this
 * is its number in the group.
 * pipe_fill: packets in the pipe, in the cycle of the kernel's clock if it has one; of the same
 * programs, as others look at the ring.
 * pipe_moved: of the same programs, a packet has moved without pipe_slow. pipe_rounds: whole rounds
 * of a loop have, one after the other, their marks included. Both let no other kernel run. What
 * does not wait always goes through pipe_slow there.
 * pipe_await: of the same programs, rounds like these are next, `most` of them (UINT64_MAX: nobody
 * knows), and there are packets or room for few: others may run first, so that it is more. Of the
 * moves only ring and site are looked at, and the steps. `within`: enum sl_pipe_within.
 * pipe_journal: of the same programs, a function begins with loops that others can see nothing of
 * but packets. There it notes what happens, and goes on without asking whether its clock has caught
 * up; the result is where. pipe_slow_noted: pipe_slow in such loops. pipe_catch_up: behind them.
 * pipe_moved_noted: pipe_moved in such loops, at an element that only the run knows.
 *
 * outside: trap, with what an index of an array of pipes is; for kernels with SL_KERNEL_USES_PIPES.
 */
enum sl_loop_mark {
    SL_LOOP_BEGINS,
    SL_LOOP_ITERATES,
    SL_LOOP_ENDS,
    SL_LOOP_IS_THROUGH,
    SL_LOOP_IS_ITEM
};

struct sl_pipe_move {
    struct sl_pipe_ring *ring;
    const struct sl_pipe_site *site;
};
enum { SL_PIPE_MOST_MOVES = 8, SL_PIPE_MOST_STEPS = 32, SL_PIPE_MOST_TOLD = 48 };
/* Marks of a round that say something else each time, and of all rounds told at once. */
enum { SL_PIPE_MOST_VARIED = 4, SL_PIPE_MOST_TRIPS = 512 };
#define SL_PIPE_TRIPS_VARY UINT64_MAX
struct sl_loop_told { /* a call of loop_mark; known to kernels/pipes */
    uint32_t what, line, column;
    uint32_t before;     /* so many steps of the round stand in front of it */
    uint64_t iterations; /* of SL_LOOP_IS_THROUGH also SL_PIPE_TRIPS_VARY: what `trips` says */
};
struct sl_pipe_rounds { /* what each of them does; known to kernels/pipes */
    uint32_t count, told_count, step_count;
    const struct sl_loop_told *told; /* in the order of the program; as long as the code is there */
    const uint8_t *steps; /* likewise: which of `moves` each step is; NULL: each once, as here */
    const struct sl_pipe_site *const *sites; /* likewise, of each step; NULL where `steps` is */
    /* Of marks whose iterations vary, in their order, round by round; read during the call only. */
    const uint64_t *trips;
    struct sl_pipe_move moves[SL_PIPE_MOST_MOVES];
};
static inline bool sl_pipe_varies(const struct sl_loop_told *told)
{
    return told->what == SL_LOOP_IS_THROUGH && told->iterations == SL_PIPE_TRIPS_VARY;
}
static inline uint32_t sl_pipe_varied(const struct sl_pipe_rounds *r)
{
    uint32_t varied = 0;
    for (uint32_t i = 0; i < r->told_count; i++)
        varied += sl_pipe_varies(&r->told[i]);
    return varied;
}
static inline uint32_t sl_pipe_step(const struct sl_pipe_rounds *r, uint32_t step)
{
    return r->steps ? r->steps[step] : step;
}
static inline const struct sl_pipe_site *sl_pipe_site_of(const struct sl_pipe_rounds *r,
                                                         uint32_t step)
{
    return r->steps ? r->sites[step] : r->moves[step].site;
}

enum sl_pipe_within { /* whether rounds have to stop at sl_pipe_ring.read_within, .write_within */
                      SL_PIPE_GOES_ON,
                      SL_PIPE_STOPS_IF_SHARED, /* if the kernel's memory is, see sluice/unshared.h
                                                */
                      SL_PIPE_STOPS
};

/*
 * What a function notes of loops that run ahead of its clock: words, one for each event, and behind
 * it what its marks say whose iterations vary. Where there is no room left it tells of each thing
 * by itself, which waits for the clock.
 */
enum { SL_PIPE_MOST_RINGS = 16, SL_PIPE_MOST_EVENT_WORDS = 16, SL_PIPE_MOST_KINDS = 8 };
#define SL_PIPE_NO_MOVE UINT32_MAX
struct sl_pipe_event {               /* constant; known to kernels/pipes */
    const struct sl_loop_told *told; /* marks, then */
    const struct sl_pipe_site *site; /* a packet has moved at `move`, if that is none of these */
    uint32_t told_count, move;       /* into the rings */
};
/* The word of so many rounds of a loop, | which of the kinds; how many is the word behind it. */
#define SL_PIPE_NOTED_ROUNDS ((uint64_t)1 << 62)
struct sl_pipe_events { /* known to kernels/pipes */
    const struct sl_pipe_event *events;
    const struct sl_pipe_event *kinds; /* one mark and one packet each */
    uint32_t kind_count, reserved;
    uint32_t ring_count;
    uint32_t shares; /* the loops use what arguments point to, see sluice/unshared.h */
    struct sl_pipe_move rings[SL_PIPE_MOST_RINGS]; /* site: one of those there */
};
struct sl_pipe_journal {  /* of the device; known to kernels/pipes */
    uint64_t *next, *end; /* there is room for an event if next < end */
};

struct sl_child_runtime;
struct sl_runtime {
    uint32_t abi, size;
    int32_t (*print)(const struct sl_launch *, const char *format, const void *record,
                     uint32_t record_bytes, uint32_t arg_count);
    void (*trap)(const struct sl_launch *, const char *what);
    int32_t (*pipe_slow)(const struct sl_launch *, struct sl_pipe_ring *,
                         const struct sl_pipe_site *, void *packet);
    void (*pipe_notify)(const struct sl_launch *, struct sl_pipe_ring *);
    uint64_t (*pipe_reserve)(const struct sl_launch *, struct sl_pipe_ring *,
                             const struct sl_pipe_site *, uint32_t count);
    void *(*pipe_reserved)(const struct sl_launch *, struct sl_pipe_ring *, uint64_t id,
                           uint32_t index);
    void (*pipe_commit)(const struct sl_launch *, struct sl_pipe_ring *,
                        const struct sl_pipe_site *, uint64_t id);
    void (*yield)(const struct sl_launch *);
    int32_t (*shared_move)(struct sl_pipe_ring *, uint32_t op, void *packet);
    uint64_t (*shared_reserve)(struct sl_pipe_ring *, uint32_t op, uint32_t count);
    int32_t (*shared_move_at)(struct sl_pipe_ring *, uint32_t op, uint64_t id, uint32_t index,
                              void *packet);
    void (*shared_commit)(struct sl_pipe_ring *, uint32_t op, uint64_t id);
    uint32_t (*shared_fill)(struct sl_pipe_ring *);
    const struct sl_child_runtime *child;
    void (*outside)(const struct sl_launch *, const char *what, int64_t index);
    void (*pipe_claim)(const struct sl_launch *, struct sl_pipe_ring *,
                       const struct sl_pipe_site *);
    void (*loop_mark)(const struct sl_launch *, uint32_t what, uint32_t line, uint32_t column,
                      uint64_t iterations);
    uint32_t (*pipe_fill)(const struct sl_launch *, struct sl_pipe_ring *,
                          const struct sl_pipe_site *);
    void (*pipe_moved)(const struct sl_launch *, struct sl_pipe_ring *,
                       const struct sl_pipe_site *);
    void (*pipe_rounds)(const struct sl_launch *, const struct sl_pipe_rounds *, uint64_t rounds);
    void (*pipe_await)(const struct sl_launch *, const struct sl_pipe_rounds *, uint64_t most,
                       uint32_t within);
    struct sl_pipe_journal *(*pipe_journal)(const struct sl_launch *,
                                            const struct sl_pipe_events *);
    int32_t (*pipe_slow_noted)(const struct sl_launch *, struct sl_pipe_ring *,
                               const struct sl_pipe_site *, void *packet);
    void (*pipe_catch_up)(const struct sl_launch *);
    void (*pipe_moved_noted)(const struct sl_launch *, struct sl_pipe_ring *,
                             const struct sl_pipe_site *);
};

/* ndrange_t as clang lays it out; a local size of zeros: the device chooses. */
struct sl_child_range {
    uint32_t work_dim;
    size_t global_offset[3], global_size[3], local_size[3];
};

/* How a block begins; what it captured follows. */
struct sl_child_block {
    uint32_t bytes, align; /* of all of it */
    void *invoke;          /* always NULL: kernels are named */
};

/*
 * Kernels that enqueue kernels (OpenCL C, 6.15.22). Queues and events are words that compiled code
 * keeps and never follows: a queue is a struct sl_device_queue, 0 none; events are numbers, 0 and
 * UINT64_MAX none. `kernel` names a row with SL_KERNEL_BLOCK, whose arguments are the address of
 * the block and then pointers to local memory, `local_count` of them, of `local_bytes`. Results are
 * 0 or the CLK_* number of what is wrong. Nothing here waits.
 */
struct sl_child_runtime {
    int32_t (*enqueue)(const struct sl_launch *, uint64_t queue, uint32_t flags,
                       const struct sl_child_range *, uint32_t wait_count, const uint64_t *waits,
                       uint64_t *event, const char *kernel, const struct sl_child_block *,
                       uint32_t local_count, const uint64_t *local_bytes);
    int32_t (*marker)(const struct sl_launch *, uint64_t queue, uint32_t wait_count,
                      const uint64_t *waits, uint64_t *event);
    uint64_t (*default_queue)(const struct sl_launch *);
    uint64_t (*user_event)(const struct sl_launch *);
    void (*set_status)(const struct sl_launch *, uint64_t event, int32_t status);
    void (*retain)(const struct sl_launch *, uint64_t event);
    void (*release)(const struct sl_launch *, uint64_t event);
    uint32_t (*is_valid)(const struct sl_launch *, uint64_t event);
    void (*profile)(const struct sl_launch *, uint64_t event, uint32_t what, uint64_t *value);
    uint32_t (*group_size)(const struct sl_launch *, const char *kernel);
    uint32_t (*group_multiple)(const struct sl_launch *, const char *kernel);
    uint32_t (*sub_group_size)(const struct sl_launch *, const struct sl_child_range *,
                               const char *kernel);
    uint32_t (*sub_group_count)(const struct sl_launch *, const struct sl_child_range *,
                                const char *kernel);
    /* The items of a group of one dimension that has so many sub-groups; 0: none has. */
    uint32_t (*size_for_count)(const struct sl_launch *, uint32_t sub_groups, const char *kernel);
    uint32_t (*most_sub_groups)(const struct sl_launch *, const char *kernel);
};

enum sl_print_kind {
    SL_PRINT_INT = 1,
    SL_PRINT_FLOAT = 2,
    SL_PRINT_POINTER = 3,
    SL_PRINT_STRING = 4
};
struct sl_print_arg {
    uint16_t kind;       /* enum sl_print_kind */
    uint16_t lanes;      /* 1 for a scalar, else the vector width */
    uint32_t elem_bytes; /* bytes of one lane; the value follows, lanes * elem_bytes, padded to 8 */
};

/* One ND-range; shared, read-only, by all threads that work on it. */
struct sl_launch {
    uint16_t work_dim;
    uint8_t form;        /* of SL_KERNEL_BOTH_FORMS: 1: dimensions are as the source has them */
    uint8_t apart;       /* 1: the memory of arguments is, as sl_kernel_info.apart says */
    uint32_t stream_kib; /* stores of more than that go past the caches; UINT32_MAX: none do */
    size_t global_offset[3];
    size_t global_size[3]; /* work-items; 1 beyond work_dim */
    size_t local_size[3];  /* the enqueued local size; the last group of a row may be smaller */
    size_t group_count[3];
    const struct sl_pipe_memory *pipes; /* of kernels with SL_KERNEL_USES_PIPES; else undefined */
    const struct sl_runtime *runtime;
    void *owner; /* the device's own: not touched by compiled code */
};

/* One thread's share. The caller provides the memory; contents are undefined on entry. */
struct sl_group {
    size_t id[3]; /* the first work-group */
    size_t count; /* that many groups along dimension 0: id[0] .. id[0] + count - 1 */
    void
        *local; /* local memory of one group, SL_LOCAL_ALIGN-aligned: static part, then arguments */
    void *context; /* work-item contexts, 64-aligned: context_fixed + context_per_item * local items
                    */
    size_t local_bytes, context_bytes; /* room at `local` and `context`, at least what is used */
    uint64_t *times; /* room for what sl_kernel_info.times says; NULL: nobody wants to know */
};
#define SL_LOCAL_ALIGN 128

/*
 * Runs the work-groups id[0]..id[0]+count-1 (times id[1], id[2]) of a launch one after the other.
 * `args` is the argument block: each argument at sl_arg_info.offset. Re-entrant; keeps nothing.
 */
typedef void (*sl_group_fn)(const void *args, const struct sl_launch *, struct sl_group *);

/* ---- what is known about kernels ------------------------------------------------------------- */

enum sl_arg_kind {
    SL_ARG_VALUE = 0, /* by value: `size` bytes in the block */
    SL_ARG_GLOBAL,    /* __global or __constant pointer: a host address in the block */
    SL_ARG_CONSTANT,
    SL_ARG_LOCAL,   /* __local pointer: the block holds the byte offset into sl_group.local (uint64)
                     */
    SL_ARG_IMAGE,   /* the block holds a pointer to struct sl_image */
    SL_ARG_SAMPLER, /* the block holds the sampler bits as uint64, see SL_SAMPLER_* */
    SL_ARG_PIPE,    /* the block holds a pointer to struct sl_pipe_ring */
    SL_ARG_QUEUE,   /* the block holds a pointer to struct sl_device_queue */
};
/* The numbers of enum sl_arg_address.. equal the offsets of the CL_KERNEL_ARG_* constants. */
enum sl_arg_address {
    SL_ADDRESS_GLOBAL = 0,
    SL_ADDRESS_LOCAL,
    SL_ADDRESS_CONSTANT,
    SL_ADDRESS_PRIVATE
};
enum sl_arg_access {
    SL_ACCESS_READ_ONLY = 0,
    SL_ACCESS_WRITE_ONLY,
    SL_ACCESS_READ_WRITE,
    SL_ACCESS_NONE
};
enum sl_arg_qualifier {
    SL_QUAL_CONST = 1,
    SL_QUAL_RESTRICT = 2,
    SL_QUAL_VOLATILE = 4,
    SL_QUAL_PIPE = 8
};

/* Of a pipe argument: what its declaration asks of the pipe. */
struct sl_pipe_arg {
    uint32_t packet_bytes, packet_align;
    uint32_t depth; /* __attribute__((depth(N))); 0: none */
    uint32_t flags; /* enum sl_pipe_flags: SL_PIPE_HOST, SL_PIPE_IO, SL_PIPE_BLOCKING */
    const char *io; /* name of the I/O peripheral, or NULL */
};

struct sl_arg_info {
    const char *name;      /* "" when the source did not tell (binary without argument info) */
    const char *type_name; /* as clGetKernelArgInfo reports it: "uint4*", "image2d_t" */
    uint8_t kind, address, access, qualifiers;
    uint32_t size;   /* bytes of the OpenCL argument: of the value; pointers, images: 8 */
    uint32_t offset; /* in the argument block */
    uint32_t align;  /* of the value in the block; of the pointee for pointers to local (>= 1) */
    const struct sl_pipe_arg *pipe; /* SL_ARG_PIPE; else, or when not known, NULL */
};

enum sl_kernel_flags {
    SL_KERNEL_USES_PRINT = 1,
    SL_KERNEL_USES_BARRIER = 2,
    SL_KERNEL_FLAT = 4, /* only global ids matter: groups of a row may be merged or split freely */
    SL_KERNEL_SINGLE_TASK = 8,
    SL_KERNEL_AUTORUN = 16,
    SL_KERNEL_USES_PIPES = 32,   /* or is an autorun kernel, which runs like those that do */
    SL_KERNEL_HAS_ARG_INFO = 64, /* argument names and types were kept */
    SL_KERNEL_UNIFORM_GROUPS =
        128, /* local sizes must divide global sizes: OpenCL C 1.x, or asked for */
    SL_KERNEL_PIPE_ARGS = 256,  /* has SL_ARG_PIPE arguments */
    SL_KERNEL_COPY = 512,       /* compute unit 1.. of an autorun kernel: no kernel of its own */
    SL_KERNEL_NO_OFFSET = 1024, /* uses_global_work_offset(0) */
    /* Built with -cl-denorms-are-zero and without doubles: run it with denormals flushed. */
    SL_KERNEL_FLUSH_DENORMALS = 2048,
    SL_KERNEL_SHARED_PIPES = 4096, /* uses pipes that all threads share (sl_runtime) */
    SL_KERNEL_BLOCK = 8192,        /* of a block that kernels enqueue: no kernel of its own */
    SL_KERNEL_ENQUEUES = 16384,    /* uses sl_runtime.child */
    SL_KERNEL_ROWS_IN_STEP =
        32768, /* flat; groups of several rows are faster, of a multiple of four */
    /* Its code was made in a few milliseconds and is slow: enough for small launches. Better code
     * is made of SL_BINARY_REST, which lies behind the module's container. */
    SL_KERNEL_QUICK = 65536,
    /* Its code has dimension 0 and this one in each other's place. Nothing else that is said of it
     * has. */
    SL_KERNEL_INTERCHANGED_1 = 131072,
    SL_KERNEL_INTERCHANGED_2 = 262144,
    /* Flat; reads along one of dimensions 0 and 1 what it writes along the other: groups should be
     * about as high as they are wide. */
    SL_KERNEL_TILES = 524288,
    /* Its code has the dimensions in each other's place or not, as sl_launch.form says. */
    SL_KERNEL_BOTH_FORMS = 1048576,
    /* Gives objects at program scope their values: the device runs one work-item of it, without
     * arguments, before any other kernel of the program. No kernel of its own. */
    SL_KERNEL_INITIALIZES = 2097152,
    /* Its code is for launches whose sub-groups are parts of rows (sl_launch_goes_in_step). What
     * runs any launch is made of SL_BINARY_REST, which lies behind the module's container. */
    SL_KERNEL_IN_STEP = 4194304,
    /* The same: for launches all of whose groups have the required size
     * (sl_launch_has_whole_groups). */
    SL_KERNEL_WHOLE_GROUPS = 8388608,
    /* It leaves times (sl_kernel_info.times), and nothing of it is a group's: for its clock items
     * of a row come one after the other through all groups of the row. */
    SL_KERNEL_TIMED_BY_ROWS = 16777216,
    /* An autorun kernel that a call of another one has become: no kernel of its own. */
    SL_KERNEL_PROCESS = 33554432,
    /* In step, and its code takes for granted that rows are whole sub-groups and begin at multiples
     * of their size: what multiplies matrices needs all items of a sub-group. */
    SL_KERNEL_WHOLE_SUB_GROUPS = 67108864,
    /* Any of these: who runs it has more to do than to call it. */
    SL_KERNEL_HAS_COMPANY = SL_KERNEL_USES_PIPES | SL_KERNEL_SHARED_PIPES | SL_KERNEL_ENQUEUES,
};

struct sl_kernel_info {
    const char *name;
    sl_group_fn run;
    const struct sl_arg_info *args;
    const char *attributes;    /* CL_KERNEL_ATTRIBUTES text, never NULL */
    const char *vec_type_hint; /* never NULL */
    uint32_t arg_count, args_bytes;
    uint32_t flags;
    uint32_t
        local_bytes; /* static __local variables; dynamic arguments follow, SL_LOCAL_ALIGN apart */
    uint32_t reqd_size[3], hint_size[3]; /* zeros when absent */
    uint32_t context_per_item, context_fixed;
    uint32_t private_bytes;       /* of one work-item, for CL_KERNEL_PRIVATE_MEM_SIZE */
    uint32_t line;                /* of the definition, 0 when unknown */
    uint32_t vector_width;        /* work-items per vector iteration the compiler aimed at; >= 1 */
    uint32_t max_work_group_size; /* by its attribute, or its room; 0: the device's */
    uint32_t stack_bytes; /* of private_bytes, what lies on the stack of the thread that runs it */
    uint32_t work_dim_limit;  /* 1 + max_global_work_dim(N); 0: no attribute */
    uint32_t max_size[3];     /* max_work_group_size(x,y,z); zeros: no attribute */
    uint32_t compute_unit[3]; /* of an autorun kernel: which copy this is */
    uint32_t component; /* kernels joined by program-scope pipes share a number; < kernel_count */
    uint32_t sub_group_size;      /* items; the last sub-group of a work-group may have fewer */
    uint32_t reqd_sub_group_size; /* intel_reqd_sub_group_size(N); 0: no attribute */
    uint32_t work;                /* of quick code: instructions of an item at most; else 0 */
    /* Of programs with a schedule: so many words each work-item leaves at sl_group.times, where
     * groups run one by one: word w of item i of a group at w * the enqueued local items + i. First
     * cycles until it is through, cycles until the next one may begin, then for each loop of the
     * schedule how often it was entered and its iterations. 0: it leaves none. */
    uint32_t times;
    /* Bits of arguments, pointers: its code gains where the memory of each of these overlaps that
     * of no other argument (sl_launch.apart). */
    uint32_t apart;
    /* Of quick code whose instructions are so many by its arguments (sluice/work_rule.h); `work`
     * says nothing then. NULL: they are not. */
    const char *work_rule;
};

enum sl_global_flags {
    SL_GLOBAL_CONSTANT = 1, /* const: may lie in memory that nobody can write */
    SL_GLOBAL_STATIC = 2,   /* its name is not the whole program's */
    SL_GLOBAL_FUNCTION =
        4, /* of a function: what is there, 8 bytes, is a pointer to it in kernels */
    SL_GLOBAL_NOT_READ = 8, /* by the host, by its name */
    SL_GLOBAL_NOT_WRITTEN = 16,
};

/* Are sub-groups, whose size is a power of two, parts of rows in all groups of a launch? So rows
 * are whole sub-groups, or the group is one row, unless the kernel needs whole ones; and ids along
 * rows have 31 bits. */
static inline bool sl_launch_goes_in_step(const struct sl_kernel_info *kernel,
                                          const size_t offset[3], const size_t global[3],
                                          const size_t local[3])
{
    const size_t below = kernel->sub_group_size - 1;
    const bool needs_whole = kernel->flags & SL_KERNEL_WHOLE_SUB_GROUPS;
    bool one_row = local[1] * local[2] == 1 && !needs_whole;
    bool whole = !((local[0] | global[0] | (needs_whole ? offset[0] : 0)) & below);
    return (one_row || whole) && (offset[0] | global[0]) <= (size_t)1 << 30;
}

/* Have all groups of a launch the size that the kernel requires? */
static inline bool sl_launch_has_whole_groups(const uint32_t required[3], const size_t global[3])
{
    for (int d = 0; d < 3; d++)
        if (global[d] % required[d])
            return false;
    return true;
}

struct sl_global_info { /* program-scope variables with storage in the module */
    const char *name;
    void *address;
    uint64_t size;
    uint64_t flags; /* enum sl_global_flags */
};

struct sl_module_info {
    uint32_t abi;  /* SL_MODULE_ABI */
    uint32_t size; /* sizeof of this struct when built */
    uint32_t kernel_count, global_count;
    const struct sl_kernel_info *kernels; /* sorted by name */
    const struct sl_global_info *globals;
    uint64_t globals_bytes;
    uint32_t pipe_count, site_count;
    struct sl_pipe_ring *rings;       /* all rings of `pipes`, one after the other; or NULL */
    const struct sl_pipe_info *pipes; /* elements of an array are neighbours, last index fastest */
    const struct sl_pipe_site *sites;
    uint64_t user_count;
    const struct sl_pipe_user *users; /* in the order of pipes */
    const char *timing;               /* schedule of the design as JSON (docs/timing.md), or NULL */
};

/* May the kernel do such operations on the pipe? */
static inline int sl_module_may_use(const struct sl_module_info *info, uint32_t pipe,
                                    uint32_t kernel, unsigned op)
{
    const struct sl_pipe_info *row = &info->pipes[pipe];
    if ((op == SL_PIPE_WRITE ? row->writer : row->reader) == (int32_t)kernel)
        return 1;
    if (!(row->flags & (uint32_t)SL_PIPE_CONTESTED << op))
        return 0;
    for (uint64_t i = 0; i < info->user_count; i++)
        if (info->users[i].pipe == pipe && info->users[i].kernel == kernel &&
            info->users[i].op == op)
            return 1;
    return 0;
}

/* ---- images and samplers as compiled code sees them ------------------------------------------ */

/* An element (x, y, z or layer) lies at data + x * elem_bytes + y * row_pitch + z * slice_pitch;
 * the layers of a 1D array (coordinate y) lie slice_pitch apart. */
struct sl_image {
    void *data;
    uint32_t width, height, depth, array_size; /* 1 where the dimension does not exist */
    uint64_t row_pitch, slice_pitch;           /* bytes */
    uint32_t channel_order, channel_type;      /* the CL_* numbers */
    uint32_t elem_bytes, dims; /* dims: 1, 2 or 3 coordinates that address a texel */
};
/* Sampler bits equal clang's initialiser: bit 0 normalised, bits 1-3 addressing, bits 4-5 filter.
 */
#define SL_SAMPLER_NORMALIZED 1u
#define SL_SAMPLER_ADDRESS_NONE 0u
#define SL_SAMPLER_ADDRESS_CLAMP_TO_EDGE 2u
#define SL_SAMPLER_ADDRESS_CLAMP 4u
#define SL_SAMPLER_ADDRESS_REPEAT 6u
#define SL_SAMPLER_ADDRESS_MIRRORED_REPEAT 8u
#define SL_SAMPLER_FILTER_NEAREST 0x10u
#define SL_SAMPLER_FILTER_LINEAR 0x20u

/* ---- the container --------------------------------------------------------------------------- */

#define SL_BINARY_MAGIC "SLUICE\r\n" /* 8 bytes, no terminator stored */
#define SL_BINARY_VERSION 1u

enum sl_binary_kind {
    SL_BINARY_OBJECT = 1,
    SL_BINARY_LIBRARY = 2,
    SL_BINARY_EXECUTABLE = 4,
    /* Bitcode of kernels that an executable has no code of, or no better. It lies behind the
     * container of that executable, also in what applications get as the program's binary. */
    SL_BINARY_REST = 8,
};

/*
 * Little-endian. header_bytes is sizeof(struct sl_binary_header). The sections follow in this
 * order: options text, log text, payload (bitcode for objects and libraries, ELF for executables).
 * The first starts at SL_BINARY_PAD(header_bytes), each next one at SL_BINARY_PAD(end of the
 * previous); total_bytes is SL_BINARY_PAD(end of the payload); padding is zero. Texts carry no NUL.
 * checksum: XXH3 128 of the bytes from offset 24 (after the checksum field) to total_bytes;
 * [0] is XXH128_hash_t.low64, [1] high64.
 */
#define SL_BINARY_PAD(n) (((n) + 15u) & ~(uint64_t)15u)
#define SL_MODULE_OWN 0xffffffffu /* module_abi where the payload is code of a device's making */
struct sl_binary_header {
    char magic[8];
    uint64_t checksum[2];
    uint32_t version, header_bytes;
    uint32_t kind;       /* enum sl_binary_kind */
    uint32_t module_abi; /* SL_MODULE_ABI of executables; SL_MODULE_OWN */
    uint64_t total_bytes;
    uint64_t options_bytes, log_bytes, payload_bytes;
    char compiler[64]; /* version and build hash of the compiler, NUL-padded */
    char target[64];   /* architecture and level, e.g. "x86_64:avx512"; NUL-padded */
};

/* How many kernels tools name: the one that initializes is the last row, since its name is. */
static inline uint32_t sl_shown_kernels(const struct sl_module_info *info)
{
    uint32_t count = info->kernel_count;
    return count && info->kernels[count - 1].flags & SL_KERNEL_INITIALIZES ? count - 1 : count;
}

#ifdef __cplusplus
}
#endif

#endif
