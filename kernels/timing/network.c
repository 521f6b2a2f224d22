/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "timing/classify.h"
#include "timing/declared_pipe.h"
#include "timing/loop.h"

enum { MOST_ITEMS = 100000 };

/* ---- builtins about work-items --------------------------------------------------------------- */

/* OpenCL C's name of a builtin: "_Z13get_global_idj" is get_global_id. Functions of the program
 * have none, *length is 0 then: they are not mangled, and begin with no underscores. */
static const char *plain_name(const char *callee, size_t *length)
{
    char *end;
    *length = strncmp(callee, "__", 2) ? 0 : strlen(callee);
    if (strncmp(callee, "_Z", 2) != 0)
        return callee;
    unsigned long bytes = strtoul(callee + 2, &end, 10);
    if (end > callee + 2 && bytes <= strlen(end))
        *length = bytes;
    return end;
}

static bool is_one_of(const char *callee, const char *const *names)
{
    size_t length;
    const char *name = plain_name(callee, &length);
    while (length && *names && (strlen(*names) != length || strncmp(name, *names, length) != 0))
        names++;
    return length && *names;
}

static bool begins_with(const char *callee, const char *const *words)
{
    size_t length;
    const char *name = plain_name(callee, &length);
    while (length && *words && strncmp(name, *words, strlen(*words)) != 0)
        words++;
    return length && *words;
}

bool sl_network_asks_item(const char *callee)
{
    static const char *const names[] = {"get_global_id",       "get_local_id",
                                        "get_group_id",        "get_global_linear_id",
                                        "get_local_linear_id", NULL};
    return is_one_of(callee, names);
}

bool sl_network_awaits_items(const char *callee)
{
    static const char *const names[] = {"barrier", NULL};
    static const char *const words[] = {"work_group_",       "__work_group_",
                                        "async_work_group_", "wait_group_",
                                        "sub_group_",        "intel_sub_group_",
                                        "get_sub_group_",    "__sub_group_",
                                        "intel_work_group_", NULL};
    return is_one_of(callee, names) || begins_with(callee, words);
}

bool sl_network_meets(const char *callee)
{
    static const char *const names[] = {"barrier", NULL};
    static const char *const words[] = {"work_group_", NULL};
    return !strncmp(callee, "_Z", 2) && (is_one_of(callee, names) || begins_with(callee, words));
}

/* It has one work-item. */
static bool is_task(LLVMValueRef kernel)
{
    static const char name[] = "sl-max-global-work-dim";
    unsigned bytes = 0;
    LLVMAttributeRef dim = LLVMGetStringAttributeAtIndex(
        kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
    const char *value = dim ? LLVMGetStringAttributeValue(dim, &bytes) : "";
    return bytes == 1 && *value == '0';
}

bool sl_network_waits_for_items(LLVMValueRef kernel)
{
    bool waits = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            waits |= LLVMIsACallInst(i) && sl_network_awaits_items(sl_callee_name(i));
    return waits && !is_task(kernel);
}

enum sl_network_items sl_network_items_of(LLVMValueRef kernel)
{
    bool asks = false, meets = false;
    if (is_task(kernel))
        return SL_ITEMS_NONE;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = LLVMIsACallInst(i) ? sl_callee_name(i) : "";
            if (sl_network_awaits_items(name) && !sl_network_meets(name))
                return SL_ITEMS_NONE;
            meets |= sl_network_meets(name);
            asks |= sl_network_asks_item(name);
        }
    return meets ? SL_ITEMS_GROUPS : asks ? SL_ITEMS_FREE : SL_ITEMS_NONE;
}

/* ---- what kernels do ------------------------------------------------------------------------- */

static bool grow(struct sl_network *p, void **rows, uint32_t count, uint32_t *room, size_t bytes)
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

static char *name_of_end(const struct sl_pipe_end *end)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    sl_pipe_end_name(end, out);
    fclose(out);
    return text;
}

