/* SPDX-License-Identifier: Apache-2.0 */
/* The header, and the words cut into instructions. Nothing behind this file sees other bounds. */
#include <string.h>

#include "spirv/grammar/grammar.h"
#include "spirv/module/module.h"

enum {
    HEADER_WORDS = 5,
    MAGIC = 0x07230203,
    MAGIC_TURNED = 0x03022307,
    MOST_IDS = 0x3fffff, /* what the specification asks of every reader (2.17) */
    EXCEPTION_TABLE =
        0x3b031b01, /* how .eh_frame_hdr begins, which follows the data of a library */
};

static uint32_t read_word(const void *bytes, size_t index)
{
    uint32_t word;
    memcpy(&word, (const char *)bytes + index * sizeof word, sizeof word);
    return word;
}

bool sl_spirv_is(const void *bytes, size_t byte_count)
{
    if (byte_count < sizeof(uint32_t))
        return false;
    uint32_t first = read_word(bytes, 0);
    return first == MAGIC || first == MAGIC_TURNED;
}

static int copy_words(struct sl_spirv *s)
{
    const struct sl_spirv_input *input = s->input;
    if (!sl_spirv_is(input->bytes, input->byte_count))
        return sl_spirv_fail(s, NULL, "the first word is not SPIR-V's");
    if (input->byte_count % sizeof *s->words || input->byte_count / sizeof *s->words < HEADER_WORDS)
        return sl_spirv_fail(s, NULL, "%zu bytes are no module", input->byte_count);
    if (input->byte_count / sizeof *s->words >= UINT32_MAX)
        return sl_spirv_fail(s, NULL, "the module is too large");
    bool turned = read_word(input->bytes, 0) == MAGIC_TURNED;
    s->word_count = input->byte_count / sizeof *s->words;
    s->words = sl_spirv_allocate(s, s->word_count, sizeof *s->words);
    for (size_t w = 0; s->words && w < s->word_count; w++) {
        uint32_t word = read_word(input->bytes, w);
        s->words[w] = turned ? __builtin_bswap32(word) : word;
    }
    return s->words ? 0 : -1;
}

static int read_header(struct sl_spirv *s)
{
    s->version = s->words[1];
    s->bound = s->words[3];
    if (s->version & 0xff0000ffu || s->version < 0x10000 || s->version > 0x10600)
        return sl_spirv_fail(s, NULL, "version %u.%u is not known, only 1.0 to 1.6",
                             s->version >> 16, s->version >> 8 & 255);
    if (!s->bound || s->bound > MOST_IDS)
        return sl_spirv_fail(s, NULL, "%u as the bound of ids, which is 1 to %d", s->bound,
                             MOST_IDS);
    if (s->words[4])
        return sl_spirv_fail(s, NULL, "schema %u is not known", s->words[4]);
    s->ids = sl_spirv_allocate(s, s->bound, sizeof *s->ids);
    return s->ids ? 0 : -1;
}

/* Type and result are words like all others until the table says what they are. */
static int cut_one(struct sl_spirv *s, size_t offset, struct sl_spirv_instruction *i)
{
    uint32_t first = s->words[offset], words = first >> 16, taken = 1;
    *i = (struct sl_spirv_instruction){.opcode = (uint16_t)first, .offset = offset};
    const struct sl_spirv_row *row = sl_spirv_find_opcode(i->opcode);
    if (!words || words > s->word_count - offset)
        return sl_spirv_fail(s, i, "%u words, but %zu are left of the module", words,
                             s->word_count - offset);
    if (!row)
        return sl_spirv_fail(s, i, "opcode %u is not known", i->opcode);
    if (words < 1u + sl_spirv_has_type(row) + sl_spirv_has_result(row))
        return sl_spirv_fail(s, i, "has too few operands");
    if (sl_spirv_has_type(row))
        i->type = s->words[offset + taken++];
    if (sl_spirv_has_result(row))
        i->result = s->words[offset + taken++];
    i->operands = s->words + offset + taken;
    i->operand_count = (uint16_t)(words - taken);
    return 0;
}

/* Tools that cut modules out of libraries go on as long as words look like instructions. */
static void drop_table_behind(struct sl_spirv *s)
{
    for (size_t w = HEADER_WORDS; w < s->word_count && s->words[w] >> 16; w += s->words[w] >> 16)
        if (s->words[w] == EXCEPTION_TABLE)
            s->word_count = w;
}

static uint32_t count_instructions(const struct sl_spirv *s)
{
    uint32_t count = 0;
    for (size_t w = HEADER_WORDS; w < s->word_count; count++)
        w += s->words[w] >> 16 ? s->words[w] >> 16 : s->word_count;
    return count;
}

int sl_spirv_split_words(struct sl_spirv *s)
{
    if (copy_words(s) || read_header(s))
        return -1;
    drop_table_behind(s);
    uint32_t count = count_instructions(s);
    s->instructions = sl_spirv_allocate(s, count + 1, sizeof *s->instructions);
    if (!s->instructions)
        return -1;
    for (size_t w = HEADER_WORDS; w < s->word_count; w += s->words[w] >> 16)
        if (cut_one(s, w, &s->instructions[s->instruction_count++]))
            return -1;
    return 0;
}
