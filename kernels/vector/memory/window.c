/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads whose lanes are close to each other, but no neighbours: `id / 2`, `id & ~1`, as of colours
 * that pixels share and of numbers that are packed into bytes; `min(id + 1, last)` of a tile. A
 * register's bytes from the first lane's address on are loaded, a window, and lanes take their
 * elements of it. That the index is made of an id so only says that this is likely: the code asks
 * whether all elements are in the window, and gathers if not. No byte is loaded of another page
 * than the first lane's, so that all can be read if that lane's can. No shared state.
 */
#include "vector/memory/window.h"

#include "ir/map.h"
#include "items/work_item.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/speculative_stride.h"
#include "vector/memory/gather.h"
#include "vector/memory/lane_address.h"
#include "vector/memory/memory.h"
#include "vector/memory/speculative_access.h"
#include "vector/operations/builtin.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>

enum { WINDOW = 64 /* bytes */, PAGE = 4096 /* bytes, the least there are */ };

/* ---- which loads ----------------------------------------------------------------------------- */

static uint64_t size_of(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
}

/* Lanes that share a window. Bytes are found by the shorts that they are in. */
static uint32_t lanes_of_window(uint64_t size)
{
    return size == 1 ? WINDOW / 2 : (uint32_t)(WINDOW / size);
}

struct reach {
    struct sl_speculation g;
    struct sl_affine along;
    uint32_t lanes;
    bool bound; /* out: the index may have met one on the way */
};

static bool find_reach(struct reach *r, LLVMValueRef value, unsigned depth, uint64_t *far);

static bool find_operand(struct reach *r, LLVMValueRef i, unsigned k, unsigned depth, uint64_t *far)
{
    return find_reach(r, LLVMGetOperand(i, k), depth - 1, far);
}

static bool reach_of_binary(struct reach *r, LLVMValueRef i, unsigned depth, uint64_t *far)
{
    uint64_t other, by = 0, all = sl_affine_ones(LLVMTypeOf(i));
    bool constant = sl_affine_is_constant(LLVMGetOperand(i, 1), &by);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
    if (!find_operand(r, i, 0, depth, far))
        return false;
    by = constant && shift ? by < WINDOW ? UINT64_C(1) << by : 0 : by;
    switch (op) {
    case LLVMAdd:
        *far += find_operand(r, i, 1, depth, &other) ? other : WINDOW;
        return true;
    case LLVMSub:
        return sl_affine_is_same(&r->along, LLVMGetOperand(i, 1));
    case LLVMAnd:
        return constant && sl_affine_is_low_mask(~by & all);
    case LLVMOr:
        return constant && sl_affine_is_low_mask(by);
    case LLVMMul:
    case LLVMShl:
        *far *= by;
        return constant && by && by <= WINDOW;
    default:
        *far = by ? (*far + by - 1) / by : 0;
        return constant && by;
    }
}

static bool reach_of_address(struct reach *r, LLVMValueRef i, unsigned depth, uint64_t *far)
{
    uint64_t elements;
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(r->g.v->g->pass->module),
                                      LLVMGetGEPSourceElementType(i));
    for (int k = 2; k < LLVMGetNumOperands(i); k++)
        if (!sl_affine_is_same(&r->along, LLVMGetOperand(i, k)))
            return false;
    if (size > WINDOW || !find_operand(r, i, 0, depth, far) ||
        !find_operand(r, i, 1, depth, &elements))
        return false;
    *far += elements * size;
    return true;
}

/* A minimum or a maximum keeps lanes as they are, or closer to each other. */
static bool reach_of_bound(struct reach *r, LLVMValueRef call, unsigned depth, uint64_t *far)
{
    struct sl_affine_bound bound;
    r->bound = true;
    return sl_affine_read_bound(&r->along, call, &bound) && !bound.zero &&
           find_operand(r, call, 1 - bound.same, depth, far);
}

