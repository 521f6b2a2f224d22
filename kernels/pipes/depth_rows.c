/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "pipes/depth_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/memory.h"

struct depth_row {
    const char *name;
    size_t length;  /* of the name */
    size_t bytes;   /* of all of it */
    uint32_t depth; /* 0: nothing that could be meant */
};

static bool next_depth(const char **rows, struct depth_row *row)
{
    static const char space[] = " ;\t\n";
    char *end;
    const char *at = *rows + strspn(*rows, space);
    *row = (struct depth_row){
        .name = at, .length = strcspn(at, " ;\t\n="), .bytes = strcspn(at, space)};
    *rows = at + row->bytes;
    if (row->length && row->length + 1 < row->bytes &&
        isdigit((unsigned char)at[row->length + 1])) {
        unsigned long value = strtoul(at + row->length + 1, &end, 10);
        row->depth = end == *rows && value <= UINT32_MAX ? (uint32_t)value : 0;
    }
    return row->bytes;
}

static bool is_named(const struct depth_row *row, const char *name, size_t length)
{
    return strlen(name) == length && !memcmp(row->name, name, length);
}

uint32_t sl_pipe_named_depth(const char *rows, const char *name)
{
    uint32_t depth = 0;
    struct depth_row row;
    while (rows && next_depth(&rows, &row))
        if (row.depth && is_named(&row, name, row.length))
            depth = row.depth;
    return depth;
}

static bool is_any(const struct sl_pipe_design *design, const struct depth_row *row, size_t length)
{
    bool known = false;
    for (uint32_t i = 0; i < design->variable_count && !known; i++)
        known = is_named(row, design->variables[i].symbol, length);
    return known;
}

/* "it has a, b and 5 more" */
static char *names_of(const struct sl_pipe_design *design)
{
    enum { MOST = 12 };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    uint32_t count = design->variable_count;
    if (!out)
        return NULL;
    fputs(count ? "it has " : "it has none but arguments, whose depth is that of clCreatePipe",
          out);
    for (uint32_t i = 0; i < count && i < MOST; i++)
        fprintf(out, "%s%s",
                !i               ? ""
                : i + 1 == count ? " and "
                                 : ", ",
                design->variables[i].symbol);
    if (count > MOST)
        fprintf(out, " and %u more", count - MOST);
    fclose(out);
    return text;
}

static bool has_pipes(const struct sl_pass *pass)
{
    bool any = pass->pipes->variable_count;
    for (uint32_t k = 0; k < pass->kernel_count && !any; k++)
        any = pass->kernels[k].flags & SL_KERNEL_PIPE_ARGS;
    return any;
}

/* Does the row do nothing? Says why, if `tell`. */
static bool is_idle(struct sl_pass *pass, const struct depth_row *row, const char *names, bool tell)
{
    const struct sl_pipe_design *design = pass->pipes;
    size_t base = strcspn(row->name, "[=");
    const bool of_element = base < row->length && is_any(design, row, base);
    if (row->depth && !of_element && is_any(design, row, row->length))
        return false;
    if (!tell)
        return true;
    if (!row->depth)
        sl_pass_warn(pass, "warning: SLUICE_FPGA_DEPTHS: '%.*s' is not NAME=PACKETS: ignored%s",
                     (int)row->bytes, row->name,
                     memchr(row->name, ',', row->bytes) ? "; between rows are spaces or ';'" : "");
    else if (of_element)
        sl_pass_warn(
            pass,
            "warning: SLUICE_FPGA_DEPTHS: '%.*s' names an element: ignored; '%.*s' are all of them",
            (int)row->bytes, row->name, (int)base, row->name);
    else
        sl_pass_warn(pass, "warning: SLUICE_FPGA_DEPTHS: the program has no pipe '%.*s': %s",
                     (int)row->length, row->name, names);
    return true;
}

void sl_pipe_warn_of_depths(struct sl_pass *pass)
{
    enum { MOST_TOLD = 8 };
    const char *rows = has_pipes(pass) ? pass->pipe_depths : NULL;
    char *names = rows ? names_of(pass->pipes) : NULL;
    size_t idle = 0;
    struct depth_row row;
    while (names && next_depth(&rows, &row))
        idle += is_idle(pass, &row, names, idle < MOST_TOLD);
    if (idle > MOST_TOLD)
        sl_pass_warn(pass, "warning: SLUICE_FPGA_DEPTHS: %zu rows more are ignored",
                     idle - MOST_TOLD);
    free(names);
}
