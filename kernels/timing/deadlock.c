/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A kernel is followed if all its operations wait and happen once in each iteration
 * of loops that run a constant number of times, or as long as they like behind everything else. All
 * others are taken to be at their ends of pipes whenever somebody waits for them.
 */
#include "timing/deadlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "ir/pass_messages.h"
#include "sluice/pipe.h"
#include "timing/classify.h"
#include "timing/flow.h"
#include "timing/loop.h"
#include "llvm/pipes/pipe_flow.h"

enum { DEEPEST = 16, MOST_ITEMS = 100000 };

struct item {
    struct sl_flow_item of;
    uint32_t pipe;
};

struct kernel {
    LLVMValueRef function;
    struct item *items; /* owned */
    uint32_t count, room, depth;
    bool followed;
};

struct pipe {
    struct sl_pipe_end end;
    uint32_t users[2]; /* kernels that are followed, by write */
};

struct program {
    LLVMModuleRef module;
    struct kernel *kernels; /* owned */
    struct pipe *pipes;     /* owned */
    uint32_t kernel_count, pipe_count, pipe_room;
    bool failed;
};

/* ---- what kernels do ------------------------------------------------------------------------- */

static bool grow(struct program *p, void **rows, uint32_t count, uint32_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    uint32_t more = *room ? 2 * *room : 64;
    void *grown = count < MOST_ITEMS ? realloc(*rows, more * bytes) : NULL;
    p->failed |= !grown;
    if (!grown)
        return false;
    *rows = grown;
    *room = more;
    return true;
}

static uint32_t find_pipe(struct program *p, const struct sl_pipe_end *end)
{
    for (uint32_t i = 0; i < p->pipe_count; i++)
        if (p->pipes[i].end.pipe == end->pipe && p->pipes[i].end.offset == end->offset)
            return i;
    void *rows = p->pipes;
    if (!grow(p, &rows, p->pipe_count, &p->pipe_room, sizeof *p->pipes))
        return 0;
    p->pipes = rows;
    p->pipes[p->pipe_count] = (struct pipe){.end = *end};
    return p->pipe_count++;
}

struct taker {
    struct program *program;
    struct kernel *kernel;
};

static void check_item(struct kernel *k, const struct sl_flow_item *item)
{
    switch (item->kind) {
    case SL_FLOW_LOOP: /* one without end stands behind the question whether it runs at all */
        k->followed &= (item->always || !item->trips) && k->depth < DEEPEST;
        k->depth++;
        break;
    case SL_FLOW_END_OF_LOOP:
        k->depth--;
        break;
    case SL_FLOW_OPERATION:
        k->followed &= item->always && sl_waits(sl_callee_name(item->call)) &&
                       item->end.offset != SL_ANY_ELEMENT && LLVMIsAGlobalVariable(item->end.pipe);
        break;
    }
}

static void take_item(void *data, const struct sl_flow_item *item)
{
    const struct taker *to = data;
    struct kernel *k = to->kernel;
    void *rows = k->items;
    if (!grow(to->program, &rows, k->count, &k->room, sizeof *k->items))
        return;
    k->items = rows;
    if (item->kind == SL_FLOW_END_OF_LOOP && k->count &&
        k->items[k->count - 1].of.kind == SL_FLOW_LOOP) {
        k->count--; /* nothing of interest was in it */
        return;
    }
    bool operation = item->kind == SL_FLOW_OPERATION;
    k->items[k->count++] = (struct item){*item, operation ? find_pipe(to->program, &item->end) : 0};
}

/* Behind a loop without end nothing happens, as far as anybody knows. */
static bool ends_with_endless(const struct kernel *k)
{
    uint32_t depth = 0, endless = 0; /* endless: how deep the outermost of them is, from 1 */
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_flow_item *item = &k->items[i].of;
        if (item->kind == SL_FLOW_LOOP) {
            depth++;
            if (endless == UINT32_MAX || (endless && !item->trips))
                return false; /* a second one, or one inside of another */
            endless = !endless && !item->trips ? depth : endless;
            if (endless == depth && depth > 1)
                return false;
        } else if (item->kind == SL_FLOW_END_OF_LOOP) {
            if (depth-- == endless)
                endless = UINT32_MAX; /* over */
        } else if (endless == UINT32_MAX) {
            return false;
        }
    }
    return true;
}

enum { NO_PIPES, PIPES, PIPES_OF_ITEMS };

/* Items are on their way one behind the other, which nobody has looked at. */
static bool tells_item(const char *callee)
{
    return !strncmp(callee, "_Z", 2) &&
           (strstr(callee, "get_global_id") || strstr(callee, "get_local_id") ||
            strstr(callee, "get_group_id") || strstr(callee, "_linear_id") ||
            strstr(callee, "sub_group"));
}

static int look_at_calls(LLVMValueRef function)
{
    bool pipes = false, items = false, write;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *callee = LLVMIsACallInst(i) ? sl_callee_name(i) : NULL;
            pipes |= callee && sl_is_pipe_operation(callee, &write);
            items |= callee && tells_item(callee);
        }
    return !pipes ? NO_PIPES : items ? PIPES_OF_ITEMS : PIPES;
}

