/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structural check: each instruction has the operands that the grammar wants, each id is
 * defined once and each that is used is defined, functions and blocks open and close. What types
 * must fit is left to those who translate: they know.
 */
#include <string.h>

#include "spirv/grammar/grammar.h"
#include "spirv/module/module.h"

struct cursor { /* over the operands of one instruction */
    struct sl_spirv *s;
    const struct sl_spirv_instruction *i;
    uint32_t at;
};

static int match(struct cursor *c, const char *pattern);

/* ---- ids ------------------------------------------------------------------------------------- */

static bool is_named(const char *name, const char *prefix)
{
    return !strncmp(name, prefix, strlen(prefix));
}

static bool defines_type(const struct sl_spirv_instruction *i)
{
    return is_named(sl_spirv_opcode_name(i->opcode), "OpType") && i->result;
}

/* Names and decorations of what was optimised away are left behind by some compilers. */
static bool may_dangle(const struct sl_spirv_instruction *i)
{
    const char *name = sl_spirv_opcode_name(i->opcode);
    return strstr(name, "Decorat") || strstr(name, "Name") || i->opcode == OpTypeForwardPointer;
}

static int check_id(struct sl_spirv *s, const struct sl_spirv_instruction *i, uint32_t id)
{
    if (!id || id >= s->bound)
        return sl_spirv_fail(s, i, "id %u is not within the bound %u", id, s->bound);
    if (!s->ids[id].definition && !may_dangle(i))
        return sl_spirv_fail(s, i, "id %u is not defined", id);
    return 0;
}

static int note_definitions(struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        struct sl_spirv_instruction *i = &s->instructions[n];
        if (!sl_spirv_has_result(sl_spirv_find_opcode(i->opcode)))
            continue;
        if (!i->result || i->result >= s->bound)
            return sl_spirv_fail(s, i, "id %u is not within the bound %u", i->result, s->bound);
        if (s->ids[i->result].definition)
            return sl_spirv_fail(s, i, "id %u is defined twice", i->result);
        s->ids[i->result].definition = n + 1;
    }
    return 0;
}

/* ---- operands -------------------------------------------------------------------------------- */

static int too_few(struct cursor *c)
{
    return sl_spirv_fail(c->s, c->i, "has too few operands");
}

static int take_id(struct cursor *c)
{
    if (c->at >= c->i->operand_count)
        return too_few(c);
    return check_id(c->s, c->i, c->i->operands[c->at++]);
}

static int take_text(struct cursor *c)
{
    for (; c->at < c->i->operand_count; c->at++)
        if (memchr(&c->i->operands[c->at], 0, sizeof(uint32_t)))
            return c->at++, 0;
    return sl_spirv_fail(c->s, c->i, "has a text without an end");
}

static int take_rest(struct cursor *c, uint32_t least)
{
    if (c->i->operand_count - c->at < least)
        return too_few(c);
    c->at = c->i->operand_count;
    return 0;
}

static int take_masked(struct cursor *c, const char *const patterns[], unsigned count)
{
    if (c->at >= c->i->operand_count)
        return too_few(c);
    uint32_t mask = c->i->operands[c->at++];
    for (unsigned bit = 0; bit < count; bit++)
        if (mask >> bit & 1 && patterns[bit] && match(c, patterns[bit]))
            return -1;
    return 0;
}

static int take_memory_access(struct cursor *c)
{
    static const char *const patterns[18] = {
        [1] = "n", [3] = "i", [4] = "i", [16] = "i", [17] = "i"};
    return take_masked(c, patterns, 18);
}

static int take_image_operands(struct cursor *c)
{
    static const char *const patterns[17] = {"i", "i", "ii", "i", "i", "i",       "i",
                                             "i", "i", "i",  0,   0,   [16] = "i"};
    return take_masked(c, patterns, 17);
}

/* What no table knows says nothing about its operands either. */
static int take_of_table(struct cursor *c, const struct sl_spirv_row *(*find)(uint32_t))
{
    if (c->at >= c->i->operand_count)
        return too_few(c);
    const struct sl_spirv_row *row = find(c->i->operands[c->at++]);
    if (row && match(c, row->operands))
        return -1;
    return take_rest(c, 0);
}

static int take_specialized(struct cursor *c)
{
    if (c->at >= c->i->operand_count)
        return too_few(c);
    const struct sl_spirv_row *row = sl_spirv_find_opcode(c->i->operands[c->at++]);
    if (!row || !sl_spirv_has_type(row) || !sl_spirv_has_result(row))
        return sl_spirv_fail(c->s, c->i, "%s is no operation", row ? row->name : "this opcode");
    return match(c, row->operands + 2);
}

static int selector_words(struct cursor *c)
{
    const struct sl_spirv_instruction *value = sl_spirv_definition(c->s, c->i->operands[0]);
    const struct sl_spirv_instruction *type =
        value && value->type ? sl_spirv_definition(c->s, value->type) : NULL;
    if (!type || type->opcode != OpTypeInt)
        return sl_spirv_fail(c->s, c->i, "the selector is no integer");
    return type->operands[0] > 32 ? 2 : 1;
}

static int take_case(struct cursor *c)
{
    int words = selector_words(c);
    if (words < 0 || c->i->operand_count - c->at < (uint32_t)words)
        return words < 0 ? -1 : too_few(c);
    c->at += (uint32_t)words;
    return take_id(c);
}

