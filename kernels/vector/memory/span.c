/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads whose bytes lie side by side in each item while the items are anywhere: a block of
 * quantised numbers, a row of a few pixels. One load per item brings up to four words, which are
 * regrouped into one vector per word; elements are shifted out of these. Nothing is read that the
 * program does not read in the same block. No shared state.
 */
#include "vector/memory/span.h"

#include "ir/map.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/memory/gather.h"
#include "vector/memory/memory.h"
#include "vector/memory/speculative_access.h"
#include "vector/operations/element.h"
#include "vector/operations/packed.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>

#define LARGEST_SPAN 64 /* bytes that are looked at together */
#define MOST_LOADS 64   /* of one span */
#define MOST_WORDS 128  /* of all lanes; LLVM takes long to regroup more */
#define FARTHEST 512    /* instructions that are looked at for other loads */
#define WORD 4          /* bytes */
#define QUAD 4          /* words, the most that are loaded at once */
#define MOST_CHUNKS 16

struct chunk {
    uint32_t at, words;      /* bytes from the span's first one; how many there are */
    LLVMValueRef word[QUAD]; /* each of all lanes */
};

struct span {
    LLVMValueRef load[MOST_LOADS];
    int64_t offset[MOST_LOADS]; /* bytes from the base */
    uint32_t count;
    int64_t least;
    uint64_t bytes; /* which ones somebody loads, from `least` on */
    struct chunk chunks[MOST_CHUNKS];
    uint32_t chunk_count;
};

static uint64_t size_of(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
}

/* ---- which loads ----------------------------------------------------------------------------- */

/* Address computations that LLVM did not find equal since one of them promises more. */
static bool is_same(LLVMValueRef a, LLVMValueRef b)
{
    if (a == b)
        return true;
    if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(a); k++)
        if (LLVMGetOperand(a, k) != LLVMGetOperand(b, k))
            return false;
    return true;
}

static bool is_plain(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

bool sl_vector_is_gathered(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!is_plain(i) || !sl_vector_can_access(type) || sl_map_get(v->variables, pointer) ||
        sl_vector_array(v, pointer) || sl_vector_is_interleaved(v, i))
        return false;
    uint64_t size = size_of(v, sl_vector_part_type(type, 0));
    if (LLVMGetTypeKind(sl_vector_part_type(type, 0)) == LLVMPointerTypeKind || size > WORD)
        return false;
    struct sl_shape shape = sl_vector_shape_at(v, pointer, block);
    int64_t whole = (int64_t)size_of(v, type);
    if (shape.kind == SL_SHAPE_LINEAR)
        return shape.stride != whole && shape.stride != -whole &&
               (shape.stride != 2 * whole || v->target->mask_registers);
    return shape.kind == SL_SHAPE_VARYING && !sl_vector_speculation_pays(v, i, block);
}

/* Nothing that others could see. */
static bool is_quiet(LLVMValueRef i)
{
    if (LLVMIsACallInst(i))
        return sl_vector_is_lanewise_call(i);
    return !LLVMIsAStoreInst(i) && !LLVMIsATerminatorInst(i) &&
           LLVMGetInstructionOpcode(i) != LLVMFence &&
           LLVMGetInstructionOpcode(i) != LLVMAtomicRMW &&
           LLVMGetInstructionOpcode(i) != LLVMAtomicCmpXchg && (!LLVMIsALoadInst(i) || is_plain(i));
}

bool sl_vector_is_quiet_block(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && is_quiet(i))
        i = LLVMGetNextInstruction(i);
    return i && LLVMIsATerminatorInst(i);
}

/* The span stays short. */
static void add_load(const struct sl_vector_facts *v, struct span *s, LLVMValueRef load,
                     int64_t offset)
{
    int64_t size = (int64_t)size_of(v, LLVMTypeOf(load)), end = offset + size;
    int64_t least = s->count && s->least < offset ? s->least : offset;
    for (uint32_t k = 0; k < s->count; k++) {
        int64_t last = s->offset[k] + (int64_t)size_of(v, LLVMTypeOf(s->load[k]));
        end = last > end ? last : end;
    }
    if (s->count == MOST_LOADS || end - least > LARGEST_SPAN)
        return;
    s->least = least;
    s->offset[s->count] = offset;
    s->load[s->count++] = load;
}

static LLVMValueRef base_of(LLVMValueRef load, int64_t *offset)
{
    *offset = 0;
    return sl_llvm_strip_offset(LLVMGetOperand(load, 0), offset);
}