static void read_kernel(struct program *p, struct kernel *k)
{
    struct taker to = {p, k};
    int calls = look_at_calls(k->function);
    if (calls == NO_PIPES)
        return;
    k->followed = sl_llvm_visit_pipes(k->function, sl_is_pipe_operation, take_item, &to);
    for (uint32_t i = 0; i < k->count; i++)
        check_item(k, &k->items[i].of);
    k->followed &= calls == PIPES && k->count && ends_with_endless(k);
}

static void read_kernels(struct program *p)
{
    uint32_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        count += !LLVMIsDeclaration(f) && sl_is_kernel(f);
    p->kernels = calloc(count + (size_t)1, sizeof *p->kernels);
    p->failed |= !p->kernels;
    LLVMValueRef f = p->failed ? NULL : LLVMGetFirstFunction(p->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !sl_is_kernel(f))
            continue;
        p->kernels[p->kernel_count].function = f;
        read_kernel(p, &p->kernels[p->kernel_count++]);
    }
}

/* ---- who is at which end --------------------------------------------------------------------- */

/* Of !sl.pipes: {symbol, kind, bytes, alignment, depth, flags, io, ...}. */
enum { AT_SYMBOL = 0, AT_DEPTH = 4, AT_FLAGS = 5, AT_IO = 6, LEAST_OPERANDS = 7 };

static uint32_t number_at(LLVMValueRef *operands, unsigned i)
{
    bool number = operands[i] && LLVMIsAConstantInt(operands[i]);
    return number ? (uint32_t)LLVMConstIntGetZExtValue(operands[i]) : 0;
}

/* The depth of a pipe; 0: the host's or an I/O peripheral's, or not known. */
static uint32_t depth_in(LLVMValueRef node, const char *name, size_t length)
{
    LLVMValueRef operands[64];
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node), bytes = 0, io_bytes = 0;
    if (count < LEAST_OPERANDS || count > sizeof operands / sizeof *operands)
        return 0;
    LLVMGetMDNodeOperands(node, operands);
    const char *symbol = operands[AT_SYMBOL] ? LLVMGetMDString(operands[AT_SYMBOL], &bytes) : NULL;
    if (!symbol || bytes != length || memcmp(symbol, name, length) != 0)
        return 0;
    if (operands[AT_IO])
        LLVMGetMDString(operands[AT_IO], &io_bytes);
    uint32_t depth = number_at(operands, AT_DEPTH);
    return io_bytes || number_at(operands, AT_FLAGS) & SL_PIPE_HOST ? 0 : depth ? depth : 1;
}

static uint32_t depth_of(const struct program *p, LLVMValueRef pipe)
{
    static const char node[] = "sl.pipes";
    uint32_t count = LLVMGetNamedMetadataNumOperands(p->module, node), depth = 0;
    LLVMValueRef *nodes = calloc(count + (size_t)1, sizeof(*nodes));
    size_t length;
    const char *name = LLVMGetValueName2(pipe, &length);
    if (nodes && count)
        LLVMGetNamedMetadataOperands(p->module, node, nodes);
    for (uint32_t i = 0; nodes && i < count && !depth; i++)
        depth = depth_in(nodes[i], name, length);
    free(nodes);
    return depth;
}

/* The ends that a kernel which is not followed may have. */
static void free_ends(const struct program *p, const struct kernel *k, struct sl_flow_pipe *pipes)
{
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_flow_item *item = &k->items[i].of;
        if (item->kind != SL_FLOW_OPERATION)
            continue;
        for (uint32_t other = 0; other < p->pipe_count; other++)
            if (p->pipes[other].end.pipe == item->end.pipe &&
                (p->pipes[other].end.offset == item->end.offset ||
                 item->end.offset == SL_ANY_ELEMENT))
                pipes[other].free[item->end.write ? SL_STEP_WRITE : SL_STEP_READ] = true;
    }
}

/* Several kernels at one end: nobody knows which one it is. */
static void count_users(struct program *p)
{
    for (uint32_t k = 0; k < p->kernel_count; k++) {
        const struct kernel *kernel = &p->kernels[k];
        for (uint32_t i = 0; i < kernel->count && kernel->followed; i++) {
            bool first = kernel->items[i].of.kind == SL_FLOW_OPERATION, write;
            if (!first)
                continue;
            write = kernel->items[i].of.end.write;
            for (uint32_t before = 0; before < i && first; before++)
                first = kernel->items[before].of.kind != SL_FLOW_OPERATION ||
                        kernel->items[before].pipe != kernel->items[i].pipe ||
                        kernel->items[before].of.end.write != write;
            p->pipes[kernel->items[i].pipe].users[write] += first;
        }
    }
}

