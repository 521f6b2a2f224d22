/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, messages and look-ups of a translation. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/base/hash.h"
#include "spirv/grammar/grammar.h"
#include "spirv/module/module.h"

/* ---- memory ---------------------------------------------------------------------------------- */

struct sl_spirv_chunk {
    struct sl_spirv_chunk *next;
    _Alignas(16) char bytes[];
};

enum { CHUNK_BYTES = 65536 };

static void *new_chunk(struct sl_spirv *s, size_t bytes)
{
    struct sl_spirv_chunk *chunk = calloc(1, sizeof *chunk + bytes);
    if (!chunk) {
        sl_spirv_fail(s, NULL, "out of memory");
        return NULL;
    }
    chunk->next = s->chunks;
    s->chunks = chunk;
    return chunk->bytes;
}

void *sl_spirv_allocate(struct sl_spirv *s, size_t count, size_t bytes)
{
    size_t all = (count * bytes + 15) & ~(size_t)15;
    if (all >= CHUNK_BYTES / 2) { /* of its own, behind the one that is being filled */
        struct sl_spirv_chunk *first = s->chunks;
        void *own = new_chunk(s, all);
        if (own && first) {
            s->chunks = first;
            struct sl_spirv_chunk *chunk =
                (struct sl_spirv_chunk *)((char *)own - offsetof(struct sl_spirv_chunk, bytes));
            chunk->next = first->next;
            first->next = chunk;
        } else {
            s->chunk_left = 0;
        }
        return own;
    }
    if (s->chunk_left < all) {
        if (!new_chunk(s, CHUNK_BYTES))
            return NULL;
        s->chunk_left = CHUNK_BYTES;
    }
    s->chunk_left -= all;
    return s->chunks->bytes + s->chunk_left;
}

void sl_spirv_free_chunks(struct sl_spirv *s)
{
    for (struct sl_spirv_chunk *chunk = s->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    s->chunks = NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* One reason is enough: what follows a failure is often nothing but its echo. */
int sl_spirv_fail(struct sl_spirv *s, const struct sl_spirv_instruction *i, const char *format, ...)
{
    char text[512], reason[384];
    va_list args;
    if (s->failed)
        return -1;
    s->failed = true;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    int bytes = i ? snprintf(text, sizeof text, "error: instruction at word %zu (%s): %s\n",
                             i->offset, sl_spirv_opcode_name(i->opcode), reason)
                  : snprintf(text, sizeof text, "error: SPIR-V: %s\n", reason);
    s->input->log(s->input->data, text, (size_t)bytes);
    return -1;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

LLVMContextRef sl_spirv_context(struct sl_spirv *s)
{
    return s->context;
}

LLVMModuleRef sl_spirv_module(struct sl_spirv *s)
{
    return s->module;
}

LLVMBuilderRef sl_spirv_builder(struct sl_spirv *s)
{
    return s->builder;
}

uint32_t sl_spirv_mark_of_module(struct sl_spirv *s)
{
    struct sl_hash hash = sl_hash_bytes(s->words, s->word_count * sizeof *s->words);
    return (uint32_t)hash.low;
}

const struct sl_spirv_instruction *sl_spirv_definition(struct sl_spirv *s, uint32_t id)
{
    if (!id || id >= s->bound || !s->ids[id].definition) {
        sl_spirv_fail(s, NULL, "id %u is not defined", id);
        return NULL;
    }
    return &s->instructions[s->ids[id].definition - 1];
}

const struct sl_spirv_type *sl_spirv_type(struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *i = sl_spirv_definition(s, id);
    if (i && !s->ids[id].type)
        sl_spirv_fail(s, i, "is no type, or used before it is known");
    return i ? s->ids[id].type : NULL;
}

const struct sl_spirv_type *sl_spirv_type_of(struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *i = sl_spirv_definition(s, id);
    if (i && i->opcode == OpFunction) /* its type names what it returns */
        return sl_spirv_type(s, i->operands[1]);
    if (i && !i->type)
        sl_spirv_fail(s, i, "gives no value");
    return i && i->type ? sl_spirv_type(s, i->type) : NULL;
}

bool sl_spirv_decoration(struct sl_spirv *s, uint32_t id, uint32_t decoration, uint32_t *out)
{
    if (!id || id >= s->bound)
        return false;
    for (struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next)
        if (a->member == SL_SPIRV_WHOLE && a->decoration == decoration) {
            if (out)
                *out = a->count ? a->literals[0] : 0;
            return true;
        }
    return false;
}

const uint32_t *sl_spirv_literals(struct sl_spirv *s, uint32_t id, uint32_t decoration,
                                  uint32_t count)
{
    for (struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next)
        if (a->member == SL_SPIRV_WHOLE && a->decoration == decoration && a->count >= count)
            return a->literals;
    return NULL;
}

bool sl_spirv_is_constant(struct sl_spirv *s, uint32_t id)
{
    LLVMValueRef value = id && id < s->bound ? s->ids[id].value : NULL;
    return value && LLVMIsConstant(value);
}

int sl_spirv_number(struct sl_spirv *s, uint32_t id, uint64_t *out)
{
    const struct sl_spirv_instruction *i = sl_spirv_definition(s, id);
    LLVMValueRef value = i ? s->ids[id].value : NULL;
    if (!value || !LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return sl_spirv_fail(s, i, "is not the constant that is needed");
    *out = LLVMConstIntGetZExtValue(value);
    return 0;
}

int sl_spirv_define(struct sl_spirv *s, const struct sl_spirv_instruction *i, LLVMValueRef value)
{
    const struct sl_spirv_type *type = i->type ? sl_spirv_type(s, i->type) : NULL;
    if (!type || !value)
        return sl_spirv_fail(s, i, "has no result");
    if (LLVMTypeOf(value) != type->llvm)
        return sl_spirv_fail(s, i, "does not give its result's type with these operands");
    s->ids[i->result].value = value;
    return 0;
}
