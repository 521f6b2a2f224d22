/* SPDX-License-Identifier: Apache-2.0 */
/* Writes files of archive.h: members of bitcode or of machine code, by name. */
#ifndef SL_BUILTINS_ARCHIVE_WRITER_H
#define SL_BUILTINS_ARCHIVE_WRITER_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "../archive.h"

struct sl_archive_member {
    char *name;               /* owned */
    LLVMMemoryBufferRef code; /* owned */
    struct sl_archive_symbol row;
};

struct sl_archive_members {         /* zero-initialised: none */
    struct sl_archive_member *rows; /* owned */
    size_t count, room;
    const unsigned char *dictionary; /* of packed ones */
    size_t dictionary_bytes;
};

/* A new one, empty; without memory the process ends. */
struct sl_archive_member *sl_archive_add(struct sl_archive_members *);
/* Replaces each member's code by its packed form. `dictionary` has room for
 * SL_ARCHIVE_DICTIONARY_MAX, and stays until the archive is written. */
bool sl_archive_pack(struct sl_archive_members *, unsigned char *dictionary);
/* Sorts them. */
bool sl_archive_write(const char *path, struct sl_archive_members *);

#endif