static void collect(const struct sl_vector_facts *v, struct span *s, LLVMValueRef load,
                    uint32_t block)
{
    uint32_t steps = 0;
    int64_t offset;
    LLVMValueRef base = base_of(load, &offset);
    *s = (struct span){0};
    for (LLVMValueRef i = load; i && is_quiet(i) && steps < FARTHEST;
         i = LLVMGetNextInstruction(i), steps++)
        if (LLVMIsALoadInst(i) && is_same(base_of(i, &offset), base) &&
            sl_vector_is_gathered(v, i, block))
            add_load(v, s, i, offset);
    for (uint32_t k = 0; k < s->count; k++)
        for (uint64_t n = 0; n < size_of(v, LLVMTypeOf(s->load[k])); n++)
            s->bytes |= UINT64_C(1) << (s->offset[k] - s->least + (int64_t)n);
}

/* Of those that may be loaded together with this one. */
static LLVMValueRef first_of(LLVMValueRef load)
{
    uint32_t steps = 0;
    int64_t offset;
    LLVMValueRef base = base_of(load, &offset), first = load;
    for (LLVMValueRef i = load; i && is_quiet(i) && steps < FARTHEST;
         i = LLVMGetPreviousInstruction(i), steps++)
        if (LLVMIsALoadInst(i) && is_same(base_of(i, &offset), base))
            first = i;
    return first;
}

/* ---- in which chunks ------------------------------------------------------------------------- */

static uint32_t bytes_from(const struct span *s, uint32_t at)
{
    uint32_t count = 0;
    while (at + count < LARGEST_SPAN && s->bytes >> (at + count) & 1)
        count++;
    return count;
}

/* Whole words from the first byte on, and one that overlaps them for what is left over. */
static void split_run(struct span *s, uint32_t at, uint32_t end, uint32_t largest)
{
    while (at < end && s->chunk_count < MOST_CHUNKS) {
        uint32_t words = largest, from = end - at < WORD ? end - WORD : at;
        while (words > 1 && from + words * WORD > end)
            words /= 2;
        s->chunks[s->chunk_count++] = (struct chunk){.at = from, .words = words};
        at = from + words * WORD;
    }
}

static void split(const struct sl_vector_facts *v, struct span *s)
{
    bool quads = v->lanes >= QUAD && v->lanes * QUAD <= MOST_WORDS;
    uint32_t largest = quads ? QUAD : 1, count;
    for (uint32_t at = 0; at < LARGEST_SPAN; at += count ? count : 1) {
        count = bytes_from(s, at);
        if (count >= WORD)
            split_run(s, at, at + count, largest);
    }
}

/* The word that has all of the element, and where in it. */
static const LLVMValueRef *find_word(const struct span *s, uint32_t at, uint32_t size,
                                     uint32_t *within)
{
    for (uint32_t c = 0; c < s->chunk_count; c++) {
        const struct chunk *chunk = &s->chunks[c];
        for (uint32_t w = 0; w < chunk->words; w++) {
            uint32_t first = chunk->at + w * WORD;
            if (at < first || at + size > first + WORD)
                continue;
            *within = at - first;
            return &chunk->word[w];
        }
    }
    return NULL;
}

/* Elements of which each has its word; all of the load's, or it is loaded by itself. */
static bool has_words(const struct sl_vector_facts *v, const struct span *s, uint32_t load)
{
    LLVMTypeRef type = LLVMTypeOf(s->load[load]);
    uint32_t size = (uint32_t)size_of(v, sl_vector_part_type(type, 0)), within;
    for (uint32_t k = 0; k < sl_vector_part_count(type); k++)
        if (!find_word(s, (uint32_t)(s->offset[load] - s->least) + k * size, size, &within))
            return false;
    return true;
}

/* More elements than chunks of memory, where the first load is one of them. */
static bool find_span(const struct sl_vector_facts *v, struct span *s, LLVMValueRef load,
                      uint32_t block)
{
    uint32_t elements = 0;
    if (!sl_vector_is_gathered(v, load, block))
        return false;
    collect(v, s, load, block);
    split(v, s);
    for (uint32_t k = 0; k < s->count; k++)
        if (has_words(v, s, k))
            elements += sl_vector_packed_type(LLVMTypeOf(s->load[k]))
                            ? 1
                            : sl_vector_part_count(LLVMTypeOf(s->load[k]));
    return elements > s->chunk_count && has_words(v, s, 0);
}

