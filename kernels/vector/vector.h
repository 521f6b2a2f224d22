/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector form of a piece (items/region_copy.h): one run of its code computes `lanes` work-items that
 * follow each other in dimension 0. What is the same in all of them stays scalar; branches on which
 * they agree stay branches; where they differ, blocks run one after the other under masks.
 *
 * Order of work: plan (control flow), shape (what values look like across lanes), then emission:
 * flow (blocks, masks, loops) calls code (instructions), which calls memory, call and value.
 *
 * A value that lives longer than the blocks around it in the new order (out of a loop whose lanes
 * leave at different times, out of a block that is skipped when no lane wants it) goes through a
 * variable; mem2reg makes phis of these.
 */
#ifndef SL_KERNELS_VECTOR_H
#define SL_KERNELS_VECTOR_H

#include "ir/bits.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "items/region_copy.h"
#include "vector/cost/target.h"

/* ---- control_flow.c: the piece's control flow ------------------------------------------------------- */

struct sl_vector_edge {
    uint32_t from, to; /* numbers of blocks; plan->count: the piece ends here */
    LLVMBasicBlockRef
        target;         /* the kernel's block, a divider's if the piece ends there; NULL: return */
    uint32_t successor; /* which one of the terminator */
    LLVMValueRef mask;  /* while emitting: variable that holds the lanes that take it; NULL: none */
};

struct sl_vector_block {
    LLVMBasicBlockRef ref;
    uint32_t *out, *in; /* numbers of edges, owned; in the order of successors */
    uint32_t out_count, in_count;
    uint32_t idom, ipdom; /* idom of the first is itself; ipdom count: the end */
    uint32_t loop;        /* innermost, 1 + index; 0: none */
    bool divergent;       /* lanes may leave it by different edges */
    uint64_t *influence;  /* of a divergent one: blocks that some lanes may pass by; owned */
};

struct sl_vector_loop {
    uint32_t header, parent; /* parent: 1 + index, 0: none */
    uint64_t *blocks;        /* owned */
    bool divergent;          /* lanes may leave it at different times */
};

struct sl_vector_plan {
    struct sl_vector_block *blocks; /* owned; [0] is where the piece starts; reverse post-order */
    uint32_t count;
    size_t words;                 /* of a row of bits for all blocks and the end */
    struct sl_vector_edge *edges; /* owned */
    uint32_t edge_count;
    struct sl_vector_loop *loops; /* owned; outer ones before inner ones */
    uint32_t loop_count;
    struct sl_map numbers; /* kernel's block -> 1 + number */
    uint64_t *joins;       /* blocks whose phis differ between lanes because paths do */
    uint32_t obstacle;     /* the block where it turned out that there is no vector form */
};

/* Which block is behind an edge of the kernel: NULL means that the piece ends. */
typedef LLVMBasicBlockRef (*sl_vector_inside_fn)(LLVMBasicBlockRef, void *data);

/* -1: control flow that has no vector form. */
int sl_vector_plan_init(struct sl_vector_plan *, LLVMBasicBlockRef *blocks, uint32_t count,
                        sl_vector_inside_fn inside, void *data);
void sl_vector_plan_finish(struct sl_vector_plan *);
/* What that block ends with, for remarks. */
LLVMValueRef sl_vector_plan_obstacle(const struct sl_vector_plan *);
/* Lanes differ at the end of this block; true if that is news. */
bool sl_vector_plan_diverge(struct sl_vector_plan *, uint32_t block);
/* Some lanes may, while others run it. */
bool sl_vector_may_pass_by(const struct sl_vector_plan *, uint32_t block);
uint32_t sl_vector_number(const struct sl_vector_plan *, LLVMBasicBlockRef);
bool sl_vector_loop_has(const struct sl_vector_plan *, uint32_t loop, uint32_t block);

/* ---- shape.c: values across lanes ----------------------------------------------------------- */

enum sl_shape_kind {
    SL_SHAPE_NONE,    /* not computed so far */
    SL_SHAPE_UNIFORM, /* the same in all active lanes */
    SL_SHAPE_LINEAR,  /* lane 0's plus lane times stride, modulo the width */
    SL_SHAPE_VARYING,
};

