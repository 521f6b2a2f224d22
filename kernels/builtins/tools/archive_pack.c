/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the members of an archive (archive.h). Single-threaded, as the tools are. */
#include "archive_writer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SAMPLES = 16 };

/* Some atoms, spread over all of them, one behind the other. */
static size_t make_dictionary(const struct sl_archive_members *all, unsigned char *out)
{
    size_t bytes = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        LLVMMemoryBufferRef code = all->rows[i * all->count / SAMPLES].code;
        size_t room = SL_ARCHIVE_DICTIONARY_MAX - bytes, size = LLVMGetBufferSize(code);
        size = size < room ? size : room;
        memcpy(out + bytes, LLVMGetBufferStart(code), size);
        bytes += size;
    }
    return bytes;
}

static bool pack(struct sl_archive_member *member, const unsigned char *dictionary, size_t bytes)
{
    size_t plain = LLVMGetBufferSize(member->code);
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, SL_ARCHIVE_WINDOW_BITS, 9,
                     Z_DEFAULT_STRATEGY))
        return false;
    size_t room = deflateBound(&stream, (uLong)plain);
    unsigned char *packed = malloc(room);
    stream.next_in = (unsigned char *)LLVMGetBufferStart(member->code);
    stream.avail_in = (uInt)plain;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    bool done = packed && !deflateSetDictionary(&stream, dictionary, (uInt)bytes) &&
                deflate(&stream, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&stream);
    if (done) {
        LLVMDisposeMemoryBuffer(member->code);
        member->code = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)packed,
                                                                 stream.total_out, member->name);
        member->row.plain_bytes = plain;
    }
    free(packed);
    return done;
}

bool sl_archive_pack(struct sl_archive_members *all, unsigned char *dictionary)
{
    all->dictionary = dictionary;
    all->dictionary_bytes = make_dictionary(all, dictionary);
    for (size_t i = 0; i < all->count; i++)
        if (!pack(&all->rows[i], dictionary, all->dictionary_bytes))
            return false;
    return true;
}
