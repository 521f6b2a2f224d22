/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes on their way through the passes.
 *
 * The front end leaves one node of !sl.pipes per program-scope pipe, and calls of operations whose
 * first operand is the address of a pipe variable's element or a kernel's pipe argument
 * (operation.c lists them). declare.c reads the nodes and places the rings; element_reach.c asks
 * which elements each operation may mean, and connect.c who is joined to whom by that, before
 * anything is optimised; bounds.c whether indices are inside of their arrays; resolve.c finds the
 * ring of every operation and leaves calls of opaque functions "sl.pipe.WHAT", which no pass
 * reorders, merges or takes apart, while the kernel is split into regions; expand.c makes code of
 * those; tables.c writes the tables.
 */
#ifndef SL_KERNELS_PIPES_PIPE_H
#define SL_KERNELS_PIPES_PIPE_H

#include "ir/emit.h"
#include "pipes/stages.h"

/* A declaration: one pipe, or an array of them. */
struct sl_pipe_variable {
    char *symbol, *io, *type_name, *file; /* owned; io: NULL or not empty */
    uint32_t packet_bytes, packet_align, declared_depth, depth, flags, line;
    uint32_t rank, *dims;   /* owned */
    uint32_t count;         /* elements */
    bool contested[2];      /* an end of one of them is, by enum sl_pipe_op */
    uint32_t first_ring;    /* of the module's rings; UINT32_MAX: nobody uses it */
    uint64_t slots_offset;  /* of the first element's slots, in sl_pipe_design.slots */
    uint64_t element_bytes; /* from one element's slots to the next one's */
    uint32_t slot_count;    /* per element; a power of two */
};

/* A place in the source after inlining, with all that expansion and tables need to know. */
struct sl_pipe_place {
    const struct sl_pipe_operation *operation;
    uint32_t kernel;  /* index into sl_pass.kernels */
    int32_t variable; /* -1: an argument */
    int32_t argument; /* -1: a variable */
    int32_t element;  /* of the variable; -1: known at run time only, any of them */
    bool blocking, foreign;
    bool claims; /* whether the kernel may have this end is found out when it comes here */
    uint32_t packet_bytes, packet_align;
    uint32_t line, column;
    char *file; /* owned; NULL: unknown */
    /* Of a use: elements that it may reach, in so many bits (ir/bits.h); owned; NULL: `element`. */
    uint64_t *elements;
    bool sure; /* it does reach all of them */
};

/* Who uses a ring, by enum sl_pipe_op. */
struct sl_pipe_ends {
    int32_t kernel[2]; /* -1: nobody; of several kernels that may, the first */
    int32_t use[2];    /* of that kernel */
    bool contested[2]; /* which one of several kernels it is turns out at run time */
};

struct sl_pipe_design {
    struct sl_pipe_variable *variables; /* owned */
    uint32_t variable_count;
    struct sl_pipe_place *places; /* owned */
    uint32_t place_count;
    /* Operations on variables as the source has them: who is joined to whom. One may have several,
     * for each variable that it may mean. element_reach.c */
    struct sl_pipe_place *uses; /* owned */
    uint32_t use_count;
    struct sl_pipe_ends *ends; /* owned; per ring; connect.c */
    /* Owned; the other kernels that may have contested ends. */
    struct sl_pipe_user *others;
    uint32_t other_count;
    uint32_t ring_count;
    uint64_t slots_bytes;
    LLVMTypeRef ring_type, info_type, site_type;
    LLVMValueRef rings, slots, infos, sites; /* globals; NULL: there are none */
};

/* ---- operations: operation.c ----------------------------------------------------------------- */

enum sl_pipe_form {
    SL_PIPE_FORM_PACKET,   /* (pipe, packet) */
    SL_PIPE_FORM_RESERVED, /* (pipe, id, index, packet) */
    SL_PIPE_FORM_RESERVE,  /* (pipe, count) */
    SL_PIPE_FORM_COMMIT,   /* (pipe, id) */
    SL_PIPE_FORM_FILL,     /* (pipe): packets in it */
    SL_PIPE_FORM_CAPACITY, /* (pipe) */
    SL_PIPE_FORM_VALID,    /* (id) */
};
enum sl_pipe_wait { SL_PIPE_NEVER_WAITS, SL_PIPE_WAITS, SL_PIPE_AS_DECLARED };

struct sl_pipe_operation {
    const char *name; /* of the function that the front end calls */
    enum sl_pipe_form form;
    enum sl_pipe_op direction;
    enum sl_pipe_wait wait;
    bool collective; /* once for the work-group */
};

/* NULL: no operation on pipes. */
const struct sl_pipe_operation *sl_pipe_operation_find(const char *function);
/* All but questions about a reservation alone. */
bool sl_has_pipe_operand(const char *function);

/* The opaque calls between resolve and expand: the first operand is the ring, the last one an i32,
 * the number of the place. */
LLVMValueRef sl_pipe_emit_opaque(const struct sl_emit *, LLVMModuleRef,
                                 const struct sl_pipe_operation *, LLVMValueRef *operands,
                                 unsigned count);
