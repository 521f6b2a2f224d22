/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a random kernel as OpenCL C. No shared state. */
#include "kernel_text.h"

/* ---- types ----------------------------------------------------------------------------------- */

void print_type(struct printer *w, enum base base, uint32_t width)
{
    fputs(base_name(base), w->to);
    if (width > 1)
        fprintf(w->to, "%u", width);
}

static enum base unsigned_base(enum base base)
{
    return base_is_signed(base) ? base + 1 : base;
}

/* In which wrap-around arithmetic is done: of at least 32 bits for scalars. */
static enum base wide_base(const struct type *type)
{
    enum base base = unsigned_base(type->base);
    return type->width == 1 && base_bytes(base) < 4 ? U32 : base;
}

void print_input(struct printer *w, uint32_t which)
{
    fprintf(w->to, "%s const %s *i%u", w->p->constant[which] ? "constant" : "global",
            base_name(w->p->inputs[which]), which);
}

void print_var(struct printer *w, uint32_t index)
{
    const struct var *var = &w->p->vars[index];
    if (var->record)
        fprintf(w->to, "q%u.m%u", var->record - 1, var->member);
    else
        fprintf(w->to, var->pointed ? "(*v%u)" : "v%u", index);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void print_number(struct printer *w, const struct expr *e)
{
    long long x = e->number;
    if (base_is_float(e->type.base))
        fprintf(w->to, e->type.base == F32 ? "%lld.0f" : "%lld.0", x);
    else if (e->type.base == I32 && x >= 0)
        fprintf(w->to, "%lld", x);
    else if (x > INT32_MIN && x < INT32_MAX)
        fprintf(w->to, "(%s)%lld", base_name(e->type.base), x);
    else
        fprintf(w->to, "(%s)0x%llxUL", base_name(e->type.base), (unsigned long long)x);
}

static void print_id(struct printer *w, uint32_t id)
{
    static const char *const names[] = {"global_id",   "local_id",   "group_id",
                                        "global_size", "local_size", "num_groups"};
    static const char *const kept[] = {"item", "items", "local_item", "local_items"};
    if (id >= ID_ITEM)
        fputs(kept[id - ID_ITEM], w->to);
    else if (id == ID_DIM)
        fputs("get_work_dim()", w->to);
    else
        fprintf(w->to, "get_%s(%u)", names[id / 3], id % 3);
}

static const char *sign_of(enum op op)
{
    static const char *const signs[] = {
        [X_ADD] = "+", [X_SUB] = "-", [X_MUL] = "*",   [X_AND] = "&",
        [X_OR] = "|",  [X_XOR] = "^", [X_SHL] = "<<",  [X_SHR] = ">>",
        [X_DIV] = "/", [X_MOD] = "%", [X_LT] = "<",    [X_LE] = "<=",
        [X_EQ] = "==", [X_NE] = "!=", [X_LAND] = "&&", [X_LOR] = "||",
    };
    return signs[op];
}

/* An operand, in the unsigned type that wraps if so asked. */
void print_operand(struct printer *w, const struct expr *e, int wraps)
{
    if (wraps && e->type.width > 1)
        fprintf(w->to, "as_%s%u", base_name(unsigned_base(e->type.base)), e->type.width);
    else if (wraps)
        fprintf(w->to, "(%s)", base_name(wide_base(&e->type)));
    fputc('(', w->to);
    print_expr(w, e);
    fputc(')', w->to);
}

static void print_cast(struct printer *w, const struct type *type)
{
    if (type->width > 1)
        fprintf(w->to, "as_%s%u", base_name(type->base), type->width);
    else
        fprintf(w->to, "(%s)", base_name(type->base));
}

static void print_binary(struct printer *w, const struct expr *e)
{
    int is_float = base_is_float(e->type.base), shift = e->op == X_SHL || e->op == X_SHR;
    int narrow = e->type.width == 1 && !is_float && base_bytes(e->type.base) < 4;
    int wraps = !is_float && (e->op == X_SHL || ((e->wraps || narrow) && e->op <= X_MUL));
    int logic = e->op >= X_LT;
    if (!logic && (wraps || narrow))
        print_cast(w, &e->type);
    fputc('(', w->to);
    print_operand(w, e->args[0], wraps && !logic);
    fprintf(w->to, " %s ", sign_of(e->op));
    if (shift)
        fputc('(', w->to);
    print_operand(w, e->args[1], wraps && !logic);
    if (shift && e->type.width > 1)
        fprintf(w->to, " & (%s%u)(%u))",
                base_name(wraps ? unsigned_base(e->type.base) : e->type.base), e->type.width,
                (unsigned)base_bytes(e->type.base) * 8 - 1);
    else if (shift)
        fprintf(w->to, " & %u)", (unsigned)base_bytes(e->type.base) * 8 - 1);
    fputc(')', w->to);
}

/* Exactly of its type, which overloads need. */
static void print_arg(struct printer *w, const struct expr *e)
{
    if (e->type.width == 1)
        fprintf(w->to, "(%s)", base_name(e->type.base));
    fputc('(', w->to);
    print_expr(w, e);
    fputc(')', w->to);
}

static void print_args(struct printer *w, const struct expr *e)
{
    for (uint32_t i = 0; i < e->count; i++) {
        fputs(i ? ", " : "", w->to);
        print_arg(w, e->args[i]);
    }
}

static void print_builtin(struct printer *w, const struct expr *e)
{
    fprintf(w->to, "%s(", builtin_name(e->index));
    print_args(w, e);
    if (e->index == B_HALVE)
        fputs(e->type.base == F32 ? " * 0.5f" : " * 0.5", w->to);
    fputc(')', w->to);
}

/* Members as a struct, and the address of what is changed. */
static void print_call_args(struct printer *w, const struct expr *e)
{
    const struct function *f = &w->p->functions[e->index];
    for (uint32_t i = 0; i < e->count; i++) {
        const struct var *param = &w->p->vars[f->first_param + i];
        const struct record *r = param->record ? &w->p->records[param->record - 1] : NULL;
        fputs(i ? ", " : "", w->to);
        if (r && !param->member)
            fprintf(w->to, "(struct t%u){", r->type);
        if (param->pointed) {
            fputc('&', w->to);
            print_var(w, e->args[i]->index);
        } else {
            print_arg(w, e->args[i]);
        }
        if (r && param->member + 1 == r->count)
            fputc('}', w->to);
    }
}

static void print_call(struct printer *w, const struct expr *e)
{
    fprintf(w->to, "f%u(", e->index);
    for (uint32_t i = 0; i < INPUTS; i++)
        fprintf(w->to, "i%u, ", i);
    print_call_args(w, e);
    fputc(')', w->to);
}

static void print_rearranged(struct printer *w, const struct expr *e)
{
    if (e->op == X_SWIZZLE) {
        print_operand(w, e->args[0], 0);
        fputs(".s", w->to);
        for (uint32_t i = 0; i < e->type.width; i++)
            fprintf(w->to, "%u", e->lanes[i]);
        return;
    }
    fputc('(', w->to);
    print_type(w, e->type.base, e->type.width);
    fputs(")(", w->to);
    print_args(w, e);
    fputc(')', w->to);
}

static void print_conversion(struct printer *w, const struct expr *e)
{
    if (e->type.width > 1)
        fputs("convert_", w->to);
    else
        fputc('(', w->to);
    print_type(w, e->type.base, e->type.width);
    if (e->type.width == 1)
        fputc(')', w->to);
    print_operand(w, e->args[0], 0);
}

void print_own(struct printer *w, uint32_t which)
{
    const struct output *out = &w->p->outputs[which];
    fprintf(w->to, out->backwards ? "(items - 1 - item)" : "item");
    if (out->slots > 1)
        fprintf(w->to, " * %u", out->slots);
}

static void print_local(struct printer *w, const struct expr *e)
{
    const uint32_t width = w->p->local_width;
    if (e->index == ANY_COMPONENT) {
        fputs("shared[(", w->to);
        print_expr(w, e->args[0]);
        fprintf(w->to, ") / %u][(", width);
        print_expr(w, e->args[0]);
        fprintf(w->to, ") %% %u]", width);
        return;
    }
    fputs("shared[", w->to);
    print_expr(w, e->args[0]);
    fputc(']', w->to);
    if (width > 1)
        fprintf(w->to, ".s%u", e->index);
}

static void print_load(struct printer *w, const struct expr *e)
{
    if (e->op == X_LOCAL) {
        print_local(w, e);
        return;
    }
    if (e->op == X_VLOAD) {
        fprintf(w->to, "vload%u(", e->type.width);
        print_expr(w, e->args[0]);
        fprintf(w->to, ", i%u)", e->index);
        return;
    }
    if (e->op == X_POINTER)
        fprintf(w->to, "((%s const %s%u *)i%u)", w->p->constant[e->index] ? "constant" : "global",
                base_name(e->type.base), e->type.width, e->index);
    else if (e->op == X_OWN)
        fprintf(w->to, "o%u", e->index);
    else if (e->op == X_ELEMENT)
        print_var(w, e->index);
    else
        fprintf(w->to, "i%u", e->index);
    fputc('[', w->to);
    if (e->op == X_OWN) {
        fprintf(w->to, "%d + ", PAD);
        print_own(w, e->index);
        fputs(" + ", w->to);
    }
    print_expr(w, e->args[0]);
    fputc(']', w->to);
}

static void print_choice(struct printer *w, const struct expr *e)
{
    fputs("((", w->to);
    print_expr(w, e->args[0]);
    fputs(") ? (", w->to);
    print_expr(w, e->args[1]);
    fputs(") : (", w->to);
    print_expr(w, e->args[2]);
    fputs("))", w->to);
}

void print_expr(struct printer *w, const struct expr *e)
{
    switch (e->op) {
    case X_CONST:
        print_number(w, e);
        break;
    case X_VAR:
        print_var(w, e->index);
        break;
    case X_ARG:
        fprintf(w->to, "a%u", e->index);
        break;
    case X_ID:
        print_id(w, e->index);
        break;
    case X_CAST:
        print_conversion(w, e);
        break;
    case X_SPLAT:
    case X_BUILD:
    case X_SWIZZLE:
        print_rearranged(w, e);
        break;
    case X_NOT:
        if (e->type.width == 1)
            print_cast(w, &e->type);
        fputs("(~", w->to);
        print_operand(w, e->args[0], 0);
        fputc(')', w->to);
        break;
    case X_LNOT:
        fputc('!', w->to);
        print_operand(w, e->args[0], 0);
        break;
    case X_CHOOSE:
        print_choice(w, e);
        break;
    case X_SELECT:
    case X_ANY:
    case X_ALL:
        fputs(e->op == X_SELECT ? "select(" : e->op == X_ANY ? "any(" : "all(", w->to);
        print_args(w, e);
        fputc(')', w->to);
        break;
    case X_CALL:
        print_call(w, e);
        break;
    case X_BUILTIN:
        print_builtin(w, e);
        break;
    default:
        if (e->op >= X_LOAD)
            print_load(w, e);
        else
            print_binary(w, e);
    }
}
