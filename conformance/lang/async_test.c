/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous copies between global and local memory, also strided and of many types. */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 16384 };

static unsigned char in[BYTES], out[BYTES];

static void run(const char *source, size_t global, size_t local)
{
    cl_kernel kernel = new_kernel(source, "k", NULL);
    random_fill(in, BYTES);
    memset(out, 0, BYTES);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, BYTES, in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, BYTES, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, global, local);
    read_back(b, BYTES, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

static void there_and_back(void)
{
    static const char *const types[] = {"char",   "ushort", "int",  "ulong",  "float", "char2",
                                        "short4", "int3",   "int4", "float8", "uint16"};
    static const size_t sizes[] = {1, 2, 4, 8, 4, 2, 8, 16, 16, 32, 64};
    for (size_t t = 0; t < LEN(types); t++) {
        char source[1024];
        snprintf(source, sizeof source,
                 "kernel void k(global %s *in, global %s *out)\n{\n"
                 "    local %s s[32];\n"
                 "    size_t base = get_group_id(0) * 32;\n"
                 "    event_t e = async_work_group_copy(s, in + base, 32, 0);\n"
                 "    wait_group_events(1, &e);\n"
                 "    e = async_work_group_copy(out + base, s, 31, 0);\n"
                 "    wait_group_events(1, &e);\n}\n",
                 types[t], types[t], types[t]);
        run(source, 64, 16);
        size_t n = sizes[t], used = !strcmp(types[t], "int3") ? 12 : n;
        for (size_t g = 0; g < 4; g++) {
            for (size_t i = 0; i < 31; i++) {
                size_t at = (g * 32 + i) * n;
                if (memcmp(in + at, out + at, used)) {
                    check_fail(__FILE__, __LINE__, "%s: group %zu, element %zu", types[t], g, i);
                    i = 31;
                }
            }
            size_t end = (g * 32 + 31) * n, untouched = 1;
            for (size_t i = 0; i < n; i++)
                untouched &= out[end + i] == 0;
            CHECK(untouched);
        }
    }
}

static void strided(void)
{
    run("kernel void k(global int *in, global int *out)\n"
        "{\n"
        "    local int s[16];\n"
        "    size_t base = get_group_id(0) * 64;\n"
        "    event_t e = async_work_group_strided_copy(s, in + base, 16, 3, 0);\n"
        "    wait_group_events(1, &e);\n"
        "    s[get_local_id(0)] ^= 1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    e = async_work_group_strided_copy(out + base, s, 16, 4, 0);\n"
        "    wait_group_events(1, &e);\n"
        "}\n",
        32, 16);
    for (int g = 0; g < 2; g++) {
        for (int i = 0; i < 16; i++) {
            cl_int from, to, gap;
            memcpy(&from, in + (g * 64 + i * 3) * 4, 4);
            memcpy(&to, out + (g * 64 + i * 4) * 4, 4);
            memcpy(&gap, out + (g * 64 + i * 4 + 1) * 4, 4);
            CHECK_EQ(to, from ^ 1);
            CHECK_EQ(gap, 0);
        }
    }
}

static void several_events(void)
{
    run("kernel void k(global int *in, global int *out)\n"
        "{\n"
        "    local int a[16], b[16];\n"
        "    event_t e[2];\n"
        "    e[0] = async_work_group_copy(a, in, 16, 0);\n"
        "    e[1] = async_work_group_copy(b, in + 16, 16, e[0]);\n"
        "    prefetch(in + 32, 16);\n"
        "    wait_group_events(2, e);\n"
        "    int l = get_local_id(0);\n"
        "    out[l] = a[l] + b[15 - l];\n"
        "}\n",
        16, 16);
    for (int l = 0; l < 16; l++) {
        cl_int a, b, got;
        memcpy(&a, in + l * 4, 4);
        memcpy(&b, in + (16 + 15 - l) * 4, 4);
        memcpy(&got, out + l * 4, 4);
        CHECK_EQ((cl_uint)got, (cl_uint)a + (cl_uint)b);
    }
}

static const struct test_case cases[] = {CASE(there_and_back), CASE(strided), CASE(several_events)};
TEST_MAIN("async", cases)