struct sl_shape {
    enum sl_shape_kind kind;
    int64_t stride; /* bytes for pointers */
    bool nsw, nuw;  /* linear integers: also as signed / unsigned numbers, not just modulo */
};

#define SL_VECTOR_MOST_PARTS 16 /* elements of an OpenCL vector, fields of a struct */

struct sl_vector;
void sl_vector_find_shapes(struct sl_vector *);
struct sl_shape sl_vector_shape(const struct sl_vector *, LLVMValueRef);
/* As a user in `block` sees it: values of loops that lanes leave at different times vary outside.
 */
struct sl_shape sl_vector_shape_at(const struct sl_vector *, LLVMValueRef, uint32_t block);

/* ---- the piece being emitted ---------------------------------------------------------------- */

struct sl_vector_value {
    struct sl_shape shape;
    uint32_t block;      /* that defines it; plan.count: before the piece */
    LLVMValueRef scalar; /* uniform: the value; linear: lane 0's */
    LLVMValueRef *parts; /* varying: one vector of lanes per element; owned */
    uint32_t part_count;
    LLVMValueRef *cells; /* variables that keep it for later blocks, instead; owned */
    LLVMTypeRef *cell_types;
    bool cell_scalar; /* one cell with `scalar` */
    bool in_cells;    /* only there: outside of the block or loop that made it */
    bool interleaved; /* interleaved.h: its one part has all elements as memory would */
};

#define SL_VECTOR_MOST_DECIDED 8
/* Conditions that all items meet, or none does. */
struct sl_vector_decided {
    struct {
        LLVMValueRef condition;
        bool is;
    } items[SL_VECTOR_MOST_DECIDED];
    uint32_t count;
};

struct sl_vector {
    struct sl_group_function *g;
    const struct sl_vector_target *target;
    struct sl_vector_plan plan;
    uint32_t lanes;
    struct sl_map values; /* kernel's value -> struct sl_vector_value; owned */
    LLVMBuilderRef top;   /* where values of the prologue go: dominates all that follows */
    LLVMValueRef mask;    /* lanes that run the current block */
    LLVMValueRef entry_mask;
    bool packed;    /* the items are no neighbours of each other */
    uint32_t block; /* the kernel's block whose code is being emitted */
    struct sl_vector_decided decided;
    /* from the owner, for what is not of the piece */
    LLVMValueRef (*place)(void *data, LLVMValueRef value); /* NULL: none */
    void *data;
    struct sl_map *variables; /* kernel's alloca -> struct sl_vector_variable */
    struct sl_map wholes;     /* memory_order.c: kernel's load -> variable: all lanes' in memory's order */
    struct sl_map delayed;    /* record.c: store -> the stores that it is made with */
    struct sl_list records;   /* these; owned */
    struct sl_map walks;      /* row_walks.c: load -> how many turns of its loop at once */
    struct sl_map arrays;     /* kernel's pointer -> struct sl_vector_array it is into */
    struct sl_list array_list;   /* these; owned */
    struct sl_list slots;        /* serial.c: memory for one vector each; owned */
    const struct sl_map *by_row; /* unroll_rows.c, while it asks: values of which there are `rows` */
    uint32_t rows;
};

/* A private variable of the kernel. */
struct sl_vector_variable {
    LLVMTypeRef type;    /* scalar: what one item holds */
    LLVMValueRef *cells; /* scalar: per element, a vector of lanes; or one uniform; owned */
    uint32_t cell_count;
    LLVMValueRef memory; /* array: of the first lane */
    uint64_t stride;     /* array: bytes from lane to lane */
    bool uniform;        /* scalar: the same in all items */
    bool kept;           /* array: for behind a barrier, item after item */
};

/* A private array laid out by lane. */
struct sl_vector_array {
    LLVMValueRef variable; /* the kernel's */
    uint32_t element;      /* bytes */
    uint64_t bytes;        /* of one item */
};

