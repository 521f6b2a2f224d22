/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "model/remarks.h"

#include "ir/pass_messages.h"
#include "model/predict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_TEXT 65536 /* bytes of a file with rows */

/* Versions for launches that write more than the caches hold: their loops are the same. */
static const char streaming[] = "past.caches";

static bool is_form_of(const char *function, const char *kernel)
{
    size_t length = strlen(kernel);
    return !strncmp(function, kernel, length) &&
           (function[length] == '\0' || function[length] == '.');
}

static const struct sl_kernel_facts *kernel_of(const struct sl_pass *pass, const char *function)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (is_form_of(function, pass->kernels[k].name))
            return &pass->kernels[k];
    return NULL;
}

/* Of a region's loops that which does most of the work: without a mask, then of most items. */
static bool is_better(const struct sl_mc_loop *a, const struct sl_mc_loop *b)
{
    return a->masked != b->masked ? !a->masked : a->items > b->items;
}

static bool is_main(const struct sl_mc_function *f, uint32_t loop)
{
    const struct sl_mc_loop *this = &f->loops[loop];
    for (uint32_t l = 0; l < f->loop_count; l++)
        if (l != loop && f->loops[l].items && f->loops[l].region == this->region &&
            (is_better(&f->loops[l], this) || (!is_better(this, &f->loops[l]) && l < loop)))
            return false;
    return this->items;
}

static void tell_why(const struct sl_model_prediction *p, double items, char *text, size_t bytes)
{
    switch (p->bound) {
    case SL_MODEL_UNITS:
        snprintf(text, bytes, "unit %s is always busy", p->unit);
        break;
    case SL_MODEL_WIDTH:
        snprintf(text, bytes, "as many instructions as can begin in a cycle");
        break;
    case SL_MODEL_WAITING:
        snprintf(text, bytes, "results wait for each other, units would allow %.3f",
                 p->least / items);
        break;
    }
}

static void remark_on(const struct sl_model_remarks *r, const struct sl_mc_function *f,
                      uint32_t loop)
{
    const struct sl_kernel_facts *kernel = kernel_of(r->pass, f->name);
    const struct sl_mc_loop *this = &f->loops[loop];
    struct sl_model_prediction p = sl_model_predict(f, r->machine, r->own, loop + 1);
    char why[128], where[24] = "";
    if (!kernel || p.cycles <= 0)
        return;
    tell_why(&p, this->items, why, sizeof why);
    if (this->region)
        snprintf(where, sizeof where, "region %u: ", this->region);
    sl_pass_remark(r->pass, kernel, NULL,
                   "%spredicted for %s: %.3f cycles per item, %.1f for %u: %s%s", where,
                   r->machine->name, p.cycles / this->items, p.cycles, this->items, why,
                   p.guessed ? "; of loops and calls some are guessed" : "");
}

static void take(void *data, const struct sl_mc_function *f)
{
    const struct sl_model_remarks *r = data;
    if (!strncmp(f->name, streaming, sizeof streaming - 1))
        return;
    for (uint32_t l = 0; l < f->loop_count; l++)
        if (is_main(f, l))
            remark_on(r, f, l);
}

/* NULL: it was read; else why not. A pipe, or a device, might have no end. */
static const char *read_text(const char *path, char text[MOST_TEXT + 1])
{
    struct stat is;
    if (stat(path, &is))
        return strerror(errno);
    if (!S_ISREG(is.st_mode))
        return "no file";
    if (is.st_size > MOST_TEXT)
        return "too long";
    FILE *file = fopen(path, "re");
    if (!file)
        return strerror(errno);
    text[fread(text, 1, MOST_TEXT, file)] = '\0';
    fclose(file);
    return NULL;
}

static void read_rows(struct sl_model_remarks *r, const char *path)
{
    static const char setting[] = "SLUICE_MACHINE";
    char *text = calloc(1, MOST_TEXT + 1);
    r->own = calloc(1, sizeof *r->own);
    if (text && r->own) {
        const char *why = read_text(path, text);
        size_t wrong = why ? 0 : sl_model_rows_read(r->own, text);
        if (why)
            sl_pass_remark(r->pass, NULL, NULL, "%s: %s: %s", setting, path, why);
        else if (wrong)
            sl_pass_remark(r->pass, NULL, NULL, "%s: %s: line %zu is no row", setting, path, wrong);
    }
    free(text);
}

void sl_model_remarks_begin(struct sl_model_remarks *r, struct sl_pass *pass, LLVMModuleRef module,
                            const char *path)
{
    *r = (struct sl_model_remarks){.pass = pass, .machine = sl_model_host()};
    r->listener = (struct sl_mc_listener){r->machine->model, take, r};
    if (path)
        read_rows(r, path);
    sl_mc_watch(&r->listener, module);
}

void sl_model_remarks_end(struct sl_model_remarks *r)
{
    sl_mc_unwatch();
    free(r->own);
}
