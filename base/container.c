/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of compiled containers. The checksum finds damage, the limits keep a well-summed but
 * foolish file from making the dynamic linker read outside it. No state, no lock.
 */
#include "sluice/base/container.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

#include "sluice/base/hash.h"
#include "sluice/base/target.h"

#define CHECKSUM_END (offsetof(struct sl_binary_header, checksum) + 16)
static_assert(CHECKSUM_END == 24, "known to the compiler");
static_assert(sizeof(struct sl_binary_header) == 200, "known to the compiler and to files");

static bool ends_in_nul(const char *field, size_t bytes)
{
    return memchr(field, 0, bytes) != NULL;
}

static const char *check_header(const struct sl_binary_header *h, size_t size)
{
    if (memcmp(h->magic, SL_BINARY_MAGIC, sizeof h->magic))
        return "not a Sluice binary";
    if (h->version != SL_BINARY_VERSION || h->header_bytes != sizeof *h)
        return "binary of another format version";
    if (h->total_bytes != size)
        return "binary is truncated or has bytes behind its end";
    if (h->kind != SL_BINARY_OBJECT && h->kind != SL_BINARY_LIBRARY &&
        h->kind != SL_BINARY_EXECUTABLE && h->kind != SL_BINARY_REST)
        return "binary of unknown kind";
    if (!ends_in_nul(h->compiler, sizeof h->compiler) || !ends_in_nul(h->target, sizeof h->target))
        return "binary header has unterminated text";
    return NULL;
}

/* The offsets of the three sections; false if they do not fill the container exactly. */
static bool lay_out(const struct sl_binary_header *h, uint64_t at[3])
{
    const uint64_t bytes[3] = {h->options_bytes, h->log_bytes, h->payload_bytes};
    uint64_t end = sizeof *h;
    for (int i = 0; i < 3; i++) {
        at[i] = SL_BINARY_PAD(end);
        if (at[i] > h->total_bytes || bytes[i] > h->total_bytes - at[i])
            return false;
        end = at[i] + bytes[i];
    }
    return SL_BINARY_PAD(end) == h->total_bytes;
}

static bool segments_inside(const unsigned char *elf, size_t size, const Elf64_Ehdr *head)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, elf + head->e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz)
            return false;
        if (segment.p_type == PT_LOAD && segment.p_memsz < segment.p_filesz)
            return false;
    }
    return true;
}

static bool looks_like_module(const unsigned char *elf, size_t size)
{
    Elf64_Ehdr head;
    if (size < sizeof head)
        return false;
    memcpy(&head, elf, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_type != ET_DYN)
        return false;
    if (head.e_phentsize != sizeof(Elf64_Phdr) || !head.e_phnum || head.e_phoff > size ||
        head.e_phnum > (size - head.e_phoff) / sizeof(Elf64_Phdr))
        return false;
    return segments_inside(elf, size, &head);
}

static const char *check_payload(const struct sl_module_view *view)
{
    const struct sl_binary_header *h = &view->header;
    if (!h->payload_bytes)
        return "binary without code";
    if (h->kind != SL_BINARY_EXECUTABLE || h->module_abi == SL_MODULE_OWN)
        return NULL;
    if (h->module_abi != SL_MODULE_ABI)
        return "executable of another module version";
    if (!looks_like_module(view->payload, (size_t)h->payload_bytes))
        return "executable is not a usable shared object";
    return NULL;
}

const char *sl_container_check(const void *container, size_t size, const char *target,
                               struct sl_module_view *view)
{
    const unsigned char *bytes = container;
    struct sl_binary_header *h = &view->header;
    if (size < sizeof *h)
        return "too short for a Sluice binary";
    memcpy(h, bytes, sizeof *h);
    const char *why = check_header(h, size);
    if (why)
        return why;
    uint64_t at[3];
    if (!lay_out(h, at))
        return "sections of the binary do not fit";
    struct sl_hash sum = sl_hash_bytes(bytes + CHECKSUM_END, size - CHECKSUM_END);
    if (sum.low != h->checksum[0] || sum.high != h->checksum[1])
        return "binary is damaged: wrong checksum";
    if (target && !sl_target_suits(h->target, target))
        return sl_target_akin(h->target, target)
                   ? "binary was built for a processor that has more than this one"
                   : "binary was built for another target";
    view->options = (const char *)bytes + at[0];
    view->log = (const char *)bytes + at[1];
    view->payload = bytes + at[2];
    return check_payload(view);
}

size_t sl_container_split(const void *bytes, size_t size)
{
    struct sl_binary_header first, second;
    if (size < 2 * sizeof first)
        return size;
    memcpy(&first, bytes, sizeof first);
    if (memcmp(first.magic, SL_BINARY_MAGIC, sizeof first.magic) ||
        first.kind != SL_BINARY_EXECUTABLE || first.total_bytes > size - sizeof second)
        return size;
    memcpy(&second, (const char *)bytes + first.total_bytes, sizeof second);
    return !memcmp(second.magic, SL_BINARY_MAGIC, sizeof second.magic) &&
                   second.kind == SL_BINARY_REST && second.total_bytes == size - first.total_bytes
               ? (size_t)first.total_bytes
               : size;
}
