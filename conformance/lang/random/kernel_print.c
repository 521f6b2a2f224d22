/* SPDX-License-Identifier: Apache-2.0 */
/* Statements and the whole of a random kernel as OpenCL C. No shared state. */
#include "kernel_text.h"

#include <stdarg.h>

static void print_block(struct printer *w, const struct stmt *s);

void print_line(struct printer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(w->to, "%*s", w->depth * 4, "");
    vfprintf(w->to, format, args);
    va_end(args);
}

static void print_indented(struct printer *w, const struct stmt *s)
{
    w->depth++;
    print_block(w, s);
    w->depth--;
}

static void print_declaration(struct printer *w, const struct stmt *s)
{
    const struct var *var = &w->p->vars[s->index];
    print_line(w, "%s", "");
    print_type(w, var->type.base, var->type.width);
    fprintf(w->to, " v%u", s->index);
    if (!var->length) {
        fputs(" = ", w->to);
        print_expr(w, s->e);
        fputs(";\n", w->to);
        return;
    }
    fprintf(w->to, "[%u];\n", var->length);
    print_line(w, "for (int q = 0; q < %u; q++)\n", var->length);
    print_line(w, "    v%u[q] = ", s->index);
    print_expr(w, s->e);
    fputs(";\n", w->to);
}

static void print_assignment(struct printer *w, const struct stmt *s)
{
    print_line(w, "%s", "");
    print_var(w, s->index);
    if (s->kind == S_LANE)
        fprintf(w->to, ".s%u", (unsigned)s->number);
    if (s->kind == S_ELEMENT) {
        fputc('[', w->to);
        print_expr(w, s->at);
        fputc(']', w->to);
    }
    fputs(" = ", w->to);
    print_expr(w, s->e);
    fputs(";\n", w->to);
}

static void print_store(struct printer *w, const struct stmt *s)
{
    const struct output *out = &w->p->outputs[s->index];
    if (s->kind == S_VSTORE) {
        print_line(w, "vstore%u(", out->slots);
        print_expr(w, s->e);
        fprintf(w->to, ", %s, o%u + %d);\n", out->backwards ? "(items - 1 - item)" : "item",
                s->index, PAD);
        return;
    }
    if (s->kind == S_POINTER) {
        print_line(w, "((global %s%u *)(o%u + %d))[%s] = ", base_name(out->base), out->slots,
                   s->index, PAD, out->backwards ? "(items - 1 - item)" : "item");
    } else {
        print_line(w, "o%u[%d + ", s->index, PAD);
        print_own(w, s->index);
        fputs(" + ", w->to);
        print_expr(w, s->at);
        fputs("] = ", w->to);
    }
    print_expr(w, s->e);
    fputs(";\n", w->to);
}

static void print_count(struct printer *w, const struct stmt *s)
{
    print_line(w, "atomic_%s(&counters[%u + ", counter_name(s->index), s->index * 4);
    print_operand(w, s->at, 0);
    fputs("], ", w->to);
    print_expr(w, s->e);
    fputs(");\n", w->to);
}

static void print_if(struct printer *w, const struct stmt *s)
{
    print_line(w, "if (");
    print_expr(w, s->e);
    fputs(") {\n", w->to);
    print_indented(w, s->body);
    if (s->other) {
        print_line(w, "} else {\n");
        print_indented(w, s->other);
    }
    print_line(w, "}\n");
}

static void print_for(struct printer *w, const struct stmt *s)
{
    const struct var *var = &w->p->vars[s->index];
    print_line(w, "for (%s v%u = ", base_name(var->type.base), s->index);
    if (s->down)
        print_expr(w, s->e);
    else
        fputc('0', w->to);
    fprintf(w->to, s->down ? "; v%u > 0" : "; v%u < ", s->index);
    if (!s->down)
        print_operand(w, s->e, 0);
    if (s->down)
        fprintf(w->to, "; v%u--) {\n", s->index);
    else
        fprintf(w->to, "; v%u += %u) {\n", s->index, s->step ? s->step : 1);
    print_indented(w, s->body);
    print_line(w, "}\n");
}

