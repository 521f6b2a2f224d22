/* SPDX-License-Identifier: Apache-2.0 */
/* Containers for tests. */
#include "container.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/base/hash.h"

#define SUMMED_FROM 24

void container_sum(unsigned char *container, size_t bytes)
{
    struct sl_hash sum = sl_hash_bytes(container + SUMMED_FROM, bytes - SUMMED_FROM);
    memcpy(container + 8, &sum.low, 8);
    memcpy(container + 16, &sum.high, 8);
}

static size_t place(unsigned char *at, size_t offset, const void *data, size_t bytes)
{
    offset = SL_BINARY_PAD(offset);
    if (at && bytes)
        memcpy(at + offset, data, bytes);
    return offset + bytes;
}

unsigned char *container_make(const struct container_text *text, size_t *bytes)
{
    const char *options = text->options ? text->options : "", *log = text->log ? text->log : "";
    unsigned char *out = NULL;
    struct sl_binary_header head = {.version = SL_BINARY_VERSION,
                                    .header_bytes = sizeof head,
                                    .kind = text->kind,
                                    .module_abi = SL_MODULE_ABI,
                                    .options_bytes = strlen(options),
                                    .log_bytes = strlen(log),
                                    .payload_bytes = text->payload_bytes};
    memcpy(head.magic, SL_BINARY_MAGIC, 8);
    strcpy(head.compiler, "test");
    strncpy(head.target, text->target, sizeof head.target - 1);
    for (int pass = 0; pass < 2; pass++) {
        size_t end = place(out, sizeof head, options, strlen(options));
        end = place(out, end, log, strlen(log));
        end = place(out, end, text->payload, text->payload_bytes);
        head.total_bytes = SL_BINARY_PAD(end);
        if (!out)
            out = calloc(1, head.total_bytes);
    }
    memcpy(out, &head, sizeof head);
    container_sum(out, head.total_bytes);
    *bytes = head.total_bytes;
    return out;
}

const void *container_elf(size_t *bytes)
{
    static struct {
        Elf64_Ehdr head;
        Elf64_Phdr load;
    } file;
    memcpy(file.head.e_ident, ELFMAG, SELFMAG);
    file.head.e_ident[EI_CLASS] = ELFCLASS64;
    file.head.e_ident[EI_DATA] = ELFDATA2LSB;
    file.head.e_type = ET_DYN;
    file.head.e_phentsize = sizeof file.load;
    file.head.e_phnum = 1;
    file.head.e_phoff = offsetof(__typeof__(file), load);
    file.load.p_type = PT_LOAD;
    file.load.p_filesz = file.load.p_memsz = sizeof file;
    *bytes = sizeof file;
    return &file;
}
