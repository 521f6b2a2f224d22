/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memcpy and its family for compiled modules: code generation may call them whatever the source
 * says, and a module has no libc. Linked only where called. No state.
 */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
int bcmp(const void *a, const void *b, size_t bytes);

typedef uint64_t word __attribute__((may_alias, aligned(1)));
typedef uint32_t half_word __attribute__((may_alias, aligned(1)));
typedef uint64_t block __attribute__((vector_size(16), may_alias, aligned(1)));

enum { STRING_FROM = 1024 }; /* bytes from which the string instructions win */

/* All loads come before any store, so the two ranges may overlap. */
static void move_small(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes >= 8) {
        word first = *(const word *)from;
        word last = *(const word *)(from + bytes - 8);
        *(word *)to = first;
        *(word *)(to + bytes - 8) = last;
    } else if (bytes >= 4) {
        half_word first = *(const half_word *)from;
        half_word last = *(const half_word *)(from + bytes - 4);
        *(half_word *)to = first;
        *(half_word *)(to + bytes - 4) = last;
    } else if (bytes) {
        unsigned char first = from[0];
        unsigned char middle = from[bytes / 2];
        unsigned char last = from[bytes - 1];
        to[0] = first;
        to[bytes / 2] = middle;
        to[bytes - 1] = last;
    }
}

static void move_up(unsigned char *to, const unsigned char *from, size_t bytes)
{
    block last = *(const block *)(from + bytes - 16);
    for (size_t i = 0; i + 16 < bytes; i += 16)
        *(block *)(to + i) = *(const block *)(from + i);
    *(block *)(to + bytes - 16) = last;
}

static void move_down(unsigned char *to, const unsigned char *from, size_t bytes)
{
    block first = *(const block *)from;
    for (size_t i = bytes; i > 16; i -= 16)
        *(block *)(to + i - 16) = *(const block *)(from + i - 16);
    *(block *)to = first;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    if (bytes <= 16) {
        move_small(to, from, bytes);
    } else if (bytes < STRING_FROM) {
        move_up(to, from, bytes);
    } else {
        void *at = to;
        __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
    }
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    if (bytes <= 16)
        move_small(to, from, bytes);
    else if ((uintptr_t)to - (uintptr_t)from >= bytes)
        move_up(to, from, bytes);
    else
        move_down(to, from, bytes);
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    unsigned char *at = to;
    if (bytes >= STRING_FROM) {
        __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(value) : "memory");
        return to;
    }
    uint64_t pattern = UINT64_C(0x0101010101010101) * (unsigned char)value;
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8)
        *(word *)(at + i) = pattern;
    for (; i < bytes; i++)
        at[i] = (unsigned char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *p = a;
    const unsigned char *q = b;
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

int bcmp(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes);
}