/* Frees the plan and the values. */
void sl_vector_finish(struct sl_vector *);
/* shape.c; false: there is no room for one more. */
bool sl_vector_decide(struct sl_vector_decided *, LLVMValueRef condition, bool is);
bool sl_vector_is_decided(const struct sl_vector *, LLVMValueRef condition, bool *is);
/* choice.c: bytes of a private variable; cost.c: what an instruction costs. */
uint64_t sl_vector_array_bytes(const struct sl_pass *, LLVMValueRef variable);
uint64_t sl_vector_cost(const struct sl_vector *, LLVMValueRef, uint32_t block);
/* What it costs to get from memory's order to the lanes', or back. */
uint64_t sl_vector_regrouping(const struct sl_vector *, LLVMTypeRef);

/* pressure.c: registers that a block needs at once. */
uint32_t sl_vector_pressure(const struct sl_vector *, uint32_t block);
/* lanes.c: not more lanes than registers bear; how many registers per value are of use. */
uint32_t sl_vector_fit_lanes(struct sl_vector *);
uint32_t sl_vector_fill_registers(struct sl_vector *);
/* The loop that does even so, NULL: none; LLVM's vectoriser, which turns such loops inside out,
 * does better. */
const struct sl_vector_loop *sl_vector_waiting_loop(const struct sl_vector *, uint32_t times);
/* Would so many lanes have long rows and find registers? */
bool sl_vector_has_room(struct sl_vector *, uint32_t lanes);
/* recurrence.c: registers per value with which a loop waits less for itself, of mask machines. */
uint32_t sl_vector_fill_chain(struct sl_vector *);

/* value.c */
struct sl_vector_value *sl_vector_value(struct sl_vector *, LLVMValueRef);
uint32_t sl_vector_part_count(LLVMTypeRef); /* elements of a vector or struct type, else 1 */
LLVMTypeRef sl_vector_part_type(LLVMTypeRef, uint32_t part);
uint32_t sl_vector_part_bits(LLVMTypeRef); /* integers, floats, doubles; of others 0 */
LLVMTypeRef sl_vector_wide_type(const struct sl_vector *, LLVMTypeRef element);
LLVMValueRef sl_vector_scalar(struct sl_vector *, LLVMValueRef); /* uniform, or lane 0's */
LLVMValueRef sl_vector_part(struct sl_vector *, LLVMValueRef, uint32_t part);
LLVMValueRef sl_vector_splat(struct sl_vector *, LLVMValueRef scalar);
LLVMValueRef sl_vector_splat_to(struct sl_vector *, LLVMValueRef scalar, uint32_t count);
LLVMValueRef sl_vector_iota(struct sl_vector *, LLVMTypeRef integer, int64_t stride);
LLVMValueRef sl_vector_lane(struct sl_vector *, LLVMValueRef value, LLVMValueRef lane);
LLVMValueRef sl_vector_any(struct sl_vector *, LLVMValueRef mask);
LLVMValueRef sl_vector_all(struct sl_vector *, LLVMValueRef mask);
bool sl_vector_all_run(struct sl_vector *); /* as is known here: v->mask has all lanes */
void sl_vector_set_scalar(struct sl_vector *, LLVMValueRef, LLVMValueRef now);
void sl_vector_set_part(struct sl_vector *, LLVMValueRef, uint32_t part, LLVMValueRef now);
/* The vectors that a value is kept in: its parts, or the one of an interleaved value. The last
 * ones: how a value, or a mask of items, is kept where it becomes `like`. */
uint32_t sl_vector_kept_count(struct sl_vector *, LLVMValueRef);
LLVMTypeRef sl_vector_kept_type(struct sl_vector *, LLVMValueRef, uint32_t k);
LLVMValueRef sl_vector_kept(struct sl_vector *, LLVMValueRef, LLVMValueRef like, uint32_t k);
LLVMValueRef sl_vector_kept_mask(struct sl_vector *, LLVMValueRef mask, LLVMValueRef like);
/* From here on the value is read from variables, which hold what it is now (if it is). */
void sl_vector_make_cells(struct sl_vector *, LLVMValueRef, bool wide);
void sl_vector_store_cells(struct sl_vector *, LLVMValueRef);

