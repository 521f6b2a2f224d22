/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The array becomes `room`, and a variable `at` that says where in it the array begins at the time:
 * each access adds it, so that it does not matter which way was taken, or whether a move was
 * skipped. A move of all elements is an addition to `at`; what a move leaves in its place is copied
 * against it. No shared state.
 */
#include "ir/variables/shift_register.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"
#include "llvm/loops/memory/array_moves.h"
#include "llvm/pass_support.h"
#include <stdlib.h>

/* Bytes. Less than LEAST is moved in registers in no time; more than MOST would be too much of a
 * thread's stack. */
#define LEAST 64u
#define MOST (256u << 10)
/* How far a window goes: putting it back shall be rare, but the first level of the cache holds what
 * else there is as well. */
#define LEAST_WAY 2048u
#define MOST_WAY 16384u
#define MOST_PIECES 64u
#define MOST_ELEMENTS 8u /* that are held one by one */
/* Arrays that become values: so many elements are moved from register to register in less time than
 * a window takes; and up to MOST_VALUES, if many are read in each round, as in a filter, LLVM
 * computes several rounds at once. */
#define FEW_VALUES 48u
#define MOST_VALUES 128u
#define READ_OF_VALUES 8u

struct moves {
    struct sl_array_move *items; /* owned */
    size_t count;
};

struct window {
    struct sl_emit e;
    LLVMValueRef function, array, room, at;
    uint64_t bytes, way; /* of the array; the largest `at` */
    uint64_t home;       /* where it is put back */
    uint64_t granule;    /* `at` is always a multiple, a power of two */
    struct sl_list accesses, pointers;
    struct sl_list gone; /* instructions that nothing needs any more */
};

static void take_move(void *data, const struct sl_array_move *move)
{
    struct moves *m = data;
    m->items = sl_ir_resize(m->items, m->count + 1, sizeof *m->items);
    m->items[m->count++] = *move;
}

/* ---- which arrays ---------------------------------------------------------------------------- */

static bool is_marker(LLVMValueRef i)
{
    return sl_llvm_is_intrinsic(i, SL_INTRINSIC_LIFETIME_START) ||
           sl_llvm_is_intrinsic(i, SL_INTRINSIC_LIFETIME_END);
}

static bool is_access(LLVMValueRef i, LLVMValueRef pointer)
{
    if (LLVMIsALoadInst(i))
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    if (LLVMIsAStoreInst(i))
        return LLVMGetOperand(i, 0) != pointer && !LLVMGetVolatile(i) &&
               LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    return LLVMIsAMemIntrinsic(i) != NULL;
}

/* All uses; false: its address goes to where nobody can follow it. */
static bool collect(struct window *w)
{
    sl_list_add(&w->pointers, w->array);
    for (size_t p = 0; p < w->pointers.count; p++) {
        LLVMValueRef pointer = w->pointers.items[p];
        for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (!LLVMIsAInstruction(user))
                return false;
            if (is_marker(user))
                sl_list_add(&w->gone, user);
            else if (LLVMIsAGetElementPtrInst(user) &&
                     LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind)
                sl_list_add(&w->pointers, user);
            else if (is_access(user, pointer))
                sl_list_add(&w->accesses, user);
            else
                return false;
        }
    }
    return true;
}

static uint64_t far(const struct sl_array_move *move)
{
    return (uint64_t)llabs(move->distance);
}

static bool better_as_values(const struct sl_array_move *move)
{
    return move->reads && move->elements <= MOST_VALUES &&
           (move->elements <= FEW_VALUES || READ_OF_VALUES * move->reads >= move->elements);
}

static bool pays(const struct sl_array_move *move, uint64_t bytes)
{
    return !better_as_values(move) && move->rows < MOST_PIECES &&
           2 * (bytes - move->rows * move->bytes) <= bytes;
}

