/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: a build's state belongs to its thread. */
#include "parts.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../ir/map.h"
#include "../ir/memory.h"
#include "shim/pass_support.h"

#define FEWEST_KERNELS 12 /* for each process; a fork takes some milliseconds */
#define DONE 0x534c5054u

struct outcome { /* what a child writes: this, its object, its log */
    uint32_t done, failed;
    uint64_t object_bytes, log_bytes;
};

/* ---- what goes where ------------------------------------------------------------------------ */

static uint32_t count_parts(const struct sl_stages *stages)
{
    cpu_set_t allowed;
    bool plain =
        stages->options.optimize && !stages->options.debug_info && !stages->dump_folder &&
        (stages->request->form == SL_FORM_CONTAINER || stages->request->form == SL_FORM_ELF);
    if (!plain || sched_getaffinity(0, sizeof allowed, &allowed))
        return 1;
    uint32_t processors = (uint32_t)CPU_COUNT(&allowed);
    uint32_t parts = stages->pass.kernel_count / FEWEST_KERNELS;
    parts = parts < processors ? parts : processors;
    return parts < 1 ? 1 : parts < SL_MOST_PARTS ? parts : SL_MOST_PARTS;
}

/* Neighbours in the source are alike; every n-th kernel balances better than one piece each. */
static bool is_mine(const struct sl_stages *stages, uint32_t kernel)
{
    return kernel % stages->part_count == stages->part;
}

static void reach(LLVMValueRef f, struct sl_map *seen, struct sl_list *work)
{
    if (!LLVMIsAFunction(f) || LLVMIsDeclaration(f) || sl_map_get(seen, f))
        return;
    sl_map_set(seen, f, f);
    sl_list_add(work, f);
}

/* Functions that these kernels need. Only calls count: address-taken functions do not exist. */
static void reach_all(struct sl_stages *stages, struct sl_map *seen)
{
    struct sl_list work = {0};
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        if (is_mine(stages, k))
            reach(stages->pass.kernels[k].run, seen, &work);
    for (size_t i = 0; i < work.count; i++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(work.items[i]); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef n = LLVMGetFirstInstruction(b); n; n = LLVMGetNextInstruction(n))
                for (int o = 0; o < LLVMGetNumOperands(n); o++) {
                    LLVMValueRef operand = LLVMGetOperand(n, o);
                    if (operand)
                        reach(operand, seen, &work);
                }
    sl_list_finish(&work);
}

static void keep_mine(struct sl_stages *stages)
{
    struct sl_map seen = {0};
    reach_all(stages, &seen);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !sl_map_get(&seen, f))
            sl_llvm_delete_body(f);
    sl_map_finish(&seen);
    LLVMValueRef table = LLVMGetNamedGlobal(stages->module, SL_MODULE_SYMBOL);
    if (stages->part && table)
        LLVMDeleteGlobal(table);
}

/* ---- names that all parts know -------------------------------------------------------------- */

static void share(LLVMValueRef value, const char *prefix, uint32_t number)
{
    size_t bytes;
    char name[64];
    LLVMGetValueName2(value, &bytes);
    if (!bytes) {
        snprintf(name, sizeof name, "%s.%u", prefix, number);
        LLVMSetValueName2(value, name, strlen(name));
    }
    LLVMSetLinkage(value, LLVMExternalLinkage);
    LLVMSetVisibility(value, LLVMHiddenVisibility);
}

static bool is_shared_variable(LLVMValueRef g)
{
    LLVMLinkage linkage = LLVMGetLinkage(g);
    return !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) &&
           (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
}

static void share_names(struct sl_stages *stages)
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        share(stages->pass.kernels[k].run, "sluice.kernel", k);
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared_variable(g))
            share(g, "sluice.variable", number++);
}

/* Variables are defined in the first part. */
static void forget_variables(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetVisibility(g) == LLVMHiddenVisibility &&
            LLVMGetLinkage(g) == LLVMExternalLinkage && !LLVMIsGlobalConstant(g))
            LLVMSetInitializer(g, NULL);
}

/* ---- children ------------------------------------------------------------------------------- */

static void become_part(struct sl_stages *stages, uint32_t part)
{
    static const int caught[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        signal(caught[i], SIG_DFL); /* the parent says what happened */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    stages->part = part;
    sl_text_finish(&stages->result->log);
    stages->result->log = (struct sl_text){0};
    keep_mine(stages);
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        if (!is_mine(stages, k))
            stages->pass.kernels[k].run = NULL;
    forget_variables(stages->module);
}

int sl_parts_start(struct sl_stages *stages)
{
    stages->part_count = count_parts(stages);
    if (stages->part_count < 2)
        return 0;
    share_names(stages);
    stages->pass.shared_tables = true;
    for (uint32_t p = 1; p < stages->part_count; p++) {
        int file = memfd_create("sluice part", MFD_CLOEXEC);
        pid_t child = file < 0 ? -1 : fork();
        if (!child) {
            stages->part_file = file;
            become_part(stages, p);
            return 0;
        }
        if (child < 0) {
            if (file >= 0)
                close(file);
            return sl_stage_fail(stages, "no process for a part of the program: %s",
                                 strerror(errno));
        }
        stages->children[p] = (struct sl_part_child){child, file};
    }
    keep_mine(stages);
    return 0;
}

static bool write_all(int file, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        ssize_t done = write(file, at, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

void sl_parts_hand_over(struct sl_stages *stages, bool fine)
{
    const struct sl_text *log = &stages->result->log;
    struct outcome o = {DONE, !fine, stages->object.bytes, log->bytes};
    bool all = write_all(stages->part_file, &o, sizeof o) &&
               write_all(stages->part_file, stages->object.data, stages->object.bytes) &&
               write_all(stages->part_file, log->data, log->bytes);
    _exit(all ? 0 : 1);
}

/* ---- back in the parent --------------------------------------------------------------------- */

static int take(struct sl_stages *stages, uint32_t part)
{
    struct sl_part_child *child = &stages->children[part];
    struct outcome o = {0};
    int status = 0;
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
        ;
    child->process = 0;
    off_t size = lseek(child->file, 0, SEEK_END);
    char *data =
        size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, child->file, 0) : MAP_FAILED;
    close(child->file);
    if (data != MAP_FAILED && (size_t)size >= sizeof o)
        memcpy(&o, data, sizeof o);
    bool whole = o.done == DONE && (uint64_t)size == sizeof o + o.object_bytes + o.log_bytes;
    if (whole) {
        sl_text_add(&stages->objects[part], data + sizeof o, o.object_bytes);
        sl_text_add(&stages->result->log, data + sizeof o + o.object_bytes, o.log_bytes);
    }
    if (data != MAP_FAILED)
        munmap(data, (size_t)size);
    if (!whole)
        return sl_stage_fail(stages,
                             "the compiler crashed or ran out of memory in a part of the "
                             "program (status %#x)",
                             (unsigned)status);
    return o.failed || stages->objects[part].failed ? -1 : 0;
}

int sl_parts_collect(struct sl_stages *stages)
{
    int rc = 0;
    for (uint32_t p = 1; p < stages->part_count; p++)
        if (stages->children[p].process && take(stages, p))
            rc = -1;
    return rc;
}

void sl_parts_abandon(struct sl_stages *stages)
{
    for (uint32_t p = 1; p < stages->part_count; p++) {
        struct sl_part_child *child = &stages->children[p];
        if (child->process <= 0)
            continue;
        kill(child->process, SIGKILL);
        while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
            ;
        close(child->file);
        child->process = 0;
    }
}
