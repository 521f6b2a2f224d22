/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No state. */
#include "ready_code_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {"cchar", "huchar", "sshort", "tushort", "iint",
                                         "juint", "llong",  "mulong", "ffloat",  "ddouble"};
static const unsigned type_sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
enum { TYPE_COUNT = sizeof type_names / sizeof *type_names };

static unsigned type_index(char element)
{
    unsigned i = 0;
    while (i < TYPE_COUNT && type_names[i][0] != element)
        i++;
    return i;
}

unsigned element_size(char element)
{
    return type_sizes[type_index(element)];
}

/* "f", "Dv4_f", or "S_", which is the first vector type. False: something else. */
static bool read_type(const char **at, struct type *first, struct type *out)
{
    if (!strncmp(*at, "S_", 2)) {
        *out = *first;
        *at += 2;
        return first->count;
    }
    *out = (struct type){.count = 1};
    if (!strncmp(*at, "Dv", 2)) {
        char *end;
        out->count = (unsigned)strtoul(*at + 2, &end, 10);
        *at = *end ? end + 1 : end;
    }
    out->element = **at;
    if (type_index(out->element) == TYPE_COUNT)
        return false;
    ++*at;
    if (out->count > 1 && !first->count)
        *first = *out;
    return true;
}

static bool read_parameters(const char *at, struct function *f)
{
    struct type first = {0};
    while (*at && *at != '.' && *at != 'P' && f->parameter_count < MOST_PARAMETERS)
        if (!read_type(&at, &first, &f->parameters[f->parameter_count++]))
            return false;
    if (*at != 'P')
        return *at == '.';
    f->space = !strncmp(++at, "U3AS", 4) ? at[4] : 'p';
    at += f->space == 'p' ? 0 : 5;
    return read_type(&at, &first, &f->target) && *at == '.';
}

bool read_function(const char *symbol, struct function *f)
{
    char *name;
    *f = (struct function){.symbol = symbol};
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    size_t length = strtoul(symbol + 2, &name, 10);
    snprintf(f->name, sizeof f->name, "%.*s", (int)length, name);
    return strncmp(f->name, "sl_", 3) != 0 && strncmp(f->name, "__", 2) != 0 &&
           strncmp(f->name, "ndrange_", 8) != 0 && !strstr(symbol, "ocl_") &&
           strcmp(f->name, "vstore_half_rte") != 0 && read_parameters(name + length, f);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void print_type(FILE *out, struct type type)
{
    fprintf(out, type.count > 1 ? "%s%u" : "%s", type_names[type_index(type.element)] + 1,
            type.count);
}

/* Of three elements the fourth place stays as it is. */
static void print_stores(FILE *out)
{
    for (unsigned t = 0; t < TYPE_COUNT; t++) {
        const char *name = type_names[t] + 1;
        fprintf(out, "#define PUT(T) static __attribute__((overloadable)) "
                     "void put(global uchar *to, T x) { *(global T *)to = x; }\n");
        fprintf(out, "PUT(%s) PUT(%s2) PUT(%s4)\n#undef PUT\n", name, name, name);
        fprintf(out,
                "static __attribute__((overloadable)) void put(global uchar *to, %s3 x)\n"
                "{ vstore3(x, 0, (global %s *)to); }\n",
                name, name);
    }
}

/* Where functions put a second result, by f->space. */
static const char spaces[] =
    "#define SPACE_p(T) T t[1] = {0}; T *p = t, r;\n"
    "#define SPACE_4(T) SPACE_p(T)\n"
    "#define SPACE_3(T) local T t[8]; local T *p = t + get_local_id(0); T r;\n"
    "#define SPACE_1(T) global T *p = (global void *)(out + 16); T r;\n"
    "#define TAKE r = *p; *(global int4 *)(out + 16) = 0; put(out + 16, r);\n";

static void print_kernel(FILE *out, const struct function *f, size_t index)
{
    fprintf(out,
            "kernel void k%zu(global const uchar *in, global uchar *out)\n"
            "{ size_t i = get_global_id(0); in += i * %d; out += i * %d;\n",
            index, MOST_PARAMETERS * SLOT, 2 * SLOT);
    if (f->space) {
        fprintf(out, "  SPACE_%c(", f->space);
        print_type(out, f->target);
        fputs(")\n", out);
    }
    fprintf(out, "  put(out, %s(", f->name);
    for (unsigned p = 0; p < f->parameter_count; p++) {
        fputs(p ? ", *(global const " : "*(global const ", out);
        print_type(out, f->parameters[p]);
        fprintf(out, " *)(in + %d)", (int)p * SLOT);
    }
    fputs(f->space ? ", p)); TAKE }\n" : ")); }\n", out);
}

struct text print_program(const struct function *functions, size_t count)
{
    struct text source = {0};
    FILE *out = open_memstream(&source.data, &source.bytes);
    if (!out)
        abort();
    fputs(spaces, out);
    print_stores(out);
    for (size_t i = 0; i < count; i++)
        print_kernel(out, &functions[i], i);
    fclose(out);
    return source;
}