/* instruction.c: one instruction that is no phi and no terminator, under v->mask. */
void sl_vector_emit_instruction(struct sl_vector *, LLVMValueRef);
/* Nothing is done for it. */
bool sl_vector_is_idle(LLVMValueRef);
/* Must not run when no lane is active. */
bool sl_vector_needs_lanes(const struct sl_vector *, LLVMValueRef);
/* serial.c */
void sl_vector_remark(struct sl_vector *, LLVMValueRef, const char *how);
void sl_vector_emit_serially(struct sl_vector *, LLVMValueRef);
/* An update of memory whose old value nobody wants, at a place of each lane's own: of a few lanes
 * one after the other without a loop. */
bool sl_vector_is_update(const struct sl_vector *, LLVMValueRef, uint32_t block);
LLVMValueRef sl_vector_intrinsic(struct sl_vector *, const char *name, LLVMTypeRef *types,
                                 size_t type_count, LLVMValueRef *args, unsigned count);
/* combined_atomics.c: an atomic of all lanes at one address, as one. */
bool sl_vector_can_combine(const struct sl_vector *, LLVMValueRef, uint32_t block);
bool sl_vector_emit_combined(struct sl_vector *, LLVMValueRef); /* false: not made */
/* element.c: of instructions whose result has so many parts. */
bool sl_vector_is_division(LLVMValueRef); /* of integers, or a remainder */
void sl_vector_emit_division(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_extract(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_insert(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_shuffle(struct sl_vector *, LLVMValueRef, uint32_t count);
void sl_vector_emit_field(struct sl_vector *, LLVMValueRef, uint32_t count);
void sl_vector_emit_regroup(struct sl_vector *, LLVMValueRef bitcast, uint32_t count);
/* Parts as they lie in memory, element after element, item after item; its parts; one of them. */
LLVMValueRef sl_vector_interleave(struct sl_vector *, LLVMValueRef *parts, uint32_t count);
void sl_vector_deinterleave(struct sl_vector *, LLVMValueRef all, uint32_t count,
                            LLVMValueRef *parts);
LLVMValueRef sl_vector_every(struct sl_vector *, LLVMValueRef all, uint32_t step, uint32_t first);
/* quads.c: the same in fewer instructions, for what has them. */
bool sl_vector_has_quads(const struct sl_vector *, LLVMTypeRef element, uint32_t count);
void sl_vector_load_quads(struct sl_vector *, LLVMValueRef all, uint32_t count,
                          LLVMValueRef *parts);
LLVMValueRef sl_vector_store_quads(struct sl_vector *, LLVMValueRef *parts, uint32_t count);
/* Four words of each item, an item each. */
void sl_vector_transpose_quads(struct sl_vector *, const LLVMValueRef *items,
                               LLVMValueRef parts[4]);
/* memory_order.c: what was loaded, in memory's order; what is to be stored, NULL: from its parts. What is
 * read from an image is only stored, as memory has it, or meets others on its way there. */
void sl_vector_keep_whole(struct sl_vector *, LLVMValueRef load, LLVMValueRef all);
LLVMValueRef sl_vector_whole(struct sl_vector *, LLVMValueRef store);
bool sl_vector_wants_whole(const struct sl_vector *, LLVMValueRef read);
/* packed.c: an integer as large as a vector of small elements; NULL: there is none. Between both
 * for all lanes. */
LLVMTypeRef sl_vector_packed_type(LLVMTypeRef);
void sl_vector_unpack(struct sl_vector *, LLVMValueRef numbers, LLVMTypeRef, LLVMValueRef *parts);
LLVMValueRef sl_vector_pack(struct sl_vector *, LLVMValueRef *parts, LLVMTypeRef);
/* memory.c */
struct sl_vector_access {
    LLVMTypeRef type;  /* of one item's value */
    LLVMValueRef base; /* lane 0's address */
    int64_t stride;    /* bytes from lane to lane */
    uint32_t align;
    LLVMValueRef like; /* the access in the kernel, for its metadata; NULL: none */
    LLVMValueRef all;  /* what to store in memory's order; NULL: it is made from the parts */
};
bool sl_vector_can_access(LLVMTypeRef);
/* A number or pointer a vector of which lies in memory as an array does. */
bool sl_vector_has_bytes(LLVMTypeRef);
/* Of neighbours, in memory's order. */
LLVMValueRef sl_vector_load_all(struct sl_vector *, const struct sl_vector_access *);
/* What was loaded, in memory's order, where parts were made from that; else NULL. */
LLVMValueRef sl_vector_load_linear(struct sl_vector *, const struct sl_vector_access *,
                                   LLVMValueRef *parts);
void sl_vector_store_linear(struct sl_vector *, const struct sl_vector_access *,
                            LLVMValueRef *parts);
/* Each bit `count` times. */
LLVMValueRef sl_vector_repeat_mask(struct sl_vector *, LLVMValueRef mask, uint32_t count);
void sl_vector_emit_load(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_store(struct sl_vector *, LLVMValueRef);
/* gather.c: lane by lane from or to these addresses; one part of them */
void sl_vector_gather(struct sl_vector *, LLVMValueRef load, LLVMValueRef from,
                      LLVMValueRef *parts);
void sl_vector_scatter(struct sl_vector *, LLVMValueRef store, LLVMValueRef to,
                       LLVMValueRef *parts);
/* Items of an OpenCL vector each, in memory's order. */
LLVMValueRef sl_vector_gather_all(struct sl_vector *, LLVMValueRef load, LLVMValueRef from);
LLVMValueRef sl_vector_gather_part(struct sl_vector *, LLVMTypeRef element, LLVMValueRef from,
                                   uint32_t align, LLVMValueRef like);
void sl_vector_gather_parts(struct sl_vector *, LLVMTypeRef, LLVMValueRef from, uint32_t align,
                            LLVMValueRef like, LLVMValueRef *parts);
/* Words that are so many bytes behind each lane's address. */
void sl_vector_gather_words(struct sl_vector *, LLVMValueRef from, int64_t offset, uint32_t count,
                            LLVMValueRef *words);
/* False: it is no vector of small elements. */
bool sl_vector_scatter_packed(struct sl_vector *, LLVMTypeRef, LLVMValueRef to, uint32_t align,
                              LLVMValueRef like, LLVMValueRef *parts);
void sl_vector_scatter_part(struct sl_vector *, LLVMValueRef part, LLVMValueRef to, uint32_t align,
                            LLVMValueRef like);
LLVMValueRef sl_vector_load_in_turn(struct sl_vector *, LLVMTypeRef element, LLVMValueRef from);
void sl_vector_store_in_turn(struct sl_vector *, LLVMValueRef part, LLVMValueRef to);
LLVMValueRef sl_vector_part_places(struct sl_vector *, LLVMValueRef places, uint64_t offset);
/* slow_return.c: what the loop's last turn scattered may come back by this load. */
bool sl_vector_waits_for_scatter(const struct sl_vector *, LLVMValueRef load, uint32_t block);
/* row_walks.c: loads of loops that are worth several turns at once. Marks these loops; were there any?
 * Unrolls what is marked; false: nothing has changed. */
void sl_vector_find_walks(struct sl_vector *);
bool sl_vector_mark_walks(struct sl_vector *);
bool sl_vector_unroll_walks(struct sl_pass *, const struct sl_kernel_facts *);
/* span.c: what lanes would gather, in words or less. */
bool sl_vector_is_gathered(const struct sl_vector *, LLVMValueRef load, uint32_t block);
/* Nothing in it is stored. */
bool sl_vector_is_quiet_block(LLVMBasicBlockRef);
/* Loads whose bytes lie side by side in each item, together. False: made by itself. */
bool sl_vector_load_span(struct sl_vector *, LLVMValueRef load);
bool sl_vector_is_in_span(const struct sl_vector *, LLVMValueRef load, uint32_t block);
/* lane_address.c: addresses of all lanes, as few instructions as there may be */
void sl_vector_lane_addresses(struct sl_vector *, LLVMValueRef addresses, LLVMValueRef mask,
                              LLVMValueRef *each);
/* How far lanes are from lane `first`; nothing in particular where that one does not run. */
struct sl_vector_distances {
    LLVMValueRef base;    /* that lane's address */
    LLVMValueRef numbers; /* of each lane, integers without a sign */
    uint64_t scale;       /* bytes that one of them stands for */
    LLVMValueRef sure;    /* i1: numbers up to `most` are right; NULL: they are */
};
void sl_vector_lane_distances(struct sl_vector *, LLVMValueRef addresses, uint32_t first,
                              uint64_t most, struct sl_vector_distances *);
/* window.c: loads of elements that are most likely close to each other. False: it is none. */
bool sl_vector_has_window(const struct sl_vector *, LLVMValueRef load, uint32_t block);
/* Rather than by guess: of a tile in local memory, most vectors of which meet the bounds that its
 * neighbours are kept between. */
bool sl_vector_prefers_window(const struct sl_vector *, LLVMValueRef load, uint32_t block);
bool sl_vector_load_window(struct sl_vector *, LLVMValueRef load, LLVMValueRef *parts);
/* arrays.c: private arrays laid out by lane, before shapes are found */
void sl_vector_find_arrays(struct sl_vector *);
uint64_t sl_vector_arrays_bytes(const struct sl_vector *); /* of one item */
const struct sl_vector_array *sl_vector_array(const struct sl_vector *, LLVMValueRef pointer);
/* Fills and copies of such arrays become loads and stores of elements, in the kernel. */
void sl_vector_expand_copies(const struct sl_pass *, LLVMValueRef kernel);
/* array_copy.c */
bool sl_vector_can_expand(LLVMValueRef call);
void sl_vector_expand_copy(LLVMValueRef call, uint64_t element);
/* array_access.c */
void sl_vector_emit_place(struct sl_vector *, LLVMValueRef gep);
void sl_vector_load_element(struct sl_vector *, LLVMValueRef load, LLVMValueRef *parts);
void sl_vector_store_element(struct sl_vector *, LLVMValueRef store, LLVMValueRef *parts);
/* record.c: elements in equal steps, several fields at once. False, or 0: there are none. */
uint32_t sl_vector_record_length(const struct sl_vector *, LLVMValueRef access, uint32_t block);
bool sl_vector_load_record(struct sl_vector *, LLVMValueRef load);
bool sl_vector_store_record(struct sl_vector *, LLVMValueRef store);
/* speculative_stride.c: addresses that vary in these steps unless a number on the way wraps around */
bool sl_vector_guess_stride(const struct sl_vector *, LLVMValueRef pointer, uint32_t block,
                            int64_t *stride);
/* Lane 0's address, and whether all lanes' follow from it. */
LLVMValueRef sl_vector_guess_base(struct sl_vector *, LLVMValueRef pointer, LLVMValueRef *sure);
/* speculative_access.c: both forms of an access, and the question between them; false: not made */
bool sl_vector_guess_pays(const struct sl_vector *, LLVMValueRef access, uint32_t block);
bool sl_vector_load_by_guess(struct sl_vector *, LLVMValueRef load, LLVMValueRef *parts);
bool sl_vector_store_by_guess(struct sl_vector *, LLVMValueRef store, LLVMValueRef *parts);
/* some_lanes.c: items that lie side by side, for machines that cannot mask lanes of any width. */
LLVMValueRef sl_vector_load_some(struct sl_vector *, LLVMTypeRef wide, LLVMValueRef at,
                                 LLVMValueRef mask, uint32_t align, LLVMValueRef like);
void sl_vector_store_some(struct sl_vector *, LLVMValueRef value, LLVMValueRef at,
                          LLVMValueRef mask, uint32_t align, LLVMValueRef like);
/* saturate.c: llvm.fptosi.sat or llvm.fptoui.sat to integers of 8, 16, 32 or 64 bits. */
LLVMValueRef sl_vector_saturate(struct sl_vector *, LLVMValueRef x, LLVMTypeRef element, bool sign);
/* call.c */
bool sl_vector_is_lanewise_call(LLVMValueRef);
/* Element by element alike, whatever their number: such a call on other arguments. */
bool sl_vector_is_elementwise_call(LLVMValueRef);
LLVMValueRef sl_vector_elementwise_call(struct sl_vector *, LLVMValueRef call, LLVMValueRef *args);
void sl_vector_emit_call(struct sl_vector *, LLVMValueRef);

/* builtin.c */
bool sl_vector_is_builtin(LLVMValueRef call);
void sl_vector_emit_builtin(struct sl_vector *, LLVMValueRef call);
/* `count` elements of a vector from the given one on, beyond its end anything; and the inverse:
 * `count` lanes out of vectors, which it changes. */
LLVMValueRef sl_vector_elements(struct sl_vector *, LLVMValueRef, uint32_t from, uint32_t count);
LLVMValueRef sl_vector_joined(struct sl_vector *, LLVMValueRef *vectors, uint32_t count);
/* rare.c: builtins for rare arguments that have a version for these lanes */
bool sl_vector_is_rare(const struct sl_vector *, LLVMValueRef call);
void sl_vector_emit_rare(struct sl_vector *, LLVMValueRef call);
/* image.c: reads and writes of images, which have versions for several items (image.h) */
bool sl_vector_is_image_read(LLVMValueRef call);
uint64_t sl_vector_image_cost(const struct sl_vector *, LLVMValueRef call, uint64_t *scalar);
bool sl_vector_has_image_form(const struct sl_vector *, LLVMValueRef call, uint32_t block);
void sl_vector_emit_image(struct sl_vector *, LLVMValueRef call);
/* flow.c: all blocks; `leave` is where edges out of the piece end up, one that all lanes take and
 * whose mask is NULL, or several with masks, with the builder there. */
typedef void (*sl_vector_leave_fn)(struct sl_vector *, const uint32_t *edges, uint32_t count,
                                   void *data);
void sl_vector_emit_flow(struct sl_vector *, sl_vector_leave_fn leave, void *data);
/* flow_check.c: a branch both of whose ways lead to barriers, one of them for sure, and to
 * different ones. All items of a group come to a barrier or none does (OpenCL C 6.15.8): whatever
 * it asks, they agree. */
bool sl_vector_meets_barriers(const struct sl_vector *, uint32_t block);
/* With shapes. Branches on which lanes agree may become some where they part, and
 * values differ behind them, so that there is a vector form; false: there is none even so. */
bool sl_vector_settle_flow(struct sl_vector *);
/* compaction.c: lanes of a mask go side by side behind what is packed already. */
struct sl_vector_column {
    LLVMValueRef value; /* a vector of lanes */
    LLVMValueRef array; /* of its elements */
    uint32_t align;     /* of each */
};
void sl_vector_pack_lanes(struct sl_vector *, LLVMValueRef mask,
                          const struct sl_vector_column *columns, uint32_t count);
/* guard.c: only some of a row's items, the first ones or a single one, do anything in the piece. */
#define SL_VECTOR_MOST_LIMITS 8
struct sl_vector_limit {
    LLVMValueRef id, limit; /* items run if id < limit; id NULL: they do if `limit` is `runs_if` */
    bool sign, inclusive, runs_if;
    bool least;   /* those below it do not run, instead of those from it on */
    bool equal;   /* the one runs whose id is `limit`; there is no other condition then */
    bool unequal; /* of those before and those behind the one whose id it is, the more run */
};
struct sl_vector_clip {
    LLVMValueRef condition; /* of the branch at the piece's beginning */
    bool runs_if;           /* what it is for items that run */
    struct sl_vector_limit limits[SL_VECTOR_MOST_LIMITS];
    uint32_t limit_count;
    bool partly;           /* not all items that run need meet them: a run of them is enough */
    bool begins_late;      /* some of them are least ones */
    LLVMBasicBlockRef end; /* where the piece ends, in either case; NULL: return */
};
bool sl_vector_find_clip(const struct sl_vector *, struct sl_vector_clip *);
/* A kernel with barriers whose items beyond a limit return before they do anything: the branch
 * vanishes, and what it said is returned, to be freed. NULL: there is no such branch. */
struct sl_vector_clip *sl_vector_take_leave(struct sl_cut *);
/* How many items of the row stay then (g->leave), an i64. */
LLVMValueRef sl_vector_stay_count(struct sl_group_function *, const struct sl_rows *);
/* The items that run are those that take one way at a branch, wherever in the piece; the others
 * take the other one. */
bool sl_vector_find_split(const struct sl_vector *, struct sl_vector_clip *);
/* Limits of items that take the same way at the end of a block, the one that more are thought to
 * take; they need not be all that do. False: the branch asks for something else. */
bool sl_vector_find_side(const struct sl_vector *, uint32_t block, struct sl_vector_clip *);
/* How many items of the row run, an i64, and how many before them do not. */
LLVMValueRef sl_vector_clip_count(const struct sl_vector *, const struct sl_vector_clip *,
                                  const struct sl_piece *, const struct sl_rows *,
                                  LLVMValueRef *first);
/* The same, also of limits that are asked for in the middle of the piece. */
LLVMValueRef sl_vector_clip_run(const struct sl_vector *, const struct sl_vector_clip *,
                                const struct sl_piece *, const struct sl_rows *,
                                LLVMValueRef *first);
/* remainder.c: code that is left out if a == b; the builder goes there, and then behind it. */
LLVMBasicBlockRef sl_vector_enter_unless(struct sl_group_function *, LLVMValueRef a, LLVMValueRef b,
                                         const char *name);
void sl_vector_leave_to(struct sl_group_function *, LLVMBasicBlockRef end);
/* remainder.c: how the loops of a piece that has several ended; the one that ran last decides. */
struct sl_vector_outcome {
    struct sl_group_function *g;
    LLVMValueRef next, *after; /* variables; after: per slot, NULL if not written, owned */
};
void sl_vector_outcome_open(struct sl_vector_outcome *, struct sl_group_function *);
void sl_vector_outcome_note(struct sl_vector_outcome *, const struct sl_piece *);
void sl_vector_outcome_recall(const struct sl_vector_outcome *, struct sl_piece *);
/* The items of a row in full vectors, without a mask: those up to `end` that no part before them
 * has, a multiple of the lanes. The last one's is what sl_rows_in_vectors gives; the rest of
 * the row runs under a mask, or in turn. What they do is joined in the piece given, which may be
 * that of the only part. */
struct sl_vector_part {
    uint32_t lanes;
    LLVMValueRef end;
    sl_item_body_fn body;
    void *data;
    struct sl_piece *piece; /* whose results are there behind the body */
};
void sl_vector_emit_parts(struct sl_piece *, struct sl_vector_outcome *, const struct sl_rows *,
                          const struct sl_vector_part *parts, uint32_t count);
/* The items of a row from `done` on, if any: what fills no vector, of the narrowest ones. */
void sl_vector_emit_rest(struct sl_vector_outcome *, struct sl_piece *, const struct sl_rows *,
                         LLVMValueRef done, uint32_t narrowest);
/* unroll_rows.c: how many rows of dimension 1 the piece takes in step: 1, or a power of two. */
uint32_t sl_vector_rows_in_step(struct sl_vector *);
/* Not more registers per value than that several rows have room, if they ever do. */
uint32_t sl_vector_leave_room_for_rows(struct sl_vector *, uint32_t times);
/* rows_jammed.c: code in front of a row's, which does several ones from this one on if there are so
 * many and they have as many items each. */
struct sl_vector_in_step {
    struct sl_group_function *g;
    uint32_t count; /* rows */
    bool differ;    /* in the number of items */
    /* How many items of the row are done in step, an i64; and the code for so many, one at least.
     */
    LLVMValueRef (*items)(const struct sl_rows *, void *data);
    void (*emit)(const struct sl_rows *, LLVMValueRef items, void *data);
    void *data;
};
/* Sets rows->ahead. */
void sl_vector_emit_in_step(const struct sl_vector_in_step *, struct sl_rows *rows);
void sl_vector_add_way(struct sl_piece *, int32_t next);
void sl_vector_add_ways(struct sl_piece *, const struct sl_piece *part);
/* region_loops.c: the piece once more, planned anew, with a mask. */
void sl_vector_piece_emit_masked(struct sl_piece *, const struct sl_rows *);

#endif
