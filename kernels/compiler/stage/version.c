/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler's version, with what tells its build from others of that version. Made once, then
 * constant. */
#include <elf.h>
#include <link.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "compiler/build.h"

static char version[sizeof((struct sl_binary_header *)0)->compiler];

static const Elf64_Nhdr *next_note(const Elf64_Nhdr *note)
{
    size_t name = (note->n_namesz + 3u) & ~(size_t)3u, text = (note->n_descsz + 3u) & ~(size_t)3u;
    return (const Elf64_Nhdr *)((const char *)(note + 1) + name + text);
}

static const unsigned char *find_build_id(const struct dl_phdr_info *object, size_t *bytes)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const Elf64_Phdr *row = &object->dlpi_phdr[i];
        if (row->p_type != PT_NOTE)
            continue;
        const Elf64_Nhdr *note = (const Elf64_Nhdr *)(object->dlpi_addr + row->p_vaddr);
        const char *end = (const char *)note + row->p_memsz;
        for (; (const char *)(note + 1) <= end; note = next_note(note))
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4) {
                *bytes = note->n_descsz;
                return (const unsigned char *)(note + 1) + 4;
            }
    }
    return NULL;
}

/* Two builds of one version differ in these, and so do two builds of a shared LLVM under one
 * compiler. An empty name is the executable's. */
static int mix_build_id(struct dl_phdr_info *object, size_t size, void *data)
{
    uint64_t *mix = data;
    size_t bytes = 0;
    (void)size;
    if (*object->dlpi_name && !strstr(object->dlpi_name, "libLLVM") &&
        !strstr(object->dlpi_name, "libclang") && !strstr(object->dlpi_name, "liblld"))
        return 0;
    const unsigned char *id = find_build_id(object, &bytes);
    for (size_t i = 0; id && i < bytes; i++)
        *mix = (*mix ^ id[i]) * 0x100000001b3u; /* FNV-1a */
    return 0;
}

static void make_version(void)
{
    uint64_t mix = 0xcbf29ce484222325u;
    dl_iterate_phdr(mix_build_id, &mix);
    snprintf(version, sizeof version, "sluice %s, LLVM %s, %016llx", SLUICE_VERSION,
             LLVM_VERSION_STRING, (unsigned long long)mix);
}

const char *sl_compiler_version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_version);
    return version;
}
