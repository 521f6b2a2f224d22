/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of a random kernel as OpenCL C. No shared state. */
#include "kernel_text.h"

static void print_members(struct printer *w, const struct record *r)
{
    fprintf(w->to, "struct t%u {\n", r->type);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct var *var = &w->p->vars[r->first + i];
        fputs("    ", w->to);
        print_type(w, var->type.base, var->type.width);
        fprintf(w->to, " m%u", i);
        if (var->length)
            fprintf(w->to, "[%u]", var->length);
        fputs(";\n", w->to);
    }
    fputs("};\n", w->to);
}

void print_record_types(struct printer *w)
{
    for (uint32_t i = 0; i < w->p->record_count; i++)
        if (w->p->records[i].type == i)
            print_members(w, &w->p->records[i]);
}

static int is_plain(const struct printer *w, const struct record *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (w->p->vars[r->first + i].length)
            return 0;
    return 1;
}

static void print_member(struct printer *w, const struct stmt *s)
{
    const struct var *var = &w->p->vars[s->index];
    if (var->length)
        print_line(w, "for (int q = 0; q < %u; q++)\n    ", var->length);
    print_line(w, "%s", "");
    print_var(w, s->index);
    fputs(var->length ? "[q] = " : " = ", w->to);
    print_expr(w, s->e);
    fputs(";\n", w->to);
}

/* As a copy, with all values at once, or member by member. */
void print_record(struct printer *w, const struct stmt *s)
{
    const struct record *r = &w->p->records[s->index];
    print_line(w, "struct t%u q%u", r->type, s->index);
    if (!s->body) {
        fprintf(w->to, " = q%u;\n", (uint32_t)s->number);
    } else if (is_plain(w, r) && s->index % 2) {
        for (const struct stmt *m = s->body; m; m = m->next) {
            fputs(m == s->body ? " = {" : ", ", w->to);
            print_operand(w, m->e, 0);
        }
        fputs("};\n", w->to);
    } else {
        fputs(";\n", w->to);
        for (const struct stmt *m = s->body; m; m = m->next)
            print_member(w, m);
    }
}

void print_param(struct printer *w, uint32_t index)
{
    const struct var *var = &w->p->vars[index];
    if (var->record && var->member)
        return;
    fputs(", ", w->to);
    if (var->record) {
        fprintf(w->to, "struct t%u q%u", w->p->records[var->record - 1].type, var->record - 1);
        return;
    }
    print_type(w, var->type.base, var->type.width);
    fprintf(w->to, var->pointed ? " *v%u" : " v%u", index);
}