static void print_while(struct printer *w, const struct stmt *s)
{
    print_line(w, "{\n");
    w->depth++;
    print_line(w, "int v%u = 0;\n", s->index);
    if (s->kind == S_DO) {
        print_line(w, "do {\n");
    } else {
        print_line(w, "while (v%u < %d && ", s->index, (int)s->number);
        print_operand(w, s->e, 0);
        fputs(") {\n", w->to);
    }
    print_line(w, "    v%u++;\n", s->index);
    print_indented(w, s->body);
    print_line(w, "}");
    if (s->kind == S_DO) {
        fprintf(w->to, " while (v%u < %d && ", s->index, (int)s->number);
        print_operand(w, s->e, 0);
        fputs(");", w->to);
    }
    fputc('\n', w->to);
    w->depth--;
    print_line(w, "}\n");
}

static void print_switch(struct printer *w, const struct stmt *s)
{
    print_line(w, "switch (");
    print_expr(w, s->e);
    fputs(") {\n", w->to);
    for (const struct stmt *at = s->body; at; at = at->next) {
        if (at->is_default)
            print_line(w, "default: {\n");
        else
            print_line(w, "case %d: {\n", (int)at->number);
        print_indented(w, at->body);
        print_line(w, at->falls ? "}\n" : "} break;\n");
    }
    print_line(w, "}\n");
}

static void print_return(struct printer *w, const struct stmt *s)
{
    print_line(w, "return");
    if (s->e) {
        fputc(' ', w->to);
        print_expr(w, s->e);
    }
    fputs(";\n", w->to);
}

static const char *word_of(enum stmt_kind kind)
{
    return kind == S_BREAK      ? "break"
           : kind == S_CONTINUE ? "continue"
                                : "barrier(CLK_LOCAL_MEM_FENCE)";
}

/* Behind the block that leaves for it. */
static void print_label(struct printer *w, const struct stmt *s)
{
    print_line(w, "{\n");
    print_indented(w, s->body);
    print_line(w, "}\n");
    fprintf(w->to, "l%u:;\n", s->index);
}

static void print_call(struct printer *w, const struct stmt *s)
{
    print_line(w, "%s", "");
    print_var(w, (uint32_t)s->number);
    fputs(" = ", w->to);
    print_expr(w, s->e);
    fputs(";\n", w->to);
}

static void print_shared(struct printer *w, const struct stmt *s)
{
    const char *place = s->down ? "(local_items - 1 - local_item)" : "local_item";
    const uint32_t width = w->p->local_width;
    if (s->index == ANY_COMPONENT)
        print_line(w, "shared[%s / %u][%s %% %u]", place, width, place, width);
    else
        print_line(w, "shared[%s]", place);
    if (s->index != ANY_COMPONENT && width > 1)
        fprintf(w->to, s->number ? ".s%u%u" : ".s%u", s->index, (uint32_t)s->number - 1);
    fputs(s->step ? " += " : " = ", w->to);
    print_expr(w, s->e);
    fputs(";\n", w->to);
}

static void print_sub_group(struct printer *w, const struct stmt *s)
{
    static const char *const names[SUB_GROUP_OPS] = {
        [G_REDUCE_ADD] = "reduce_add",
        [G_REDUCE_MIN] = "reduce_min",
        [G_REDUCE_MAX] = "reduce_max",
        [G_SCAN_INCLUSIVE_ADD] = "scan_inclusive_add",
        [G_SCAN_EXCLUSIVE_ADD] = "scan_exclusive_add",
        [G_ANY] = "any",
        [G_LAST] = "broadcast",
        [G_SHUFFLE] = "shuffle",
    };
    const char *type = base_name(w->p->vars[s->index].type.base);
    print_line(w, "%s v%u = sub_group_%s(", type, s->index, names[s->number]);
    print_expr(w, s->e);
    if (s->number == G_ANY)
        fputs(" != 0", w->to);
    if (s->number == G_LAST)
        fputs(", get_sub_group_size() - 1", w->to);
    if (s->number == G_SHUFFLE) {
        fputs(", (uint)(", w->to);
        print_expr(w, s->at);
        fputs(") % get_sub_group_size()", w->to);
    }
    fputs(");\n", w->to);
}

