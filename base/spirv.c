/* SPDX-License-Identifier: Apache-2.0 */
/* See spirv.h. No state, no lock. */
#include "sluice/base/spirv.h"

#include <string.h>

enum { /* of the words of the header */
       VERSION_WORD = 1,
       BOUND_WORD = 3,
       SCHEMA_WORD = 4,
       HEADER_WORDS = 5,
};

enum { /* instructions, and the decoration SpecId */
       OP_TYPE_INT = 21,
       OP_TYPE_FLOAT = 22,
       OP_SPEC_CONSTANT_TRUE = 48,
       OP_SPEC_CONSTANT_FALSE = 49,
       OP_SPEC_CONSTANT = 50,
       OP_FUNCTION = 54,
       OP_DECORATE = 71,
       DECORATION_SPEC_ID = 1,
};

struct words {
    const unsigned char *bytes;
    size_t count;
    bool swapped;
};

static uint32_t word_at(const struct words *words, size_t i)
{
    uint32_t word;
    memcpy(&word, words->bytes + i * sizeof word, sizeof word);
    return words->swapped ? __builtin_bswap32(word) : word;
}

static struct words words_of(const void *bytes, size_t size)
{
    struct words words = {bytes, size / sizeof(uint32_t), false};
    words.swapped = words.count && word_at(&words, 0) != SL_SPIRV_MAGIC;
    return words;
}

bool sl_spirv_begins(const void *bytes, size_t size)
{
    struct words words = words_of(bytes, size);
    return words.count && word_at(&words, 0) == SL_SPIRV_MAGIC;
}

bool sl_spirv_is_turned(const void *bytes, size_t size)
{
    struct words words = words_of(bytes, size);
    return words.swapped && word_at(&words, 0) == SL_SPIRV_MAGIC;
}

void sl_spirv_turn(const void *from, size_t size, void *to)
{
    const struct words words = {from, size / sizeof(uint32_t), true};
    for (size_t i = 0; i < words.count; i++) {
        uint32_t word = word_at(&words, i);
        memcpy((char *)to + i * sizeof word, &word, sizeof word);
    }
}

/* ---- the header ------------------------------------------------------------------------------ */

/* 0, the major, the minor version, 0. */
static bool known_version(uint32_t version)
{
    return version >> 16 == 1 && (version >> 8 & 0xff) < SL_SPIRV_MINOR_VERSIONS &&
           !(version & 0xff);
}

const char *sl_spirv_check_header(const void *bytes, size_t size)
{
    const uint32_t largest_bound = 0x3fffff; /* what the specification asks for */
    struct words words = words_of(bytes, size);
    if (size % sizeof(uint32_t))
        return "its size is no multiple of four bytes";
    if (!sl_spirv_begins(bytes, size))
        return "it does not begin with SPIR-V's number";
    if (words.count <= HEADER_WORDS)
        return "it ends with its header";
    if (!known_version(word_at(&words, VERSION_WORD)))
        return "its version is none from 1.0 to 1.6";
    uint32_t bound = word_at(&words, BOUND_WORD);
    if (!bound || bound > largest_bound)
        return "the bound of its ids is 0 or too large";
    if (word_at(&words, SCHEMA_WORD))
        return "its instructions are of a schema that nobody knows";
    return NULL;
}

/* ---- specialization constants ---------------------------------------------------------------- */

struct instruction {
    size_t at; /* of its first word */
    uint32_t opcode, length;
};

/* The instruction at `at`; false at the end, at the first function, or where there is none. */
static bool read_instruction(const struct words *words, size_t at, struct instruction *out)
{
    if (at >= words->count)
        return false;
    uint32_t first = word_at(words, at);
    *out = (struct instruction){at, first & 0xffff, first >> 16};
    return out->length && out->length <= words->count - at && out->opcode != OP_FUNCTION;
}

/* The operand's word, 0 if the instruction is too short for it. */
static uint32_t operand(const struct words *words, const struct instruction *of, uint32_t i)
{
    return i < of->length ? word_at(words, of->at + i) : 0;
}

/* The id that has the decoration; 0: none. */
static uint32_t find_decorated(const struct words *words, uint32_t spec_id)
{
    struct instruction one;
    for (size_t at = HEADER_WORDS; read_instruction(words, at, &one); at += one.length)
        if (one.opcode == OP_DECORATE && one.length == 4 &&
            operand(words, &one, 2) == DECORATION_SPEC_ID && operand(words, &one, 3) == spec_id)
            return operand(words, &one, 1);
    return 0;
}

/* The instruction among those with these opcodes whose word `i` is the id. */
static bool find(const struct words *words, uint32_t first, uint32_t last, uint32_t i, uint32_t id,
                 struct instruction *out)
{
    for (size_t at = HEADER_WORDS; read_instruction(words, at, out); at += out->length)
        if (out->opcode >= first && out->opcode <= last && operand(words, out, i) == id)
            return true;
    return false;
}

size_t sl_spirv_constant_bytes(const void *bytes, size_t size, uint32_t spec_id)
{
    struct words words = words_of(bytes, size);
    struct instruction constant, type;
    uint32_t id = find_decorated(&words, spec_id);
    if (!id || !find(&words, OP_SPEC_CONSTANT_TRUE, OP_SPEC_CONSTANT, 2, id, &constant))
        return 0;
    if (constant.opcode != OP_SPEC_CONSTANT)
        return 1;
    if (!find(&words, OP_TYPE_INT, OP_TYPE_FLOAT, 1, operand(&words, &constant, 1), &type))
        return 0;
    uint32_t bits = operand(&words, &type, 2);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}