/* How far the last lane of a window most likely is from the first one: bytes, or a number. */
static bool find_reach(struct reach *r, LLVMValueRef value, unsigned depth, uint64_t *far)
{
    struct sl_shape shape = sl_vector_shape_at(r->g.v, value, r->g.block);
    int64_t stride = shape.kind == SL_SHAPE_LINEAR ? shape.stride : 0;
    *far = (uint64_t)stride * (r->lanes - 1);
    if (shape.kind != SL_SHAPE_VARYING)
        return stride >= 0 && stride <= WINDOW;
    if (!depth || !LLVMIsAInstruction(value))
        return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
        return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
               reach_of_binary(r, value, depth, far);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return find_operand(r, value, 0, depth, far);
    case LLVMGetElementPtr:
        return reach_of_address(r, value, depth, far);
    case LLVMCall:
        return reach_of_bound(r, value, depth, far);
    default:
        return false;
    }
}

static bool find_window(const struct sl_vector_facts *v, LLVMValueRef load, uint32_t block,
                        bool *bound)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t far, size = size_of(v, type);
    bool number = kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
                  kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    if (!v->target->mask_registers || !number || !sl_vector_can_access(type) ||
        LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
        LLVMGetAlignment(load) < size || sl_vector_array(v, pointer) ||
        sl_map_get(v->variables, pointer) ||
        sl_vector_shape_at(v, pointer, block).kind != SL_SHAPE_VARYING)
        return false;
    uint32_t most = lanes_of_window(size);
    struct reach r = {.g = {v, block}, .lanes = v->lanes < most ? v->lanes : most};
    r.along = sl_speculative_affine(&r.g, NULL);
    bool found = find_reach(&r, pointer, SL_SPECULATIVE_DEEPEST, &far) && far + size <= WINDOW;
    sl_affine_finish(&r.along);
    *bound = r.bound;
    return found;
}

static bool is_in_local_memory(const struct sl_vector_facts *v, LLVMValueRef pointer)
{
    const struct sl_kernel_facts *facts = v->g->facts;
    LLVMValueRef base = sl_address_base(pointer);
    enum sl_wi what;
    unsigned dim;
    for (uint32_t k = 0; LLVMIsAArgument(base) && k < facts->arg_count; k++)
        if (LLVMGetParam(facts->kernel, k) == base)
            return facts->args[k].kind == SL_ARG_LOCAL;
    return sl_wi_parse(base, &what, &dim) && what == SL_WI_LOCAL_BASE;
}

bool sl_vector_prefers_window(const struct sl_vector_facts *v, LLVMValueRef load, uint32_t block)
{
    bool bound;
    return LLVMIsALoadInst(load) && is_in_local_memory(v, LLVMGetOperand(load, 0)) &&
           find_window(v, load, block, &bound) && bound;
}

bool sl_vector_has_window(const struct sl_vector_facts *v, LLVMValueRef load, uint32_t block)
{
    bool bound;
    return find_window(v, load, block, &bound) &&
           ((bound && is_in_local_memory(v, LLVMGetOperand(load, 0))) ||
            !sl_vector_speculation_pays(v, load, block));
}

/* ---- one window ------------------------------------------------------------------------------ */

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

struct window {
    struct sl_vector_distances lanes;
    LLVMValueRef runs; /* i1: the first lane does; NULL: of course */
    LLVMValueRef room; /* i64: bytes that are loaded if it does, from 1 to WINDOW */
};

static struct window open_window(struct sl_vector *v, LLVMValueRef addresses, uint32_t first)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    struct window w = {0};
    sl_vector_lane_distances(v, addresses, first, WINDOW, &w.lanes);
    if (!sl_vector_all_run(v))
        w.runs = LLVMBuildExtractElement(b, v->now.mask, sl_emit_i32(e, first), "");
    LLVMValueRef at = LLVMBuildPtrToInt(b, w.lanes.base, e->i64, "");
    LLVMValueRef within = LLVMBuildAnd(b, at, sl_emit_i64(e, PAGE - 1), "");
    LLVMValueRef left = LLVMBuildSub(b, sl_emit_i64(e, PAGE), within, "");
    w.room = sl_emit_min(e, left, sl_emit_i64(e, WINDOW), "room");
    return w;
}