bool sl_pipe_is_opaque(LLVMValueRef call);
/* One more, without operands: lets other kernels run. */
void sl_pipe_emit_yield(const struct sl_emit *, LLVMModuleRef);
bool sl_pipe_is_yield(LLVMValueRef call);
uint32_t sl_pipe_place_of(LLVMValueRef call);
/* A SL_LOOP_MARK or SL_LOOP_NEST_MARK: the clock of a kernel hears of its loops
 * (llvm/loops/counts/loop_marks.h). */
bool sl_pipe_is_loop_mark(LLVMValueRef call);
/* Of the second: how many; 0: it is none. And what is in a row, struct sl_nest_row. */
uint32_t sl_pipe_nest_rows(LLVMValueRef call);
enum sl_pipe_nest_part {
    SL_PIPE_NEST_LINE,
    SL_PIPE_NEST_COLUMN,
    SL_PIPE_NEST_ENTRIES,
    SL_PIPE_NEST_FILLED,
    SL_PIPE_NEST_ITERATIONS,
    SL_PIPE_NEST_PARTS
};
LLVMValueRef sl_pipe_nest_part(LLVMValueRef call, uint32_t row, enum sl_pipe_nest_part);
/* Of a function that is declared: it tells the clock of a kernel nothing, nor waits for other
 * work-items. */
bool sl_pipe_is_quiet(const char *callee);
/* Of a kernel: without pipes it runs as those with pipes do, for its clock, if it has such marks.
 */
#define SL_PIPE_TASK_ATTRIBUTE "sl-timed-task"
/* And without pipes it needs no marks: its clock knows all from the number of its work-items. */
#define SL_PIPE_COUNTED_ATTRIBUTE "sl-timed-counted"
/* Its work-items leave what they take by themselves (sl_kernel_info.times). The value are numbers:
 * cycles until an item is through beside its loops, and until the next one may begin; then of each
 * loop line, column, cycles between its iterations, from the begin of the last one until all have
 * run dry, and that an iteration takes from other items; three zeros if it has no iterations of its
 * own. */
#define SL_PIPE_ITEMS_ATTRIBUTE "sl-timed-items"
/* The module's kernels have a clock: what a pipe holds is asked from it. A flag of the module. */
void sl_pipe_mark_timed(LLVMModuleRef);
bool sl_pipe_is_timed(LLVMModuleRef);
/* An opaque call that is an operation: neither of these. */
bool sl_pipe_has_place(LLVMValueRef call);

/* ---- code that is made later: lent.c --------------------------------------------------------- */

/* May two codes of the program use its pipes in turns? All operations wait, and move packets, and
 * each end is one kernel's. */
bool sl_pipe_may_be_lent(const struct sl_pipe_design *);
/* Where the function names rings and slots it has their addresses from the launch. */
void sl_pipe_take_from_launch(struct sl_pass *, LLVMValueRef function, LLVMValueRef launch);

/* ---- large packets: originals.c -------------------------------------------------------------- */

/* The opaque call that has just been made, whose operand number `packet` that is: nobody writes
 * there meanwhile. */
void sl_pipe_allow_original(const struct sl_emit *, const struct sl_pipe_place *, LLVMValueRef call,
                            unsigned packet);
/* Of a kernel whose private variables are in place. */
int sl_pipe_take_originals(struct sl_pass *, LLVMValueRef kernel);

/* ---- with a clock: packet_loops.c ------------------------------------------------------------ */

/* Short loops around packets of the kernel ask to be unrolled where batches (batch.h) gain by it.
 * Its private variables are values, its operations resolved. */
void sl_pipe_unroll_packet_loops(struct sl_pass *, const struct sl_kernel_facts *);

/* ---- places: place.c ------------------------------------------------------------------------- */

/* What the call itself tells: neither variable nor argument. */
struct sl_pipe_place sl_pipe_describe(LLVMValueRef call, const struct sl_pipe_operation *,
                                      uint32_t kernel);
/* Takes `file` and `elements` over; returns the number. */
uint32_t sl_pipe_places_add(struct sl_pipe_place **, uint32_t *count, const struct sl_pipe_place *);
void sl_pipe_places_free(struct sl_pipe_place *, uint32_t count);

/* ---- declarations: declare.c ----------------------------------------------------------------- */

/* The variable whose symbol this is, or -1. */
int32_t sl_pipe_variable_find(const struct sl_pipe_design *, const char *symbol);
/* "c", "grid[2][3]"; malloc'ed. */
char *sl_pipe_element_name(const struct sl_pipe_variable *, uint32_t element);

/* ---- the parts of a ring: ring.c ------------------------------------------------------------- */

LLVMTypeRef sl_pipe_ring_type(LLVMContextRef);
LLVMValueRef sl_pipe_ring_address(struct sl_pipe_design *, const struct sl_emit *, uint32_t ring);

/* All that was allocated for it. */
void sl_pipe_design_free(struct sl_pipe_design *);

/* ---- declarations: declare.c, merge.c -------------------------------------------------------- */

void sl_pipe_variable_free(struct sl_pipe_variable *); /* what it owns */
/* An error of the build at the declaration; -1. */
int sl_pipe_refuse(struct sl_pass *, const struct sl_pipe_variable *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Makes one of all declarations of a symbol, in the order of symbols. -1: they do not fit together,
 * and why has been said. */
int sl_pipe_merge(struct sl_pass *);

#endif
