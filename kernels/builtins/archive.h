/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The builtins archive: one file, mapped read-only by the compiler, that holds each builtin
 * function and each constant table as a bitcode module of its own ("atom").
 *
 * An atom defines exactly one external symbol and declares the symbols it needs, so a linker takes
 * what a kernel calls and nothing more. Layout: header, symbols sorted by name (strcmp order),
 * names, dictionary, atoms (each 8-aligned). Offsets count from the start of the file; numbers are
 * little-endian, as on the only machines that read it.
 *
 * Bitcode is packed, each atom for itself: deflated without a header, with the archive's
 * dictionary, which has what atoms have in common and is most of them. Machine code lies there as
 * it is.
 *
 * Names: clang mangles those of overloadable functions; the others begin with two underscores here,
 * as no name of a program may. So nothing that a program defines is taken for a builtin.
 */
#ifndef SL_KERNELS_BUILTINS_ARCHIVE_H
#define SL_KERNELS_BUILTINS_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SL_ARCHIVE_MAGIC 0x32424c53u /* "SLB2" */

struct sl_archive_header {
    uint32_t magic;
    uint32_t symbol_count;
    uint64_t symbols; /* offset of struct sl_archive_symbol[symbol_count] */
    uint64_t total_bytes;
    uint64_t dictionary, dictionary_bytes;
};

struct sl_archive_symbol {
    uint64_t name; /* offset of the NUL-terminated name */
    uint64_t code; /* offset of the bitcode or machine code */
    uint64_t code_bytes;
    uint64_t plain_bytes; /* of what is packed; 0: it is not */
};
#define SL_ARCHIVE_WINDOW_BITS (-15) /* for zlib: no header, 32 KiB back */
#define SL_ARCHIVE_DICTIONARY_MAX 32768

#define SL_ARCHIVE_OWN "__" /* in front of names that are not mangled */

/* Is it an overloadable builtin whose name in the source begins like this? */
static inline bool sl_archive_is_named(const char *name, const char *begin)
{
    return !strncmp(name, "_Z", 2) &&
           !strncmp(name + 2 + strspn(name + 2, "0123456789"), begin, strlen(begin));
}

#endif
