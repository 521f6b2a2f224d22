/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that each make a part of a program's code: see the header. No locks: a build's state
 * belongs to its thread, and so does `reporting`. */
#include "compiler/codegen/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/stage/crash.h"
#include "ir/memory.h"
#include "sluice/base/io.h"

#define FEWEST_KERNELS 8 /* for each process; a fork takes some milliseconds */
#define DONE 0x534c5054u

struct outcome { /* what a child writes at its end: this, its object, its log */
    uint32_t done, failed;
    uint64_t object_bytes, log_bytes;
};

/* ---- starting -------------------------------------------------------------------------------- */

/* A sandbox may have none. */
static bool has_memory_files(void)
{
    int file = memfd_create("sluice part", MFD_CLOEXEC);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static uint32_t count_parts(const struct sl_stages *stages)
{
    cpu_set_t allowed;
    bool plain =
        stages->options.optimize && !stages->options.debug_info && !stages->dump_folder &&
        !stages->wants_remarks && !sl_pass_has(&stages->pass, SL_PASS_LIMITED) &&
        (stages->request->form == SL_FORM_CONTAINER || stages->request->form == SL_FORM_ELF);
    if (!plain || sched_getaffinity(0, sizeof allowed, &allowed))
        return 1;
    if (!has_memory_files())
        return 1;
    uint32_t processors = (uint32_t)CPU_COUNT(&allowed);
    uint32_t parts = stages->pass.kernel_count / FEWEST_KERNELS;
    parts = parts < processors ? parts : processors;
    return parts < 1 ? 1 : parts < SL_MOST_PARTS ? parts : SL_MOST_PARTS;
}

static bool write_outcome(const struct sl_stages *stages, bool fine, const char *last, size_t bytes)
{
    const struct sl_text *log = &stages->result->log, *object = &stages->object;
    struct outcome o = {DONE, !fine, fine ? object->bytes : 0, log->bytes + bytes};
    return sl_write_all(stages->part_file, &o, sizeof o) &&
           sl_write_all(stages->part_file, object->data, o.object_bytes) &&
           sl_write_all(stages->part_file, log->data, log->bytes) &&
           sl_write_all(stages->part_file, last, bytes);
}

static const struct sl_stages *reporting; /* of a child, for its crash handler */

static void report_crash(const char *text, size_t bytes)
{
    (void)ftruncate(reporting->part_file, 0);
    (void)lseek(reporting->part_file, 0, SEEK_SET);
    (void)write_outcome(reporting, false, text, bytes);
}

static void become_part(struct sl_stages *stages, uint32_t part)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    for (uint32_t p = 1; p < part; p++) {
        close(stages->children[p].file);
        close(stages->children[p].facts);
        stages->children[p] = (struct sl_part_child){0};
    }
    stages->part = part;
    sl_text_finish(&stages->result->log);
    stages->result->log = (struct sl_text){0};
    if (stages->pass.warnings) /* the first part has them */
        stages->pass.warnings[stages->pass.warning_bytes = 0] = '\0';
    reporting = stages;
    sl_crash_watch(report_crash);
    sl_part_keep_code(stages);
}

/* 0: in the first part; 1: in the new one; -1: there is none. */
static int start_one(struct sl_stages *stages, uint32_t part)
{
    int facts[2] = {-1, -1}, file = memfd_create("sluice part", MFD_CLOEXEC);
    pid_t child = file < 0 || pipe2(facts, O_CLOEXEC) ? -1 : fork();
    if (child < 0) {
        if (file >= 0)
            close(file);
        if (facts[0] >= 0) {
            close(facts[0]);
            close(facts[1]);
        }
        return -1;
    }
    close(facts[child == 0 ? 0 : 1]);
    if (child) {
        stages->children[part] = (struct sl_part_child){child, file, facts[0]};
        return 0;
    }
    stages->part_file = file;
    stages->part_facts = facts[1];
    become_part(stages, part);
    return 1;
}

int sl_parts_start(struct sl_pass *pass)
{
    struct sl_stages *stages = pass->divide_data;
    stages->part_count = count_parts(stages);
    if (stages->part_count < 2)
        return 0;
    sl_part_share_names(stages);
    pass->flags |= SL_PASS_SHARED_TABLES;
    for (uint32_t p = 1; p < stages->part_count; p++) {
        int started = start_one(stages, p);
        if (started < 0 &&
            asprintf(&pass->error, "no process for a part of the program: %s", strerror(errno)) < 0)
            pass->error = NULL;
        if (started)
            return started < 0 ? -1 : 0;
    }
    sl_part_keep_code(stages);
    return 0;
}

/* ---- what the tables say --------------------------------------------------------------------- */

/* Of the child's facts those that passes found out since it was started. */
static void take_facts(struct sl_kernel_facts *to, const struct sl_kernel_facts *from)
{
    to->flags = from->flags;
    to->local_bytes = from->local_bytes;
    to->most_items = from->most_items;
    to->vector_width = from->vector_width;
    to->lanes = from->lanes;
    to->context_per_item = from->context_per_item;
    to->context_fixed = from->context_fixed;
    to->private_bytes = from->private_bytes;
    to->stack_bytes = from->stack_bytes;
    to->apart = from->apart;
    to->only_read = from->only_read;
}

/* False: the child ended before it had them, and left the reason. */
static bool receive_facts(struct sl_stages *stages, uint32_t part)
{
    struct sl_pass *pass = &stages->pass;
    struct sl_kernel_facts *all = sl_ir_alloc(pass->kernel_count, sizeof *all);
    bool whole = sl_read_all(stages->children[part].facts, all, pass->kernel_count * sizeof *all);
    for (uint32_t k = 0; k < pass->kernel_count && whole; k++)
        if (!all[k].elsewhere)
            take_facts(&pass->kernels[k], &all[k]);
    free(all);
    return whole;
}

int sl_parts_exchange(struct sl_stages *stages)
{
    const struct sl_pass *pass = &stages->pass;
    if (stages->part_count < 2)
        return 0;
    sl_part_join_kernels(stages);
    if (stages->part) {
        bool all = sl_write_all(stages->part_facts, pass->kernels,
                                pass->kernel_count * sizeof *pass->kernels);
        close(stages->part_facts);
        return all ? 0 : sl_stage_fail(stages, "a part of the program cannot be handed over");
    }
    bool whole = true; /* all are read: who cannot hand its facts over never ends */
    for (uint32_t p = 1; p < stages->part_count; p++)
        whole &= receive_facts(stages, p);
    if (whole)
        return 0;
    return sl_parts_collect(stages) ? -1 : sl_stage_fail(stages, "a part is missing");
}

/* ---- the end of a child ---------------------------------------------------------------------- */

void sl_parts_hand_over(struct sl_stages *stages, bool fine)
{
    _exit(write_outcome(stages, fine, NULL, 0) ? 0 : 1);
}

/* ---- back in the parent ---------------------------------------------------------------------- */

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
    close(child->facts);
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
        close(child->facts);
        child->process = 0;
    }
}