static void fill_pipes(struct program *p, struct sl_flow_pipe *pipes)
{
    count_users(p);
    for (uint32_t i = 0; i < p->pipe_count; i++) {
        pipes[i].depth = depth_of(p, p->pipes[i].end.pipe);
        for (int write = 0; write < 2; write++)
            pipes[i].free[write ? SL_STEP_WRITE : SL_STEP_READ] =
                !pipes[i].depth || p->pipes[i].users[write] > 1;
        pipes[i].depth += !pipes[i].depth;
    }
    for (uint32_t k = 0; k < p->kernel_count; k++)
        if (!p->kernels[k].followed)
            free_ends(p, &p->kernels[k], pipes);
}

/* ---- the warning ----------------------------------------------------------------------------- */

static void print_name(const struct kernel *k, FILE *out)
{
    size_t length;
    fprintf(out, "'%s'", LLVMGetValueName2(k->function, &length));
}

static void print_wait(const struct kernel *k, const struct item *item, FILE *out)
{
    print_name(k, out);
    fputs(item->of.end.write ? " writes " : " reads ", out);
    sl_pipe_end_name(&item->of.end, out);
    fprintf(out, " (%s) at line %u", item->of.end.write ? "full" : "empty",
            LLVMGetDebugLocLine(item->of.call));
}

/* `rows`: of the kernels that are followed. */
static void print_warning(const struct program *p, const uint32_t *rows,
                          const struct sl_flow_result *result, FILE *out)
{
    const struct kernel *first = &p->kernels[rows[result->cycle[0].kernel]];
    LLVMValueRef at = first->items[result->cycle[0].step].of.call;
    fprintf(out, "%s: warning: ", sl_source_place_of(at).text);
    fputs(result->count > 1 ? "kernels wait for each other for ever: "
                            : "a kernel waits for itself for ever: ",
          out);
    for (uint32_t i = 0; i < result->count; i++) {
        const struct kernel *k = &p->kernels[rows[result->cycle[i].kernel]];
        fputs(i ? ", " : "", out);
        print_wait(k, &k->items[result->cycle[i].step], out);
    }
    if (result->full != UINT32_MAX) {
        fputs("; ", out);
        if (!result->enough)
            fputs("no depth is enough for ", out);
        sl_pipe_end_name(&p->pipes[result->full].end, out);
        if (result->enough)
            fprintf(out, " needs depth(%u)", result->enough);
        else
            fputs(": the rates of the pipes do not match", out);
    }
    fputs("\n", out);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct sl_flow_step step_of(const struct item *item)
{
    switch (item->of.kind) {
    case SL_FLOW_LOOP:
        return (struct sl_flow_step){
            .kind = SL_STEP_LOOP, .trips = item->of.trips, .endless = item->of.endless};
    case SL_FLOW_END_OF_LOOP:
        return (struct sl_flow_step){.kind = SL_STEP_END};
    case SL_FLOW_OPERATION:
        break;
    }
    return (struct sl_flow_step){.kind = item->of.end.write ? SL_STEP_WRITE : SL_STEP_READ,
                                 .pipe = item->pipe};
}

static bool is_autorun(LLVMValueRef kernel)
{
    static const char name[] = "sl-autorun";
    return LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         name, sizeof name - 1);
}

static int fill_kernel(const struct kernel *k, struct sl_flow_kernel *row)
{
    row->steps = calloc(k->count + (size_t)1, sizeof *row->steps);
    row->step_count = k->count;
    row->restarts = is_autorun(k->function);
    for (uint32_t i = 0; row->steps && i < k->count; i++)
        row->steps[i] = step_of(&k->items[i]);
    return row->steps ? 0 : -1;
}

static char *check(struct program *p)
{
    struct sl_flow_kernel *kernels = calloc(p->kernel_count + (size_t)1, sizeof *kernels);
    struct sl_flow_pipe *pipes = calloc(p->pipe_count + (size_t)1, sizeof *pipes);
    uint32_t *rows = calloc(p->kernel_count + (size_t)1, sizeof *rows), count = 0;
    struct sl_flow_result result = {0};
    char *text = NULL;
    size_t bytes;
    bool fine = kernels && pipes && rows;
    if (fine)
        fill_pipes(p, pipes);
    for (uint32_t k = 0; fine && k < p->kernel_count; k++)
        if (p->kernels[k].followed) {
            rows[count] = k;
            fine = !fill_kernel(&p->kernels[k], &kernels[count++]);
        }
    fine = fine && !sl_flow_check(kernels, count, pipes, p->pipe_count, &result);
    FILE *out = fine && result.count ? open_memstream(&text, &bytes) : NULL;
    if (out) {
        print_warning(p, rows, &result, out);
        fclose(out);
    }
    for (uint32_t k = 0; kernels && k < count; k++)
        free(kernels[k].steps);
    free(result.cycle);
    free(kernels);
    free(pipes);
    free(rows);
    return text;
}

char *sl_deadlock_warning(LLVMModuleRef module)
{
    struct program program = {.module = module};
    read_kernels(&program);
    char *text = program.failed ? NULL : check(&program);
    for (uint32_t k = 0; k < program.kernel_count; k++)
        free(program.kernels[k].items);
    free(program.kernels);
    free(program.pipes);
    return text;
}