static uint32_t find_pipe(struct sl_network *p, const struct sl_pipe_end *end)
{
    for (uint32_t i = 0; i < p->pipe_count; i++)
        if (p->pipes[i].end.pipe == end->pipe && p->pipes[i].end.offset == end->offset)
            return i;
    void *rows = p->pipes;
    if (!grow(p, &rows, p->pipe_count, &p->pipe_room, sizeof *p->pipes))
        return 0;
    p->pipes = rows;
    char *name = name_of_end(end);
    p->failed |= !name;
    p->pipes[p->pipe_count] = (struct sl_network_pipe){.end = *end, .name = name};
    return p->pipe_count++;
}

struct taker {
    struct sl_network *network;
    struct sl_network_kernel *kernel;
};

static void take_meeting(const struct taker *to, const struct sl_flow_item *item)
{
    struct sl_network_kernel *k = to->kernel;
    void *rows = k->meetings;
    if (!grow(to->network, &rows, k->meeting_count, &k->meeting_room, sizeof *k->meetings))
        return;
    const uint32_t column = LLVMGetDebugLocColumn(item->call);
    k->meetings = rows;
    k->meetings[k->meeting_count++] = (struct sl_network_meeting){
        .before = k->count,
        .line = LLVMGetDebugLocLine(item->call),
        .column = column ? column : 1, /* as in its region and its mark: 0 is the kernel's begin */
        .always = item->always,
    };
}

static void take_item(void *data, const struct sl_flow_item *item)
{
    const struct taker *to = data;
    struct sl_network_kernel *k = to->kernel;
    void *rows = k->items;
    if (item->kind == SL_FLOW_MEETING) {
        take_meeting(to, item);
        return;
    }
    if (!grow(to->network, &rows, k->count, &k->room, sizeof *k->items))
        return;
    k->items = rows;
    struct sl_network_item *row = &k->items[k->count++];
    *row = (struct sl_network_item){.of = *item, .line = item->line, .column = item->column};
    if (item->kind != SL_FLOW_OPERATION)
        return;
    row->pipe = find_pipe(to->network, &item->end);
    row->line = LLVMGetDebugLocLine(item->call);
    row->column = LLVMGetDebugLocColumn(item->call);
}

static bool has_operation(const struct sl_network_kernel *k, uint32_t loop)
{
    uint32_t depth = 0;
    do {
        if (k->items[loop].of.kind == SL_FLOW_OPERATION)
            return true;
        depth += k->items[loop].of.kind == SL_FLOW_LOOP ? 1 : (uint32_t)-1;
        loop++;
    } while (depth && loop < k->count);
    return false;
}

/* Loops without an end stand behind the question whether they run at all, and others without an
 * operation matter to nobody but the clock. */
static bool is_regular(const struct sl_network_kernel *k)
{
    uint32_t depth = 0, empty = 0; /* of loops without operations, from 1 */
    bool regular = k->count > 0;
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_flow_item *item = &k->items[i].of;
        if (item->kind == SL_FLOW_LOOP) {
            depth++;
            empty = !empty && !has_operation(k, i) ? depth : empty;
            regular &= empty || ((item->always || !item->trips) && depth <= SL_NETWORK_DEEPEST);
        } else if (item->kind == SL_FLOW_END_OF_LOOP) {
            empty = empty == depth ? 0 : empty;
            depth--;
        } else {
            regular &= item->always && sl_waits(item->call, item->end.pipe) &&
                       item->end.offset != SL_ANY_ELEMENT;
        }
    }
    return regular;
}

/* Does it use pipes at all? */
static bool look_at_calls(struct sl_network_kernel *k)
{
    bool pipes = false, write;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *callee = LLVMIsACallInst(i) ? sl_callee_name(i) : NULL;
            pipes |= callee && sl_is_pipe_operation(callee, &write);
            k->asks_item |=
                callee && (sl_network_asks_item(callee) || sl_network_awaits_items(callee));
        }
    return pipes;
}

static bool has_attribute(LLVMValueRef kernel, const char *name)
{
    return LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         name, (unsigned)strlen(name));
}

static void read_kernel(struct sl_network *p, struct sl_network_kernel *k, bool all)
{
    struct taker to = {p, k};
    size_t length;
    k->name = strdup(LLVMGetValueName2(k->function, &length));
    k->autorun = has_attribute(k->function, "sl-autorun");
    p->failed |= !k->name;
    const bool pipes = look_at_calls(k);
    k->asks_item &= !is_task(k->function);
    if (!pipes && !all)
        return;
    k->ordered = sl_llvm_visit_flow(k->function, sl_is_pipe_operation,
                                    all ? sl_network_meets : NULL, take_item, &to);
    k->regular = pipes && k->ordered && is_regular(k);
}