/* ---- loads ----------------------------------------------------------------------------------- */

static LLVMTypeRef words_of(struct sl_vector *v, uint32_t count)
{
    return LLVMVectorType(v->g->e.i32, count);
}

/* What a multiple of `align` and so many bytes are a multiple of. */
static unsigned align_at(unsigned align, int64_t offset)
{
    uint64_t step = (uint64_t)offset & -(uint64_t)offset;
    return step && step < align ? (unsigned)step : align;
}

/* Neighbours that leave nothing out. */
static LLVMValueRef load_dense(struct sl_vector *v, LLVMValueRef load, int64_t offset,
                               int64_t stride)
{
    LLVMValueRef bytes = LLVMConstInt(v->g->e.i64, (uint64_t)offset, true);
    LLVMValueRef at = sl_vector_scalar(v, LLVMGetOperand(load, 0));
    struct sl_vector_access access = {
        .type = words_of(v, (uint32_t)stride / WORD),
        .base = LLVMBuildGEP2(v->g->e.builder, v->g->e.i8, at, &bytes, 1, ""),
        .stride = stride,
        .align = align_at(LLVMGetAlignment(load), offset)};
    return sl_vector_load_all(v, &access);
}

static void load_chunk(struct sl_vector *v, const struct span *s, struct chunk *chunk)
{
    LLVMValueRef load = s->load[0], pointer = LLVMGetOperand(load, 0);
    struct sl_shape shape = sl_vector_shape_at(&v->facts, pointer, v->now.block);
    int64_t offset = s->least + chunk->at - s->offset[0];
    bool dense = shape.kind == SL_SHAPE_LINEAR && shape.stride == chunk->words * WORD;
    if (dense)
        sl_vector_deinterleave(v, load_dense(v, load, offset, shape.stride), chunk->words,
                               chunk->word);
    else
        sl_vector_gather_words(v, sl_vector_part(v, pointer, 0), offset, chunk->words, chunk->word);
}

static LLVMValueRef element_of(struct sl_vector *v, LLVMValueRef word, uint32_t within,
                               LLVMTypeRef type)
{
    LLVMBuilderRef b = v->g->e.builder;
    unsigned bits = (unsigned)size_of(&v->facts, type) * 8;
    if (within)
        word = LLVMBuildLShr(b, word, sl_vector_splat(v, sl_emit_i32(&v->g->e, within * 8)), "");
    LLVMTypeRef number = LLVMIntTypeInContext(v->g->e.context, bits);
    if (bits < 8 * WORD)
        word = LLVMBuildTrunc(b, word, sl_vector_wide_type(v, number), "");
    return LLVMBuildBitCast(b, word, sl_vector_wide_type(v, type), "");
}

/* Without masks a block for all lanes has a copy for some of them, which comes later and loads by
 * itself. */
bool sl_vector_load_span(struct sl_vector *v, LLVMValueRef load)
{
    struct span s;
    if (!v->facts.target->mask_registers && !sl_vector_all_run(v))
        return false;
    if (sl_vector_value(v, load)->parts)
        return true; /* with the first one */
    if (!find_span(&v->facts, &s, load, v->now.block))
        return false;
    sl_vector_remark(v, load, "with what lies beside it");
    for (uint32_t c = 0; c < s.chunk_count; c++)
        load_chunk(v, &s, &s.chunks[c]);
    for (uint32_t n = 0; n < s.count; n++) {
        LLVMTypeRef element = sl_vector_part_type(LLVMTypeOf(s.load[n]), 0);
        uint32_t size = (uint32_t)size_of(&v->facts, element),
                 at = (uint32_t)(s.offset[n] - s.least);
        for (uint32_t k = 0;
             has_words(&v->facts, &s, n) && k < sl_vector_part_count(LLVMTypeOf(s.load[n])); k++) {
            uint32_t within = 0;
            LLVMValueRef word = *find_word(&s, at + k * size, size, &within);
            sl_vector_set_part(v, s.load[n], k, element_of(v, word, within, element));
        }
    }
    return true;
}

bool sl_vector_is_in_span(const struct sl_vector_facts *v, LLVMValueRef load, uint32_t block)
{
    struct span s;
    if (!sl_vector_is_gathered(v, load, block) || !find_span(v, &s, first_of(load), block))
        return false;
    for (uint32_t n = 0; n < s.count; n++)
        if (s.load[n] == load)
            return has_words(v, &s, n);
    return false;
}