/* i1 for each lane of the window: its element is in it. The lanes of a row's last vector run if the
 * first one does, other masks' need not. */
static LLVMValueRef are_inside(struct sl_vector *v, const struct window *w, LLVMValueRef distances,
                               uint64_t size)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    LLVMTypeRef numbers = LLVMTypeOf(distances);
    LLVMValueRef zero = sl_emit_i64(e, 0), bytes = sl_emit_i64(e, size);
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntUGE, w->room, bytes, "");
    LLVMValueRef end = LLVMBuildSelect(b, fits, LLVMBuildSub(b, w->room, bytes, ""), zero, "");
    LLVMValueRef last = LLVMBuildUDiv(b, end, sl_emit_i64(e, w->lanes.scale), "");
    last = LLVMBuildTrunc(b, last, LLVMGetElementType(numbers), "");
    if (w->lanes.sure)
        fits = LLVMBuildAnd(b, fits, w->lanes.sure, "");
    if (w->runs && v->now.mask != v->now.entry_mask)
        fits = LLVMBuildAnd(b, fits, w->runs, "");
    uint32_t count = LLVMGetVectorSize(numbers);
    LLVMValueRef in =
        LLVMBuildICmp(b, LLVMIntULE, distances, sl_vector_splat_to(v, last, count), "");
    return LLVMBuildAnd(b, in, sl_vector_splat_to(v, fits, count), "");
}

static LLVMValueRef load_window(struct sl_vector *v, const struct window *w, LLVMValueRef like)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    LLVMTypeRef bytes = LLVMVectorType(e->i8, WINDOW), types[] = {bytes, e->ptr};
    LLVMValueRef beyond = LLVMBuildSub(b, sl_emit_i64(e, WINDOW), w->room, "");
    LLVMValueRef bits = LLVMBuildLShr(b, sl_emit_i64(e, UINT64_MAX), beyond, "");
    if (w->runs)
        bits = LLVMBuildSelect(b, w->runs, bits, sl_emit_i64(e, 0), "");
    LLVMValueRef mask = LLVMBuildBitCast(b, bits, LLVMVectorType(e->i1, WINDOW), "");
    LLVMValueRef args[] = {w->lanes.base, mask, LLVMGetPoison(bytes)};
    LLVMValueRef call = sl_vector_intrinsic(v, "llvm.masked.load", types, 2, args, 3);
    sl_llvm_set_argument_alignment(call, 0, LLVMGetAlignment(like));
    sl_llvm_copy_flags(like, call);
    return call;
}

static LLVMValueRef times(struct sl_vector *v, LLVMValueRef numbers, uint64_t by)
{
    LLVMTypeRef type = LLVMTypeOf(numbers);
    LLVMValueRef one = LLVMConstInt(LLVMGetElementType(type), by, false);
    return LLVMBuildMul(builder(v), numbers, sl_vector_splat_to(v, one, LLVMGetVectorSize(type)),
                        "");
}

/* The elements of size bytes at these distances, in bytes; of bytes the shorts that they are in. */
static LLVMValueRef take(struct sl_vector *v, LLVMValueRef bytes, LLVMValueRef at, uint64_t size)
{
    LLVMBuilderRef b = builder(v);
    uint64_t unit = size == 1 ? 2 : size;
    unsigned bits = (unsigned)unit * 8, log = unit == 2 ? 1 : unit == 4 ? 2 : 3;
    uint32_t count = WINDOW / (uint32_t)unit;
    LLVMTypeRef number = LLVMIntTypeInContext(v->g->e.context, bits);
    LLVMTypeRef all = LLVMVectorType(number, count);
    LLVMValueRef by = sl_vector_splat_to(v, LLVMConstInt(number, log, false), count);
    LLVMValueRef args[] = {LLVMBuildBitCast(b, bytes, all, ""), LLVMBuildLShr(b, at, by, "")};
    const char *name = unit == 2   ? "llvm.x86.avx512.permvar.hi.512"
                       : unit == 4 ? "llvm.x86.avx512.permvar.si.512"
                                   : "llvm.x86.avx512.permvar.di.512";
    return sl_vector_intrinsic(v, name, NULL, 0, args, 2);
}