/* ---- depths ---------------------------------------------------------------------------------- */

static uint32_t depth_of(LLVMValueRef pipe)
{
    struct sl_pipe_declaration declared;
    if (!LLVMIsAGlobalVariable(pipe) || !sl_pipe_declaration_find(pipe, &declared) ||
        declared.outside)
        return 0;
    return declared.depth ? declared.depth : 1;
}

/* ---- who is at which end --------------------------------------------------------------------- */

static bool may_be(const struct sl_pipe_end *end, const struct sl_pipe_end *pipe)
{
    return end->pipe == pipe->pipe &&
           (end->offset == pipe->offset || end->offset == SL_ANY_ELEMENT);
}

static void join_ends(const struct sl_network *p, uint32_t kernel, bool takes, int32_t (*ends)[2])
{
    const struct sl_network_kernel *k = &p->kernels[kernel];
    for (uint32_t i = 0; i < k->count; i++) {
        const struct sl_flow_item *item = &k->items[i].of;
        for (uint32_t e = 0; item->kind == SL_FLOW_OPERATION && e < p->pipe_count; e++) {
            int32_t *at = &ends[e][item->end.write];
            if (takes ? e == k->items[i].pipe : may_be(&item->end, &p->pipes[e].end))
                *at = takes && (*at == SL_NETWORK_NOBODY || *at == (int32_t)kernel)
                          ? (int32_t)kernel
                          : SL_NETWORK_UNKNOWN;
            if (takes && e < k->items[i].pipe)
                e = k->items[i].pipe - 1;
        }
    }
}

int32_t (*sl_network_no_ends(const struct sl_network *p))[2]
{
    int32_t (*ends)[2] = calloc(p->pipe_count + (size_t)1, sizeof *ends);
    for (uint32_t e = 0; ends && e < p->pipe_count; e++) {
        const struct sl_network_pipe *pipe = &p->pipes[e];
        ends[e][0] = ends[e][1] = pipe->depth ? SL_NETWORK_NOBODY : SL_NETWORK_UNKNOWN;
        if (LLVMIsAArgument(pipe->end.pipe)) /* of one kernel, and one direction */
            ends[e][pipe->end.write] = SL_NETWORK_NOBODY;
    }
    return ends;
}

int32_t (*sl_network_ends(const struct sl_network *p, const bool *takes))[2]
{
    int32_t (*ends)[2] = sl_network_no_ends(p);
    for (uint32_t k = 0; ends && k < p->kernel_count; k++)
        join_ends(p, k, takes[k], ends);
    return ends;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void read_network(struct sl_network *p, LLVMModuleRef module, bool all)
{
    uint32_t count = 0;
    *p = (struct sl_network){.module = module};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count += !LLVMIsDeclaration(f) && sl_is_kernel(f);
    p->kernels = calloc(count + (size_t)1, sizeof *p->kernels);
    p->failed |= !p->kernels;
    LLVMValueRef f = p->failed ? NULL : LLVMGetFirstFunction(module);
    for (; f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !sl_is_kernel(f))
            continue;
        p->kernels[p->kernel_count].function = f;
        read_kernel(p, &p->kernels[p->kernel_count++], all);
    }
    for (uint32_t i = 0; i < p->pipe_count; i++)
        p->pipes[i].depth = depth_of(p->pipes[i].end.pipe);
}

void sl_network_read(struct sl_network *p, LLVMModuleRef module)
{
    read_network(p, module, false);
}

void sl_network_read_all(struct sl_network *p, LLVMModuleRef module)
{
    read_network(p, module, true);
}

void sl_network_finish(struct sl_network *p)
{
    for (uint32_t k = 0; k < p->kernel_count; k++) {
        free(p->kernels[k].meetings);
        free(p->kernels[k].items);
        free(p->kernels[k].name);
    }
    for (uint32_t i = 0; i < p->pipe_count; i++)
        free(p->pipes[i].name);
    free(p->kernels);
    free(p->pipes);
}
