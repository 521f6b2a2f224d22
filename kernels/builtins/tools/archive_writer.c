/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Single-threaded, as the tools are. */
#include "archive_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sl_archive_member *sl_archive_add(struct sl_archive_members *all)
{
    if (all->count == all->room) {
        all->room = all->room ? all->room * 2 : 1024;
        struct sl_archive_member *rows = realloc(all->rows, all->room * sizeof *rows);
        if (!rows)
            exit(1);
        all->rows = rows;
    }
    return memset(&all->rows[all->count++], 0, sizeof *all->rows);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct sl_archive_member *)a)->name,
                  ((const struct sl_archive_member *)b)->name);
}

static uint64_t round_up(uint64_t value)
{
    return (value + 7) & ~UINT64_C(7);
}

static uint64_t lay_out(struct sl_archive_members *all, uint64_t *dictionary)
{
    uint64_t at = sizeof(struct sl_archive_header) + all->count * sizeof(struct sl_archive_symbol);
    for (size_t i = 0; i < all->count; i++) {
        all->rows[i].row.name = at;
        at += strlen(all->rows[i].name) + 1;
    }
    *dictionary = at;
    at += all->dictionary_bytes;
    for (size_t i = 0; i < all->count; i++) {
        at = round_up(at);
        all->rows[i].row.code = at;
        all->rows[i].row.code_bytes = LLVMGetBufferSize(all->rows[i].code);
        at += all->rows[i].row.code_bytes;
    }
    return at;
}

bool sl_archive_write(const char *path, struct sl_archive_members *all)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    qsort(all->rows, all->count, sizeof *all->rows, by_name);
    struct sl_archive_header header = {.magic = SL_ARCHIVE_MAGIC,
                                       .symbol_count = (uint32_t)all->count,
                                       .symbols = sizeof header,
                                       .dictionary_bytes = all->dictionary_bytes};
    header.total_bytes = lay_out(all, &header.dictionary);
    static const char zeros[8];
    uint64_t at = 0;
    at += fwrite(&header, 1, sizeof header, file);
    for (size_t i = 0; i < all->count; i++)
        at += fwrite(&all->rows[i].row, 1, sizeof all->rows[i].row, file);
    for (size_t i = 0; i < all->count; i++)
        at += fwrite(all->rows[i].name, 1, strlen(all->rows[i].name) + 1, file);
    if (all->dictionary_bytes)
        at += fwrite(all->dictionary, 1, all->dictionary_bytes, file);
    for (size_t i = 0; i < all->count; i++) {
        at += fwrite(zeros, 1, all->rows[i].row.code - at, file);
        at += fwrite(LLVMGetBufferStart(all->rows[i].code), 1, all->rows[i].row.code_bytes, file);
    }
    return !fclose(file) && at == header.total_bytes;
}
