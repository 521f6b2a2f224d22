/* SPDX-License-Identifier: Apache-2.0 */
/* Names and decorations, kept with the ids that they speak of. */
#include "spirv/module/module.h"

enum { MOST_ANNOTATIONS = 1000 }; /* of one id: they are looked through for each use of it */

static int annotate(struct sl_spirv *s, uint32_t id, struct sl_spirv_annotation row)
{
    if (row.member == SL_SPIRV_WHOLE && ++s->ids[id].annotation_count > MOST_ANNOTATIONS)
        return sl_spirv_fail(s, NULL, "id %u has more than %d decorations", id, MOST_ANNOTATIONS);
    struct sl_spirv_annotation *copy = sl_spirv_allocate(s, 1, sizeof *copy);
    if (!copy)
        return -1;
    *copy = row;
    copy->next = s->ids[id].annotations;
    s->ids[id].annotations = copy;
    return 0;
}

static int decorate(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    return annotate(s, i->operands[0],
                    (struct sl_spirv_annotation){.member = SL_SPIRV_WHOLE,
                                                 .decoration = i->operands[1],
                                                 .literals = i->operands + 2,
                                                 .count = i->operand_count - 2u});
}

static int decorate_member(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (i->operand_count < 3)
        return sl_spirv_fail(s, i, "has too few operands");
    return annotate(s, i->operands[0],
                    (struct sl_spirv_annotation){.member = i->operands[1],
                                                 .decoration = i->operands[2],
                                                 .literals = i->operands + 3,
                                                 .count = i->operand_count - 3u});
}

static int decorate_as_group(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    bool members = i->opcode == OpGroupMemberDecorate;
    uint32_t group = i->operands[0];
    for (unsigned k = 1; k + members < i->operand_count; k += 1 + members) {
        if (i->operands[k] == group)
            return sl_spirv_fail(s, i, "the group decorates itself");
        for (struct sl_spirv_annotation *a = s->ids[group].annotations; a; a = a->next) {
            struct sl_spirv_annotation row = *a;
            row.member = members ? i->operands[k + 1] : SL_SPIRV_WHOLE;
            if (annotate(s, i->operands[k], row))
                return -1;
        }
    }
    return 0;
}

static int read_one(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpName:
        if (*(const char *)(i->operands + 1))
            s->ids[i->operands[0]].name = (const char *)(i->operands + 1);
        return 0;
    case OpDecorate:
    case OpDecorateId:
    case OpDecorateString:
        return decorate(s, i);
    case OpMemberDecorate:
    case OpMemberDecorateString:
        return decorate_member(s, i);
    case OpGroupDecorate:
    case OpGroupMemberDecorate:
        return decorate_as_group(s, i);
    }
    return 0;
}

int sl_spirv_read_annotations(struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode == OpFunction)
            return 0;
        if (read_one(s, i))
            return -1;
    }
    return 0;
}