static LLVMValueRef elements_of(struct sl_vector *v, const struct window *w, LLVMValueRef distances,
                                LLVMValueRef like)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    uint64_t size = size_of(&v->facts, LLVMTypeOf(like)), unit = size == 1 ? 2 : size;
    uint32_t count = WINDOW / (uint32_t)unit;
    LLVMTypeRef number = LLVMIntTypeInContext(e->context, (unsigned)unit * 8);
    LLVMTypeRef type = LLVMVectorType(number, count);
    LLVMValueRef at = sl_vector_elements(v, distances, 0, count);
    at = times(v, LLVMBuildIntCast2(b, at, type, false, ""), w->lanes.scale);
    LLVMValueRef units = take(v, load_window(v, w, like), at, size);
    if (size > 1)
        return units;
    LLVMValueRef one = sl_vector_splat_to(v, LLVMConstInt(number, 1, false), count);
    LLVMValueRef odd = LLVMBuildAnd(b, at, one, "");
    units = LLVMBuildLShr(b, units, times(v, odd, 8), "");
    return LLVMBuildTrunc(b, units, LLVMVectorType(e->i8, count), "");
}

/* ---- all lanes ------------------------------------------------------------------------------- */

bool sl_vector_load_window(struct sl_vector *v, LLVMValueRef load, LLVMValueRef *parts)
{
    if (!sl_vector_has_window(&v->facts, load, v->now.block))
        return false;
    sl_vector_remark(v, load, "of close places unless an index jumps");
    LLVMBuilderRef b = builder(v);
    struct window windows[64];
    LLVMValueRef inside[64], distances[64], found[64], both[2];
    uint64_t size = size_of(&v->facts, LLVMTypeOf(load));
    uint32_t each = lanes_of_window(size), count = (v->facts.lanes + each - 1) / each;
    LLVMValueRef addresses = sl_vector_part(v, LLVMGetOperand(load, 0), 0);
    each = each < v->facts.lanes ? each : v->facts.lanes;
    for (uint32_t w = 0; w < count; w++) {
        windows[w] = open_window(v, addresses, w * each);
        distances[w] = sl_vector_elements(v, windows[w].lanes.numbers, w * each, each);
        inside[w] = are_inside(v, &windows[w], distances[w], size);
    }
    LLVMValueRef sure = sl_vector_joined(v, inside, v->facts.lanes);
    if (!sl_vector_all_run(v))
        sure = LLVMBuildOr(b, sure, LLVMBuildNot(b, v->now.mask, ""), "");
    sure = sl_vector_all(v, sure);
    LLVMContextRef context = v->g->e.context;
    LLVMBasicBlockRef near = LLVMAppendBasicBlockInContext(context, v->g->function, "near");
    LLVMBasicBlockRef far = LLVMAppendBasicBlockInContext(context, v->g->function, "each");
    LLVMBasicBlockRef join = LLVMAppendBasicBlockInContext(context, v->g->function, "got"), from[2];
    sl_rows_may_go_second_way(v->g, LLVMBuildCondBr(b, sure, near, far));
    LLVMPositionBuilderAtEnd(b, near);
    for (uint32_t w = 0; w < count; w++)
        found[w] = sl_vector_elements(v, elements_of(v, &windows[w], distances[w], load), 0, each);
    both[0] = LLVMBuildBitCast(b, sl_vector_joined(v, found, v->facts.lanes),
                               sl_vector_wide_type(v, LLVMTypeOf(load)), "");
    from[0] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, far);
    sl_vector_gather(v, load, addresses, &both[1]);
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
    parts[0] = LLVMBuildPhi(b, LLVMTypeOf(both[0]), "");
    LLVMAddIncoming(parts[0], both, from, 2);
    return true;
}
