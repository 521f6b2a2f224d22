/* SPDX-License-Identifier: Apache-2.0 */
/* What concerns the compiler's process: its identity, its stack, its first compile. No locks. */
#include <elf.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "build.h"

/* ---- identity -----------------------------------------------------------------------------------
 */

static char version[sizeof((struct sl_binary_header *)0)->compiler];

static const Elf64_Nhdr *next_note(const Elf64_Nhdr *note)
{
    size_t name = (note->n_namesz + 3u) & ~(size_t)3u, text = (note->n_descsz + 3u) & ~(size_t)3u;
    return (const Elf64_Nhdr *)((const char *)(note + 1) + name + text);
}

/* The build id of this very executable: two builds of one version differ in it. */
static size_t find_build_id(const unsigned char **id)
{
    const Elf64_Phdr *rows = (const Elf64_Phdr *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM);
    uintptr_t base = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].p_type == PT_PHDR)
            base = (uintptr_t)rows - rows[i].p_vaddr;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].p_type != PT_NOTE)
            continue;
        const Elf64_Nhdr *note = (const Elf64_Nhdr *)(base + rows[i].p_vaddr);
        const char *end = (const char *)note + rows[i].p_memsz;
        for (; (const char *)(note + 1) <= end; note = next_note(note))
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4) {
                *id = (const unsigned char *)(note + 1) + 4;
                return note->n_descsz;
            }
    }
    return 0;
}

static void make_version(void)
{
    const unsigned char *id = NULL;
    size_t bytes = find_build_id(&id);
    int at = snprintf(version, sizeof version, "sluice %s, LLVM %s, ", SLUICE_VERSION,
                      LLVM_VERSION_STRING);
    for (size_t i = 0; i < bytes && i < 8; i++)
        at += snprintf(version + at, sizeof version - (size_t)at, "%02x", id[i]);
}

const char *sl_compiler_version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_version);
    return version;
}

/* ---- warming up ---------------------------------------------------------------------------------
 */

void sl_compiler_warm_up(void)
{
    static const char source[] =
        "kernel void warm(global float *a, float b) { a[get_global_id(0)] += b; }";
    const struct sl_build_request request = {
        .kind = SL_BUILD_BUILD,
        .source = {source, sizeof source - 1},
    };
    struct sl_build_result result = {0};
    sl_compiler_build(&request, &result);
    sl_build_result_finish(&result);
}

/* ---- stack --------------------------------------------------------------------------------------
 */

struct job {
    void (*work)(void *);
    void *data;
};

static void *run_job(void *data)
{
    struct job *job = data;
    job->work(job->data);
    return NULL;
}

int sl_compiler_on_large_stack(void (*work)(void *), void *data)
{
    struct job job = {work, data};
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes))
        return -1;
    int rc = pthread_attr_setstacksize(&attributes, SL_COMPILER_STACK_BYTES);
    if (!rc)
        rc = pthread_create(&thread, &attributes, run_job, &job);
    pthread_attr_destroy(&attributes);
    if (!rc)
        rc = pthread_join(thread, NULL);
    return rc ? -1 : 0;
}
