/* SPDX-License-Identifier: Apache-2.0 */
/* See intel_sub_group.h. Constant data, no locks. */
#include "compiler/intel_sub_group.h"

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
    "__sl_widths(float) __sl_widths(int) __sl_widths(uint) __sl_widths(char) __sl_widths(uchar)\n"
    "__sl_widths(short) __sl_widths(ushort)\n"
    "__sl_shuffles(long) __sl_shuffles(ulong)\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__sl_shuffles(half)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "#endif\n"
    "#ifdef cl_khr_fp64\n"
    "__sl_shuffles(double)\n"
    "#endif\n"
    "#define __sl_folds(T, F) T __sl_f intel_sub_group_##F##_add(T); \\\n"
    "    T __sl_f intel_sub_group_##F##_min(T); T __sl_f intel_sub_group_##F##_max(T);\n"
    "#define __sl_broadcast(T) T __sl_f intel_sub_group_broadcast(T, uint);\n"
    "#define __sl_small(T) __sl_folds(T, reduce) __sl_folds(T, scan_exclusive) \\\n"
    "    __sl_folds(T, scan_inclusive) __sl_broadcast(T) __sl_broadcast(T##2) \\\n"
    "    __sl_broadcast(T##3) __sl_broadcast(T##4) __sl_broadcast(T##8)\n"
    "__sl_small(char) __sl_small(uchar) __sl_small(short) __sl_small(ushort)\n"
    "#define __sl_block(T, S, N) \\\n"
    "    T##N __sl_f intel_sub_group_block_read##S##N(const global T *); \\\n"
    "    void __sl_f intel_sub_group_block_write##S##N(global T *, T##N);\n"
    "#define __sl_image_read(T, S, N, A) \\\n"
    "    T##N __sl_f intel_sub_group_block_read##S##N(A image2d_t, int2);\n"
    "#define __sl_image_write(T, S, N, A) \\\n"
    "    void __sl_f intel_sub_group_block_write##S##N(A image2d_t, int2, T##N);\n"
    "#ifndef __IMAGE_SUPPORT__\n"
    "#define __sl_images(T, S, N)\n"
    "#elif __OPENCL_C_VERSION__ < 200\n"
    "#define __sl_images(T, S, N) \\\n"
    "    __sl_image_read(T, S, N, read_only) __sl_image_write(T, S, N, write_only)\n"
    "#else\n"
    "#define __sl_images(T, S, N) \\\n"
    "    __sl_image_read(T, S, N, read_only) __sl_image_write(T, S, N, write_only) \\\n"
    "    __sl_image_read(T, S, N, read_write) __sl_image_write(T, S, N, read_write)\n"
    "#endif\n"
    "#define __sl_both(T, S, N) __sl_block(T, S, N) __sl_images(T, S, N)\n"
    "#define __sl_blocks(T, S) \\\n"
    "    __sl_both(T, S, ) __sl_both(T, S, 2) __sl_both(T, S, 4) __sl_both(T, S, 8)\n"
    "__sl_blocks(uint, ) __sl_blocks(uint, _ui) __sl_blocks(ulong, _ul)\n"
    "__sl_blocks(uchar, _uc) __sl_both(uchar, _uc, 16)\n"
    "__sl_blocks(ushort, _us) __sl_both(ushort, _us, 16)\n"
    "#undef __sl_blocks\n"
    "#undef __sl_both\n"
    "#undef __sl_images\n"
    "#undef __sl_image_write\n"
    "#undef __sl_image_read\n"
    "#undef __sl_block\n"
    "#undef __sl_small\n"
    "#undef __sl_broadcast\n"
    "#undef __sl_folds\n"
    "#undef __sl_f\n"
    "#undef __sl_shuffles\n"
    "#undef __sl_widths\n";

static bool has(const char *text, size_t bytes, const char *word)
{
    return memmem(text, bytes, word, strlen(word));
}

bool sl_may_name_intel_sub_groups(const char *text, size_t bytes)
{
    return has(text, bytes, "intel_sub_group") || has(text, bytes, "include");
}