static int take(struct cursor *c, char letter)
{
    switch (letter) {
    case 'i':
        return take_id(c);
    case 'n':
        return c->at < c->i->operand_count ? (c->at++, 0) : too_few(c);
    case 's':
        return take_text(c);
    case 'c':
        return take_rest(c, 1);
    case 'o':
        return take_specialized(c);
    case 'w':
        return take_case(c);
    case 'M':
        return take_memory_access(c);
    case 'I':
        return take_image_operands(c);
    case 'L':
        return take_rest(c, 1);
    case 'D':
        return take_of_table(c, sl_spirv_find_decoration);
    case 'X':
        return take_of_table(c, sl_spirv_find_execution_mode);
    case 'P':
        while (c->at < c->i->operand_count)
            if (match(c, "in"))
                return -1;
        return 0;
    }
    return 0;
}

static int match(struct cursor *c, const char *pattern)
{
    for (; *pattern; pattern++) {
        char quantifier = pattern[1] == '?' || pattern[1] == '*' ? pattern[1] : 0;
        do {
            if (quantifier && c->at >= c->i->operand_count)
                break;
            if (take(c, *pattern))
                return -1;
        } while (quantifier == '*');
        pattern += quantifier != 0;
    }
    return 0;
}

static int check_operands(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_row *row = sl_spirv_find_opcode(i->opcode);
    struct cursor c = {.s = s, .i = i};
    if (i->type && check_id(s, i, i->type))
        return -1;
    if (sl_spirv_has_type(row)) {
        const struct sl_spirv_instruction *type = sl_spirv_definition(s, i->type);
        if (!type || !defines_type(type))
            return sl_spirv_fail(s, i, "id %u is no type", i->type);
    }
    if (match(&c, row->operands + sl_spirv_has_type(row) + sl_spirv_has_result(row)))
        return -1;
    if (c.at < i->operand_count)
        return sl_spirv_fail(s, i, "has too many operands");
    return 0;
}

/* ---- order ----------------------------------------------------------------------------------- */

enum place { OUTSIDE, AT_PARAMETERS, BETWEEN_BLOCKS, IN_BLOCK };

static bool belongs_outside(uint16_t opcode)
{
    static const char *const prefixes[] = {"OpType",         "OpConstant",       "OpSpecConstant",
                                           "OpSource",       "OpMemberDecorate", "OpDecorat",
                                           "OpGroupDecorate"};
    const char *name = sl_spirv_opcode_name(opcode);
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++)
        if (is_named(name, prefixes[p]))
            return true;
    return opcode == OpCapability || opcode == OpExtension || opcode == OpExtInstImport ||
           opcode == OpMemoryModel || opcode == OpEntryPoint || opcode == OpExecutionMode ||
           opcode == OpExecutionModeId || opcode == OpString || opcode == OpName ||
           opcode == OpMemberName;
}

static bool belongs_anywhere(uint16_t opcode)
{
    switch (opcode) {
    case OpNop:
    case OpLine:
    case OpNoLine:
    case OpExtInst:
    case OpModuleProcessed:
    case OpAliasDomainDeclINTEL:
    case OpAliasScopeDeclINTEL:
    case OpAliasScopeListDeclINTEL:
        return true;
    }
    return false;
}

static bool ends_block(uint16_t opcode)
{
    return (opcode >= OpBranch && opcode <= OpUnreachable) || opcode == OpTerminateInvocation;
}

static int step_into(struct sl_spirv *s, const struct sl_spirv_instruction *i, enum place *place)
{
    if (i->opcode == OpFunction) {
        *place = AT_PARAMETERS;
        return 0;
    }
    if (belongs_outside(i->opcode) || i->opcode == OpVariable || i->opcode == OpUndef)
        return 0;
    return sl_spirv_fail(s, i, "stands outside of functions");
}

static int step_between(struct sl_spirv *s, const struct sl_spirv_instruction *i, enum place *place)
{
    if (i->opcode == OpFunctionParameter && *place == AT_PARAMETERS)
        return 0;
    if (i->opcode != OpLabel && i->opcode != OpFunctionEnd)
        return sl_spirv_fail(s, i, "stands between blocks");
    *place = i->opcode == OpLabel ? IN_BLOCK : OUTSIDE;
    return 0;
}

static int step_block(struct sl_spirv *s, const struct sl_spirv_instruction *i, enum place *place)
{
    if (belongs_outside(i->opcode) || i->opcode == OpFunction || i->opcode == OpLabel ||
        i->opcode == OpFunctionParameter || i->opcode == OpFunctionEnd)
        return sl_spirv_fail(s, i, "stands within a block");
    if (ends_block(i->opcode))
        *place = BETWEEN_BLOCKS;
    return 0;
}

static int check_order(struct sl_spirv *s)
{
    enum place place = OUTSIDE;
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (belongs_anywhere(i->opcode))
            continue;
        int rc = place == OUTSIDE    ? step_into(s, i, &place)
                 : place == IN_BLOCK ? step_block(s, i, &place)
                                     : step_between(s, i, &place);
        if (rc)
            return -1;
    }
    return place == OUTSIDE ? 0 : sl_spirv_fail(s, NULL, "the last function has no end");
}

int sl_spirv_check(struct sl_spirv *s)
{
    if (note_definitions(s))
        return -1;
    for (uint32_t n = 0; n < s->instruction_count; n++)
        if (check_operands(s, &s->instructions[n]))
            return -1;
    return check_order(s);
}
