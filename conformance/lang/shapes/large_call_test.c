/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions with the rounds of a hash written out, thousands of instructions: called once in a
 * loop, and twice, with bytes of a private array that the function reads as words. The same text is
 * the kernel's function and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>

typedef cl_uint uint;
typedef cl_uchar uchar;

/* clang-format off */
#define ROUND(K) \
    a += ((b & c) | (~b & d)) + K + w0; b = b + (a << 7 | a >> 25); c ^= b * 5u + w1; d += c >> 3;
#define ROUNDS8(K) \
    ROUND(K) ROUND(K + 1u) ROUND(K + 2u) ROUND(K + 3u) \
    ROUND(K * 5u) ROUND(K * 7u) ROUND(K + 6u) ROUND(K * 3u)
#define ROUNDS64 \
    ROUNDS8(0xd76aa478u) ROUNDS8(0xe8c7b756u) ROUNDS8(0x242070dbu) ROUNDS8(0xc1bdceeeu) \
    ROUNDS8(0xf57c0fafu) ROUNDS8(0x4787c62au) ROUNDS8(0xa8304613u) ROUNDS8(0xfd469501u)
/* clang-format on */

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define MIX                                                                                        \
    void mix(const uint *w, uint length, uint *digest)                                             \
    {                                                                                              \
        uint a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;                   \
        uint w0 = w[0], w1 = w[1];                                                                 \
        switch (length) {                                                                          \
        case 0:                                                                                    \
            w0 |= 0x80u;                                                                           \
            break;                                                                                 \
        case 1:                                                                                    \
            w0 |= 0x8000u;                                                                         \
            break;                                                                                 \
        case 5:                                                                                    \
            w1 |= 0x8000u;                                                                         \
            break;                                                                                 \
        }                                                                                          \
        ROUNDS64                                                                                   \
        digest[0] = a + b;                                                                         \
        digest[1] = c ^ d;                                                                         \
    }

static MIX

    static const char source[] = "inline " TEXT(
        MIX) "\n"
             "kernel void once(global const uint *in, global uint *out, uint length, uint n) {\n"
             "    uint v = in[get_global_id(0)], digest[2], sum = 0;\n"
             "    union { uchar bytes[8]; uint words[2]; } key;\n"
             "    key.words[0] = v; key.words[1] = v % 77;\n"
             "    for (uint i = 0; i < v % n; i++) {\n"
             "        mix(key.words, length, digest);\n"
             "        if (digest[0] % 5 == 0) sum += digest[1];\n"
             "        sum ^= digest[0]; ++key.bytes[0];\n"
             "    }\n"
             "    out[get_global_id(0)] = sum;\n"
             "}\n"
             "kernel void twice(global const uint *in, global uint *out, uint length, uint n) {\n"
             "    uint w[2] = {in[get_global_id(0)], n}, first[2], second[2];\n"
             "    mix(w, length, first);\n"
             "    if (first[0] & 1) mix(first, w[0] % 6, second); else second[0] = second[1] = 7;\n"
             "    out[get_global_id(0)] = first[1] ^ second[0] ^ second[1];\n"
             "}\n";

static uint once(uint v, uint length, uint n)
{
    union {
        uchar bytes[8];
        uint words[2];
    } key;
    uint digest[2], sum = 0;
    key.words[0] = v;
    key.words[1] = v % 77;
    for (uint i = 0; i < v % n; i++) {
        mix(key.words, length, digest);
        if (digest[0] % 5 == 0)
            sum += digest[1];
        sum ^= digest[0];
        ++key.bytes[0];
    }
    return sum;
}

static uint twice(uint v, uint length, uint n)
{
    uint w[2] = {v, n}, first[2], second[2] = {7, 7};
    mix(w, length, first);
    if (first[0] & 1)
        mix(first, w[0] % 6, second);
    return first[1] ^ second[0] ^ second[1];
}

enum { ITEMS = 203 };

static void run_calls(const char *name, uint (*item)(uint, uint, uint))
{
    static const uint lengths[] = {0, 1, 3, 5};
    const uint n = 9;
    uint in[ITEMS], out[ITEMS];
    for (size_t i = 0; i < ITEMS; i++)
        in[i] = (uint)random_below(UINT64_C(1) << 32);
    cl_kernel kernel = new_kernel(source, name, NULL);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem to = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 3, n);
    for (size_t l = 0; l < LEN(lengths); l++) {
        ARG(kernel, 2, lengths[l]);
        run_1d(kernel, ITEMS, 0);
        read_back(to, sizeof out, out);
        for (size_t i = 0; i < ITEMS; i++)
            CHECK(out[i] == item(in[i], lengths[l], n));
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static void in_a_loop(void)
{
    run_calls("once", once);
}

static void twice_in_turn(void)
{
    run_calls("twice", twice);
}

static const struct test_case cases[] = {CASE(in_a_loop), CASE(twice_in_turn)};
TEST_MAIN("large_call", cases)
