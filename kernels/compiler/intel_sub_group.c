/* SPDX-License-Identifier: Apache-2.0 */
/* See intel_sub_group.h. Constant data, no locks. */
#include "intel_sub_group.h"

#include <string.h>

const char sl_intel_sub_group_text[] =
    "#define __sl_f __attribute__((overloadable, convergent))\n"
    "#define __sl_shuffles(T) \\\n"
    "    T __sl_f intel_sub_group_shuffle(T, uint); \\\n"
    "    T __sl_f intel_sub_group_shuffle_xor(T, uint); \\\n"
    "    T __sl_f intel_sub_group_shuffle_down(T, T, uint); \\\n"
    "    T __sl_f intel_sub_group_shuffle_up(T, T, uint);\n"
    "#define __sl_widths(T) __sl_shuffles(T) __sl_shuffles(T##2) __sl_shuffles(T##3) \\\n"
    "    __sl_shuffles(T##4) __sl_shuffles(T##8) __sl_shuffles(T##16)\n"
    "__sl_widths(float) __sl_widths(int) __sl_widths(uint)\n"
    "__sl_shuffles(long) __sl_shuffles(ulong)\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__sl_shuffles(half)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "#endif\n"
    "#ifdef cl_khr_fp64\n"
    "__sl_shuffles(double)\n"
    "#endif\n"
    "#define __sl_blocks(N) \\\n"
    "    uint##N __sl_f intel_sub_group_block_read##N(const global uint *); \\\n"
    "    void __sl_f intel_sub_group_block_write##N(global uint *, uint##N);\n"
    "__sl_blocks() __sl_blocks(2) __sl_blocks(4) __sl_blocks(8)\n"
    "#ifdef __IMAGE_SUPPORT__\n"
    "#define __sl_image_reads(N, A) \\\n"
    "    uint##N __sl_f intel_sub_group_block_read##N(A image2d_t, int2);\n"
    "#define __sl_image_writes(N, A) \\\n"
    "    void __sl_f intel_sub_group_block_write##N(A image2d_t, int2, uint##N);\n"
    "#define __sl_images(M, A) M(, A) M(2, A) M(4, A) M(8, A)\n"
    "__sl_images(__sl_image_reads, read_only) __sl_images(__sl_image_writes, write_only)\n"
    "#if __OPENCL_C_VERSION__ >= 200\n"
    "__sl_images(__sl_image_reads, read_write) __sl_images(__sl_image_writes, read_write)\n"
    "#endif\n"
    "#undef __sl_image_reads\n"
    "#undef __sl_image_writes\n"
    "#undef __sl_images\n"
    "#endif\n"
    "#undef __sl_f\n"
    "#undef __sl_shuffles\n"
    "#undef __sl_widths\n"
    "#undef __sl_blocks\n";

static bool has(const char *text, size_t bytes, const char *word)
{
    return memmem(text, bytes, word, strlen(word));
}

bool sl_may_name_intel_sub_groups(const char *text, size_t bytes)
{
    return has(text, bytes, "intel_sub_group") || has(text, bytes, "include");
}