static void print_stmt(struct printer *w, const struct stmt *s)
{
    switch (s->kind) {
    case S_DECLARE:
    case S_DECLARE_ARRAY:
        print_declaration(w, s);
        break;
    case S_STORE:
    case S_VSTORE:
    case S_POINTER:
        print_store(w, s);
        break;
    case S_COUNT:
        print_count(w, s);
        break;
    case S_IF:
    case S_GROUP_IF:
        print_if(w, s);
        break;
    case S_FOR:
    case S_GROUP_FOR:
        print_for(w, s);
        break;
    case S_WHILE:
    case S_DO:
        print_while(w, s);
        break;
    case S_SWITCH:
        print_switch(w, s);
        break;
    case S_BREAK:
    case S_CONTINUE:
    case S_BARRIER:
        print_line(w, "%s;\n", word_of(s->kind));
        break;
    case S_RETURN:
        print_return(w, s);
        break;
    case S_GOTO:
        print_line(w, "goto l%u;\n", s->index);
        break;
    case S_LABEL:
        print_label(w, s);
        break;
    case S_RECORD:
        print_record(w, s);
        break;
    case S_COPY:
        print_line(w, "q%u = q%u;\n", s->index, (uint32_t)s->number);
        break;
    case S_CALL:
        print_call(w, s);
        break;
    case S_LOCAL:
        print_shared(w, s);
        break;
    case S_SUB_GROUP:
        print_sub_group(w, s);
        break;
    default:
        print_assignment(w, s);
    }
}

static void print_block(struct printer *w, const struct stmt *s)
{
    for (; s; s = s->next)
        print_stmt(w, s);
}

static void print_function(struct printer *w, uint32_t number)
{
    const struct function *f = &w->p->functions[number];
    fputs(f->apart ? "__attribute__((noinline)) " : "", w->to);
    print_type(w, f->type.base, f->type.width);
    fprintf(w->to, " f%u(", number);
    for (uint32_t i = 0; i < INPUTS; i++) {
        fputs(i ? ", " : "", w->to);
        print_input(w, i);
    }
    for (uint32_t i = 0; i < f->param_count; i++)
        print_param(w, f->first_param + i);
    fputs(")\n{\n", w->to);
    print_indented(w, f->body);
    fputs("}\n", w->to);
}

/* What a kernel of one work-item says of itself; other devices than the emulated FPGA pass it over.
 */
static void print_attributes(struct printer *w)
{
    if (w->p->task)
        fputs(w->p->task == 1 ? "__attribute__((max_global_work_dim(0)))\n"
                              : "__attribute__((reqd_work_group_size(1, 1, 1)))\n",
              w->to);
    else
        fputs("#ifdef REQUIRED\n__attribute__((reqd_work_group_size(REQUIRED)))\n#endif\n", w->to);
}

static void print_kept_ids(struct printer *w)
{
    const char *type = base_name(w->p->item);
    print_line(w, "const %s items = (%s)(", type, type);
    fputs("get_global_size(0) * get_global_size(1) * get_global_size(2));\n", w->to);
    print_line(w, "const %s item = (%s)(", type, type);
    const char *minus[3] = {"", "", ""};
    if (w->p->offsets) {
        minus[0] = " - get_global_offset(0)";
        minus[1] = " - get_global_offset(1)";
        minus[2] = " - get_global_offset(2)";
    }
    if (w->p->dims == 1)
        fprintf(w->to, "get_global_id(0)%s);\n", minus[0]);
    else
        fprintf(w->to,
                "((get_global_id(2)%s) * get_global_size(1) + get_global_id(1)%s) * "
                "get_global_size(0) + get_global_id(0)%s);\n",
                minus[2], minus[1], minus[0]);
    if (!w->p->groups)
        return;
    print_line(w, "const uint local_item = (uint)((get_local_id(2) * get_local_size(1) + "
                  "get_local_id(1)) * get_local_size(0) + get_local_id(0));\n");
    print_line(w, "const uint local_items = (uint)(get_local_size(0) * get_local_size(1) * "
                  "get_local_size(2));\n");
}

void program_print(const struct program *p, const char *name, FILE *to)
{
    struct printer w = {.p = p, .to = to};
    print_record_types(&w);
    for (uint32_t i = 0; i < p->function_count; i++)
        print_function(&w, i);
    print_attributes(&w);
    fprintf(to, "kernel void %s(", name);
    for (uint32_t i = 0; i < INPUTS; i++) {
        print_input(&w, i);
        fputs(", ", to);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++)
        fprintf(to, "global %s *o%u, ", base_name(p->outputs[i].base), i);
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        fprintf(to, "%s a%u, ", base_name(p->arguments[i]), i);
    fputs("volatile global uint *counters)\n{\n", to);
    w.depth = 1;
    print_kept_ids(&w);
    if (p->barriers && p->local_width > 1)
        print_line(&w, "local %s%u shared[%d];\n", base_name(p->local), p->local_width, MOST_LOCAL);
    else if (p->barriers)
        print_line(&w, "local %s shared[%d];\n", base_name(p->local), MOST_LOCAL);
    print_block(&w, p->body);
    fputs("}\n", to);
}