/* How far the window may go, and from where. False: some move of the array is not worth it. */
static bool plan(struct window *w, const struct moves *moves)
{
    uint64_t farthest = 0;
    bool up = false, down = false;
    w->granule = 64;
    for (size_t m = 0; m < moves->count; m++) {
        const struct sl_array_move *move = &moves->items[m];
        if (move->array != w->array)
            continue;
        if (!pays(move, w->bytes))
            return false;
        (move->distance > 0 ? &up : &down)[0] = true;
        farthest = far(move) > farthest ? far(move) : farthest;
        while (far(move) % w->granule)
            w->granule /= 2;
    }
    w->way = 3 * w->bytes < MOST_WAY ? 3 * w->bytes : MOST_WAY;
    if (w->way < LEAST_WAY)
        w->way = LEAST_WAY;
    if (w->way < w->bytes + 2 * farthest)
        w->way = w->bytes + 2 * farthest;
    w->way = (w->way + 127) / 128 * 128;
    w->home = up && down ? w->way / 2 : up ? 0 : w->way;
    return true;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static LLVMValueRef address(struct window *w, LLVMValueRef pointer)
{
    if (pointer == w->array) {
        LLVMValueRef at = LLVMBuildLoad2(w->e.builder, w->e.i64, w->at, "at");
        return sl_emit_byte_offset(&w->e, w->room, at, "window");
    }
    LLVMValueRef base = address(w, LLVMGetOperand(pointer, 0));
    LLVMValueRef copy = LLVMInstructionClone(pointer);
    LLVMSetOperand(copy, 0, base);
    LLVMInsertIntoBuilder(w->e.builder, copy);
    return copy;
}

static bool leads_to_array(const struct window *w, LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
           sl_address_base(value) == w->array;
}

static void drop_alignment(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMRemoveCallSiteEnumAttribute(call, argument + 1, kind);
}

static void redirect(struct window *w, LLVMValueRef access)
{
    bool copies = LLVMIsAMemIntrinsic(access) != NULL;
    unsigned count = copies ? 2 : (unsigned)LLVMGetNumOperands(access);
    LLVMPositionBuilderBefore(w->e.builder, access);
    for (unsigned o = 0; o < count; o++) {
        LLVMValueRef pointer = LLVMGetOperand(access, o);
        if (!leads_to_array(w, pointer))
            continue;
        LLVMSetOperand(access, o, address(w, pointer));
        if (copies)
            drop_alignment(access, o);
    }
    if (!copies && LLVMGetAlignment(access) > w->granule)
        LLVMSetAlignment(access, (unsigned)w->granule);
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Element by element, as rounds write and read them: what is loaded in one piece but was stored in
 * two has to wait for the cache. */
static void hold_few(struct window *w, LLVMValueRef from, LLVMValueRef to, unsigned count,
                     uint64_t size)
{
    LLVMTypeRef type = LLVMIntTypeInContext(w->e.context, (unsigned)(8 * size));
    LLVMValueRef values[MOST_ELEMENTS];
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef place = sl_emit_byte_offset(&w->e, from, sl_emit_i64(&w->e, i * size), "");
        values[i] = LLVMBuildLoad2(w->e.builder, type, place, "");
        LLVMSetAlignment(values[i], 1);
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef place = sl_emit_byte_offset(&w->e, to, sl_emit_i64(&w->e, i * size), "");
        LLVMSetAlignment(LLVMBuildStore(w->e.builder, values[i], place), 1);
    }
}

/* What lies from `begin` to `end` stays where it is while the window goes on. `size`: of an
 * element. */
static void hold(struct window *w, LLVMValueRef from, LLVMValueRef to, uint64_t begin, uint64_t end,
                 uint64_t size)
{
    if (begin == end)
        return;
    uint64_t bytes = end - begin;
    from = sl_emit_byte_offset(&w->e, from, sl_emit_i64(&w->e, begin), "");
    to = sl_emit_byte_offset(&w->e, to, sl_emit_i64(&w->e, begin), "");
    bool plain = size <= 8 && !(size & (size - 1)) && !(bytes % size);
    if (plain && bytes / size <= MOST_ELEMENTS)
        hold_few(w, from, to, (unsigned)(bytes / size), size);
    else
        LLVMBuildMemMove(w->e.builder, to, 1, from, 1, sl_emit_i64(&w->e, bytes));
}

/* All but the rows; none is overwritten before its turn. */
static void hold_the_rest(struct window *w, const struct sl_array_move *move, LLVMValueRef from,
                          LLVMValueRef to)
{
    for (uint64_t n = 0; n <= move->rows; n++) {
        uint64_t piece = move->distance > 0 ? move->rows - n : n;
        uint64_t begin = piece ? move->first + (piece - 1) * move->stride + move->bytes : 0;
        uint64_t end = piece < move->rows ? move->first + piece * move->stride : w->bytes;
        hold(w, from, to, begin, end, w->bytes / move->elements);
    }
}

/* The builder's position: where the window may go on; puts it back, if it is at the end. */
static LLVMValueRef make_way(struct window *w, const struct sl_array_move *move)
{
    LLVMBasicBlockRef before = LLVMGetInstructionParent(move->behind);
    LLVMBasicBlockRef go = sl_llvm_split_block(move->behind, "slide");
    LLVMBasicBlockRef back = LLVMInsertBasicBlockInContext(w->e.context, go, "put_back");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(before);
    LLVMPositionBuilderBefore(w->e.builder, end);
    LLVMValueRef at = LLVMBuildLoad2(w->e.builder, w->e.i64, w->at, "at");
    bool up = move->distance > 0;
    LLVMValueRef limit = sl_emit_i64(&w->e, up ? w->way - far(move) : far(move));
    LLVMValueRef ends =
        LLVMBuildICmp(w->e.builder, up ? LLVMIntUGT : LLVMIntULT, at, limit, "ends");
    LLVMBuildCondBr(w->e.builder, ends, back, go);
    LLVMInstructionEraseFromParent(end);
    LLVMPositionBuilderAtEnd(w->e.builder, back);
    LLVMValueRef home = sl_emit_i64(&w->e, w->home);
    LLVMBuildMemMove(w->e.builder, sl_emit_byte_offset(&w->e, w->room, home, ""), 1,
                     sl_emit_byte_offset(&w->e, w->room, at, ""), 1, sl_emit_i64(&w->e, w->bytes));
    LLVMBuildBr(w->e.builder, go);
    LLVMPositionBuilderBefore(w->e.builder, LLVMGetFirstInstruction(go));
    LLVMValueRef now = LLVMBuildPhi(w->e.builder, w->e.i64, "at");
    LLVMAddIncoming(now, (LLVMValueRef[]){at, home}, (LLVMBasicBlockRef[]){before, back}, 2);
    return now;
}

static void slide(struct window *w, const struct sl_array_move *move)
{
    LLVMValueRef at = make_way(w, move);
    LLVMValueRef next =
        LLVMBuildAdd(w->e.builder, at, sl_emit_i64(&w->e, (uint64_t)move->distance), "next");
    hold_the_rest(w, move, sl_emit_byte_offset(&w->e, w->room, at, "window"),
                  sl_emit_byte_offset(&w->e, w->room, next, "window"));
    LLVMBuildStore(w->e.builder, next, w->at);
    sl_list_add(&w->gone, move->store);
}

/* ---- the array ------------------------------------------------------------------------------- */

static void replace(struct window *w, const struct moves *moves)
{
    unsigned align = LLVMGetAlignment(w->array);
    LLVMTypeRef type = LLVMArrayType2(w->e.i8, w->bytes + w->way);
    w->room =
        sl_emit_entry_copy(&w->e, w->function, type, align < 64 ? 64 : align, "room", w->array);
    w->at = sl_emit_entry_alloca(&w->e, w->function, w->e.i64, 8, "at");
    sl_emit_at_entry(&w->e, w->function);
    LLVMBuildStore(w->e.builder, sl_emit_i64(&w->e, w->home), w->at);
    for (size_t m = 0; m < moves->count; m++)
        if (moves->items[m].array == w->array)
            slide(w, &moves->items[m]);
    /* Behind that: an access may be what a window moves in front of. */
    for (size_t a = 0; a < w->accesses.count; a++)
        redirect(w, w->accesses.items[a]);
}

static bool was_before(const struct moves *moves, size_t m)
{
    for (size_t i = 0; i < m; i++)
        if (moves->items[i].array == moves->items[m].array)
            return true;
    return false;
}

static bool slide_one(struct sl_pass *pass, const struct sl_kernel_facts *facts,
                      const struct moves *moves, size_t m, struct sl_list *gone)
{
    struct window w = {.function = facts->kernel, .array = moves->items[m].array};
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(pass->module);
    w.bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(w.array));
    sl_emit_init(&w.e, pass->context);
    bool does = w.bytes <= MOST && LLVMIsConstant(LLVMGetOperand(w.array, 0)) && collect(&w) &&
                plan(&w, moves) && sl_pass_step(pass, "shift_register", facts);
    if (does) {
        sl_pass_remark(pass, facts, moves->items[m].store,
                       "a shift register of %u bytes is a window that moves", (unsigned)w.bytes);
        replace(&w, moves);
    }
    for (size_t i = 0; does && i < w.gone.count; i++)
        sl_list_add(gone, w.gone.items[i]);
    sl_list_finish(&w.accesses);
    sl_list_finish(&w.pointers);
    sl_list_finish(&w.gone);
    sl_emit_finish(&w.e);
    return does;
}

bool sl_slide_shift_registers(struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    struct moves moves = {0};
    struct sl_list gone = {0};
    bool any = false;
    sl_llvm_find_array_moves(facts->kernel, LEAST, take_move, &moves);
    for (size_t m = 0; m < moves.count; m++)
        if (!was_before(&moves, m))
            any |= slide_one(pass, facts, &moves, m, &gone);
    /* Only now: another move may be meant to come in front of one. */
    for (size_t i = 0; i < gone.count; i++)
        LLVMInstructionEraseFromParent(gone.items[i]);
    sl_list_finish(&gone);
    free(moves.items);
    return any;
}
