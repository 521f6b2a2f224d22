/* SPDX-License-Identifier: Apache-2.0 */
#include "source_text.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* Pieces of source that are put where others were. */
static const char *const words[] = {
    "barrier(CLK_LOCAL_MEM_FENCE);",
    "get_global_id(0)",
    "get_local_id(1)",
    "return;",
    "break;",
    "continue;",
    "if (a[0])",
    "for (int i = 0; i < n; i++)",
    "while (1)",
    "do",
    "switch (n)",
    "case 3:",
    "default:",
    "goto end;",
    "end:;",
    "{",
    "}",
    "(",
    ")",
    ";",
    "*",
    "&",
    "global",
    "local",
    "private",
    "constant",
    "kernel",
    "float16",
    "double3",
    "uchar",
    "half",
    "int",
    "struct { int x; } s;",
    "union",
    "0x7fffffff",
    "-1",
    "1.0e400",
    "4294967296",
    "vload4(0, a)",
    "atomic_add(a, 1)",
    "printf(\"%d\\n\", n);",
    "convert_uchar4_sat_rtz",
    "as_float4",
    "sizeof",
    "__attribute__((reqd_work_group_size(1,1,1)))",
    "__attribute__((noinline))",
    "#define X X X\n",
    "#pragma unroll 4\n",
    "\n#if 1\n",
    "\n#endif\n",
    "read_channel_intel(c)",
    "write_channel_intel(c, 1);",
    "channel int d;",
    "__attribute__((depth(3)))",
    "__attribute__((autorun))",
    "__attribute__((num_compute_units(3)))",
    "read_pipe(p, &n)",
    "write_pipe(q, &n)",
    "pipe int",
    "read_only image2d_t",
    "sampler_t",
    "__builtin_trap()",
    "work_group_reduce_add(n)",
    "async_work_group_copy(l, a, 4, 0)",
    "l[get_local_id(0)]",
    "\"",
    "'",
    "\\\n",
    "/*",
    "//",
    "\0",
};

static const char *const seeds[] = {
    "\1kernel void k(global int *a, int n, local int *l)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    l[get_local_id(0)] = a[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int j = 0; j < n; j++) { if (l[j] > i) a[i] += l[j] * 3; else break; }\n"
    "}\n",
    "\2float f(float4 x, int n) { return n ? dot(x, x.wzyx) : sin(x.x); }\n"
    "kernel void k(global float4 *a, global const uchar16 *b, int n)\n"
    "{\n"
    "    size_t i = get_global_id(0); float private_[8];\n"
    "    switch (n & 3) { case 0: a[i].x = f(a[i], n); break; case 1: return;\n"
    "    default: while (n-- > 0) private_[n & 7] = convert_float(b[i].s3); }\n"
    "    vstore4(a[i] * private_[n & 7], i, (global float *)a);\n"
    "}\n",
    "\3#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "channel int c __attribute__((depth(4)));\n"
    "channel float4 g[2][3];\n"
    "kernel void src(int n) { for (int i = 0; i < n; i++) write_channel_intel(c, i); }\n"
    "kernel void dst(global int *a) { a[0] = read_channel_intel(c); }\n"
    "kernel void grid(int n) { bool v = write_channel_nb_intel(g[n & 1][2], (float4)(n)); }\n",
    "\5kernel void p(read_only pipe int p, write_only pipe int q, int n)\n"
    "{ reserve_id_t r = reserve_read_pipe(p, 2); int v;\n"
    "  if (is_valid_reserve_id(r)) { read_pipe(p, r, 0, &v); commit_read_pipe(p, r); }\n"
    "  write_pipe(q, &v); }\n",
    "\6kernel void i(read_only image2d_t a, write_only image2d_t b, sampler_t s)\n"
    "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(b, at, read_imagef(a, s, at).zyxw + (float4)(0.5f)); }\n"
    "kernel void r(global int *a, global atomic_int *c) { atomic_fetch_add(c, "
    "a[get_local_id(0)]);\n"
    "  a[get_global_id(0)] = work_group_reduce_add(a[get_global_id(0)]); }\n",
};

size_t fuzz_seed(uint32_t number, const uint8_t **data)
{
    if (number >= sizeof seeds / sizeof *seeds)
        return 0;
    *data = (const uint8_t *)seeds[number];
    return strlen(seeds[number]);
}

const char *source_option(uint8_t choice)
{
    static const char *const options[] = {"", "-cl-std=CL3.0", "-cl-opt-disable", "-g"};
    return options[choice >> 2 & 3];
}

char *source_spell(const uint8_t *data, size_t bytes)
{
    char *text = malloc(bytes * 64 + 1), *to = text;
    for (size_t i = 0; text && i < bytes; i++) {
        if (data[i] >= 128)
            to = stpcpy(to, words[(data[i] - 128) % (sizeof words / sizeof *words)]);
        else
            *to++ = (char)data[i];
    }
    if (text)
        *to = 0;
    return text;
}
