/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Members of a group have equal keys: all are sorted by key, and each run of equal
 * ones becomes a group, or as many groups as it has members. */
#include "report/groups.h"

#include <stdlib.h>
#include <string.h>

size_t sl_design_pipe_stem(const char *name)
{
    size_t length = strlen(name);
    while (length > 2 && name[length - 1] == ']') {
        size_t at = length - 1;
        while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
            at--;
        if (at < 2 || at == length - 1 || name[at - 1] != '[')
            break;
        length = at - 1;
    }
    return length;
}

struct sorting {
    const struct sl_report_design *design;
    const struct sl_design_groups *groups;
};

static int by_number(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_stem(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : by_number((int64_t)a_length, (int64_t)b_length);
}

static int by_kernel_key(const struct sl_report_kernel *a, const struct sl_report_kernel *b)
{
    int order = by_number(a->autorun, b->autorun);
    order = order ? order : by_number(a->line, b->line);
    order = order ? order : strcmp(a->file, b->file);
    return order ? order
                 : by_stem(a->name, sl_design_kernel_stem(a->name), b->name,
                           sl_design_kernel_stem(b->name));
}

static int64_t group_at(const struct sl_design_groups *groups, int32_t kernel)
{
    return kernel < 0 ? -1 : (int64_t)groups->of_kernel[kernel];
}

static int by_pipe_key(const struct sorting *s, const struct sl_design_pipe *a,
                       const struct sl_design_pipe *b)
{
    int order = by_number(group_at(s->groups, a->writer), group_at(s->groups, b->writer));
    order =
        order ? order : by_number(group_at(s->groups, a->reader), group_at(s->groups, b->reader));
    order = order ? order : by_number(a->line, b->line);
    order = order ? order : strcmp(a->kind, b->kind);
    order = order ? order : strcmp(a->host, b->host);
    order = order ? order : strcmp(a->io, b->io);
    return order ? order
                 : by_stem(a->name, sl_design_pipe_stem(a->name), b->name,
                           sl_design_pipe_stem(b->name));
}

static int compare_kernels(const void *left, const void *right, void *data)
{
    const struct sorting *s = data;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = by_kernel_key(&s->design->kernels[a], &s->design->kernels[b]);
    return order ? order : by_number(a, b);
}

static int compare_pipes(const void *left, const void *right, void *data)
{
    const struct sorting *s = data;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = by_pipe_key(s, &s->design->pipes[a], &s->design->pipes[b]);
    return order ? order : by_number(a, b);
}

static bool same_kernels(const struct sorting *s, uint32_t a, uint32_t b)
{
    const struct sl_report_kernel *kernels = s->design->kernels;
    return kernels[a].autorun && !by_kernel_key(&kernels[a], &kernels[b]);
}

static bool same_pipes(const struct sorting *s, uint32_t a, uint32_t b)
{
    return !by_pipe_key(s, &s->design->pipes[a], &s->design->pipes[b]);
}

static bool is_group(const struct sl_design_groups *groups, int32_t kernel)
{
    return kernel >= 0 && groups->kernels[groups->of_kernel[kernel]].count > 1;
}

static uint32_t fewest_pipes(const struct sorting *s, uint32_t pipe)
{
    const struct sl_design_pipe *p = &s->design->pipes[pipe];
    return is_group(s->groups, p->writer) || is_group(s->groups, p->reader) ? 2 : SL_FEWEST_GROUPED;
}

static uint32_t fewest_kernels(const struct sorting *s, uint32_t kernel)
{
    (void)s;
    (void)kernel;
    return SL_FEWEST_GROUPED;
}

struct kind {
    size_t count;
    int (*compare)(const void *, const void *, void *);
    bool (*same)(const struct sorting *, uint32_t, uint32_t);
    uint32_t (*fewest)(const struct sorting *, uint32_t);
};

/* Leaders: each member's first of its group. Numbers follow in the order of leaders. */
static int gather(const struct sorting *s, const struct kind *kind, struct sl_design_group **groups,
                  uint32_t **of, size_t *group_count)
{
    uint32_t *order = malloc((kind->count + 1) * sizeof *order);
    *of = calloc(kind->count + 1, sizeof **of);
    *groups = calloc(kind->count + 1, sizeof **groups);
    if (!order || !*of || !*groups) {
        free(order);
        return -1;
    }
    for (size_t i = 0; i < kind->count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, kind->count, sizeof *order, kind->compare, (void *)s);
    for (size_t from = 0, to; from < kind->count; from = to) {
        for (to = from + 1; to < kind->count && kind->same(s, order[from], order[to]); to++)
            ;
        bool one = to - from >= kind->fewest(s, order[from]);
        for (size_t i = from; i < to; i++)
            (*of)[order[i]] = order[one ? from : i];
    }
    for (uint32_t i = 0; i < kind->count; i++) {
        uint32_t leader = (*of)[i];
        if (leader == i) {
            order[i] = (uint32_t)*group_count;
            (*groups)[(*group_count)++].first = i;
        }
        (*of)[i] = order[leader];
        (*groups)[order[leader]].count++;
    }
    free(order);
    return 0;
}

int sl_design_groups_make(struct sl_design_groups *groups, const struct sl_report_design *design)
{
    const struct sorting s = {design, groups};
    const struct kind kernels = {design->kernel_count, compare_kernels, same_kernels,
                                 fewest_kernels},
                      pipes = {design->pipe_count, compare_pipes, same_pipes, fewest_pipes};
    *groups = (struct sl_design_groups){0};
    if (gather(&s, &kernels, &groups->kernels, &groups->of_kernel, &groups->kernel_count))
        return -1;
    return gather(&s, &pipes, &groups->pipes, &groups->of_pipe, &groups->pipe_count);
}

void sl_design_groups_finish(struct sl_design_groups *groups)
{
    free(groups->kernels);
    free(groups->pipes);
    free(groups->of_kernel);
    free(groups->of_pipe);
    *groups = (struct sl_design_groups){0};
}

size_t sl_design_worst_of_arrays(const struct sl_design_groups *groups,
                                 const struct sl_report_design *design,
                                 const struct sl_design_pipe **pipes, size_t count,
                                 uint32_t *of_group)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!of_group[groups->of_pipe[pipes[i] - design->pipes]]++)
            pipes[kept++] = pipes[i];
    return kept;
}
