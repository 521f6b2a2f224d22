/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop whose unrolled steps each choose between ways: codes that are put together in words, as
 * encoders have it. LLVM's vectoriser did not come to an end of it. The same text is the kernel's
 * and the reference.
 */
#include "cl_help.h"

#include <stdio.h>

typedef cl_ushort ushort;
typedef cl_uchar uchar;

enum { CODES = 32, ITEMS = 9, READ = 3 * CODES, WRITTEN = 2 * CODES };

#define BODY(UNROLLED)                                                                             \
    {                                                                                              \
        ushort at[32], x[32], y[32], now[32], later[32];                                           \
        uchar full[32];                                                                            \
        for (int j = 0; j < 32; j++) {                                                             \
            at[j] = in[j] & 31;                                                                    \
            full[j] = in[j] >> 9 & 1;                                                              \
            x[j] = in[j + 32];                                                                     \
            y[j] = in[j + 64];                                                                     \
        }                                                                                          \
        for (int i = 0; i < 32; i++) {                                                             \
            now[i] = 0;                                                                            \
            later[i] = 0;                                                                          \
            UNROLLED for (int j = 0; j < 32; j++)                                                  \
            {                                                                                      \
                uchar first = at[j] == i;                                                          \
                uchar second = at[j] == ((i - 1) & 31);                                            \
                ushort part = first ? x[j] : second ? y[j] : 0;                                    \
                uchar over = full[j] || (second && at[j] == 31);                                   \
                now[i] |= over ? 0 : part;                                                         \
                later[i] |= over ? part : 0;                                                       \
            }                                                                                      \
        }                                                                                          \
        for (int i = 0; i < 32; i++) {                                                             \
            out[i] = now[i];                                                                       \
            out[i + 32] = later[i];                                                                \
        }                                                                                          \
    }

static void place(ushort *out, const ushort *in) BODY()

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
    static const char text[] = "kernel void place(global ushort *out, global const ushort *in)\n"
                               "{\n"
                               "    out += 64 * get_global_id(0);\n"
                               "    in += 96 * get_global_id(0);\n" TEXT(
                                   BODY(__attribute__((opencl_unroll_hint(32))))) "}\n";

static void codes_in_words(void)
{
    static ushort in[ITEMS * READ], out[ITEMS * WRITTEN], got[ITEMS * WRITTEN];
    for (size_t i = 0; i < LEN(in); i++)
        in[i] = (ushort)((cl_uint)(i + 3) * 2654435761u >> 16);
    for (int i = 0; i < ITEMS; i++)
        place(out + i * WRITTEN, in + i * READ);
    cl_program program = built(text, NULL);
    cl_kernel kernel = kernel_of(program, "place");
    cl_mem written = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    cl_mem read = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    ARG(kernel, 0, written);
    ARG(kernel, 1, read);
    run_1d(kernel, ITEMS, 1);
    read_back(written, sizeof got, got);
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != out[i]) {
            check_fail(__FILE__, __LINE__, "word %zu is %#x, not %#x", i, got[i], out[i]);
            check_abandon();
        }
    RELEASE_MEM(written);
    RELEASE_MEM(read);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {CASE(codes_in_words)};
TEST_MAIN("blend_chains", cases)
