/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the dynamic linker would believe of an ELF file, checked before it gets it: an executable
 * module may come from anywhere. A module has the shape that its linker gives it: a handful of
 * segments in ascending order, relative relocations, one symbol, no initialisers. All else is
 * refused. No state; any thread.
 */
#ifndef SL_DEVICES_ELF_IMAGE_H
#define SL_DEVICES_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SL_ELF_SEGMENTS = 16 };

struct sl_elf_range {
    uint64_t start, end;
};

struct sl_elf_segment {
    struct sl_elf_range memory; /* addresses before relocation */
    uint64_t file_offset, file_bytes;
    bool writable, executable;
};

/* Once loaded, what is where. */
struct sl_elf_image {
    struct sl_elf_segment segments[SL_ELF_SEGMENTS];
    unsigned segment_count;
    struct sl_elf_range read_only; /* after relocation; empty if none */
    struct sl_elf_range symbol;    /* the module table's */
    const char *base;              /* set by the loader: what address 0 became */
};

/* NULL, or why not. `symbol`: the name of the one symbol that is looked up. */
const char *sl_elf_image_read(struct sl_elf_image *, const void *elf, size_t bytes,
                              const char *symbol);

/* Of a loaded image. */
bool sl_elf_image_has(const struct sl_elf_image *, const void *at, uint64_t bytes);
bool sl_elf_image_has_writable(const struct sl_elf_image *, const void *at, uint64_t bytes);
bool sl_elf_image_has_code(const struct sl_elf_image *, const void *at);
/* A NUL follows within the image. */
bool sl_elf_image_has_text(const struct sl_elf_image *, const char *at);

#endif
