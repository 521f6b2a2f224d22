/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the dynamic linker would believe of an ELF file, checked before it gets it: an executable
 * module may come from anywhere. A module has the shape that its linker gives it: a handful of
 * segments in ascending order, relative relocations, one symbol, no initialisers. All else is
 * refused. No state; any thread.
 */
#ifndef SL_BASE_ELF_IMAGE_H
#define SL_BASE_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

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
    uint64_t align;                /* of address 0; a power of two, a page at least */
    struct sl_elf_range read_only; /* after relocation; empty if none */
    struct sl_elf_range symbol;    /* the module table's */
    const char *relocations;       /* in the file; all are relative */
    uint64_t relocation_count;
    const char *base; /* set by the loader: what address 0 became */
};

/* NULL, or why not. `symbol`: the name of the one symbol that is looked up. */
const char *sl_elf_image_read(struct sl_elf_image *, const void *elf, size_t bytes,
                              const char *symbol);

/* How many bytes of memory it takes, from address 0 on. */
uint64_t sl_elf_image_bytes(const struct sl_elf_image *);
/* What the dynamic linker would make of the file, in memory of that many bytes that are 0, to read
 * its tables there: nothing of it can run. Sets `base`. */
void sl_elf_image_place(struct sl_elf_image *, const void *elf, void *memory);

/* Of a loaded image, or one that was placed. */
bool sl_elf_image_has(const struct sl_elf_image *, const void *at, uint64_t bytes);
/* All of it is in the file: a few words in a header cannot make it larger than that. */
bool sl_elf_image_has_in_file(const struct sl_elf_image *, const void *at, uint64_t bytes);
bool sl_elf_image_has_writable(const struct sl_elf_image *, const void *at, uint64_t bytes);
bool sl_elf_image_has_code(const struct sl_elf_image *, const void *at);
/* A NUL follows within the image. */
bool sl_elf_image_has_text(const struct sl_elf_image *, const char *at);

SL_END_C

#endif
