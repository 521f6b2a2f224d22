/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Whatever is wrong in a rule ends it: nothing else is asked of it. */
#include "program/object/work_rule.h"

#include <stdbool.h>
#include <string.h>

#include "sluice/work_rule.h"

struct stack {
    uint64_t numbers[SL_WORK_RULE_DEPTH];
    unsigned count;
};

static bool push(struct stack *stack, uint64_t number)
{
    if (stack->count == SL_WORK_RULE_DEPTH)
        return false;
    stack->numbers[stack->count++] = number;
    return true;
}

static uint64_t low(uint64_t number, unsigned bits)
{
    return bits >= 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

/* Ordered as numbers with sign of so many bits are. */
static uint64_t in_order(uint64_t number, unsigned bits)
{
    return low(number ^ (UINT64_C(1) << (bits - 1)), bits);
}

/* Digits up to what is not one. */
static bool read_number(const char **text, uint64_t *number)
{
    const char *at = *text;
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
            return false;
    bool any = at != *text;
    *text = at;
    return any;
}

static bool read_bits(const char **text, unsigned *bits)
{
    uint64_t number;
    if (!read_number(text, &number) || !number || number > 64)
        return false;
    *bits = (unsigned)number;
    return true;
}

static bool after_point(const char **text, unsigned *bits)
{
    return *(*text)++ == '.' && read_bits(text, bits);
}

static bool argument(const char **text, const struct sl_kernel_info *info,
                     const unsigned char *values, struct stack *stack)
{
    uint64_t number, value = 0;
    unsigned bits;
    if (!read_number(text, &number) || !after_point(text, &bits) || number >= info->arg_count)
        return false;
    const struct sl_arg_info *arg = &info->args[number];
    if (arg->kind != SL_ARG_VALUE || bits % 8 || bits / 8 > arg->size)
        return false;
    memcpy(&value, values + arg->offset, bits / 8);
    return push(stack, value);
}

static bool extend(const char **text, struct stack *stack)
{
    unsigned from, to;
    if (!read_bits(text, &from) || !after_point(text, &to) || !stack->count)
        return false;
    uint64_t *top = &stack->numbers[stack->count - 1], sign = UINT64_C(1) << (from - 1);
    *top = low((low(*top, from) ^ sign) - sign, to);
    return true;
}

static bool compute(char operation, unsigned bits, uint64_t *a, uint64_t b)
{
    bool more;
    switch (operation) {
    case '+':
        *a = low(*a + b, bits);
        return true;
    case '*':
        *a = low(*a * b, bits);
        return true;
    case '/':
        *a = b ? *a / b : 0;
        return b;
    case 'G':
        more = in_order(b, bits) > in_order(*a, bits);
        break;
    case 'L':
        more = in_order(b, bits) < in_order(*a, bits);
        break;
    case 'g':
        more = b > *a;
        break;
    case 'l':
        more = b < *a;
        break;
    default:
        return false;
    }
    *a = more ? b : *a;
    return true;
}

static bool saturate(char operation, uint64_t *a, uint64_t b)
{
    if (operation == 'S' ? __builtin_add_overflow(*a, b, a) : __builtin_mul_overflow(*a, b, a))
        *a = UINT64_MAX;
    return true;
}

static bool binary(char operation, const char **text, struct stack *stack)
{
    unsigned bits = 64;
    bool saturates = operation == 'S' || operation == 'P';
    if ((!saturates && !read_bits(text, &bits)) || stack->count < 2)
        return false;
    uint64_t b = stack->numbers[--stack->count], *a = &stack->numbers[stack->count - 1];
    return saturates ? saturate(operation, a, b) : compute(operation, bits, a, b);
}

static bool truncate(const char **text, struct stack *stack)
{
    unsigned bits;
    if (!read_bits(text, &bits) || !stack->count)
        return false;
    stack->numbers[stack->count - 1] = low(stack->numbers[stack->count - 1], bits);
    return true;
}

static bool word(const char **text, const struct sl_kernel_info *info, const unsigned char *values,
                 struct stack *stack)
{
    uint64_t number;
    char first = **text;
    if (first >= '0' && first <= '9')
        return read_number(text, &number) && push(stack, number);
    ++*text;
    switch (first) {
    case 'a':
        return argument(text, info, values, stack);
    case 's':
        return extend(text, stack);
    case 't':
        return truncate(text, stack);
    default:
        return binary(first, text, stack);
    }
}

uint64_t sl_work_by_rule(const struct sl_kernel_info *info, const unsigned char *values)
{
    struct stack stack = {.count = 0};
    for (const char *at = info->work_rule; *at; at += *at == ' ')
        if (!word(&at, info, values, &stack) || (*at && *at != ' '))
            return UINT64_MAX;
    return stack.count == 1 ? stack.numbers[0] : UINT64_MAX;
}
