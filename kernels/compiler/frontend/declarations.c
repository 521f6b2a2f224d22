/* SPDX-License-Identifier: Apache-2.0 */
/* See declarations.h. Constant tables, no locks. */
#include "compiler/frontend/declarations.h"

#include <string.h>

#include "compiler/frontend/intel_sub_group.h"

/* Of OpenCL C 2.0 and later: before, the names are the program's own. */
static const char uniform_arithmetic[] =
    "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
    "#define __sl_f __attribute__((overloadable, convergent))\n"
    "#define __sl_folds(T, F) T __sl_f work_group_reduce_##F(T); \\\n"
    "    T __sl_f work_group_scan_exclusive_##F(T); T __sl_f work_group_scan_inclusive_##F(T);\n"
    "#define __sl_bits(T) \\\n"
    "    __sl_folds(T, and) __sl_folds(T, or) __sl_folds(T, xor) __sl_folds(T, mul)\n"
    "__sl_bits(int) __sl_bits(uint) __sl_bits(long) __sl_bits(ulong)\n"
    "__sl_folds(int, logical_and) __sl_folds(int, logical_or) __sl_folds(int, logical_xor)\n"
    "__sl_folds(float, mul)\n"
    "#ifdef cl_khr_fp64\n"
    "__sl_folds(double, mul)\n"
    "#endif\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__sl_folds(half, mul)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "#endif\n"
    "#undef __sl_bits\n"
    "#undef __sl_folds\n"
    "#undef __sl_f\n"
    "#endif\n";

static const char copy_fence[] = "void __attribute__((overloadable, convergent))\n"
                                 "async_work_group_copy_fence(cl_mem_fence_flags);\n";

static const char extended_copies[] = "#define __sl_copies(TO, FROM) \\\n"
                                      "    event_t __attribute__((overloadable, convergent)) "
                                      "async_work_group_copy_2D2D(TO void *, \\\n"
                                      "        size_t, const FROM void *, size_t, size_t, size_t, "
                                      "size_t, size_t, size_t, event_t); \\\n"
                                      "    event_t __attribute__((overloadable, convergent)) "
                                      "async_work_group_copy_3D3D(TO void *, \\\n"
                                      "        size_t, const FROM void *, size_t, size_t, size_t, "
                                      "size_t, size_t, size_t, size_t, \\\n"
                                      "        size_t, size_t, event_t);\n"
                                      "__sl_copies(local, global) __sl_copies(global, local)\n"
                                      "#undef __sl_copies\n";

static const char split_barrier[] =
    "#define __sl_f __attribute__((overloadable, convergent))\n"
    "void __sl_f intel_work_group_barrier_arrive(cl_mem_fence_flags);\n"
    "void __sl_f intel_work_group_barrier_wait(cl_mem_fence_flags);\n"
    "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
    "void __sl_f intel_work_group_barrier_arrive(cl_mem_fence_flags, memory_scope);\n"
    "void __sl_f intel_work_group_barrier_wait(cl_mem_fence_flags, memory_scope);\n"
    "#endif\n"
    "#undef __sl_f\n";

static const char bfloat16[] =
    "#define __sl_both(N) \\\n"
    "    ushort##N __attribute__((overloadable, const)) \\\n"
    "    intel_convert_bfloat16##N##_as_ushort##N(float##N); \\\n"
    "    float##N __attribute__((overloadable, const)) \\\n"
    "    intel_convert_as_bfloat16##N##_float##N(ushort##N);\n"
    "__sl_both() __sl_both(2) __sl_both(3) __sl_both(4) __sl_both(8) __sl_both(16)\n"
    "#undef __sl_both\n";

/* The rows of a are parts of 32 bits in sub-groups of 8 items, and of 16 bits in those of 16. */
static const char matrix_products[] =
    "#define __sl_f __attribute__((overloadable, convergent))\n"
    "#define __sl_rows(F, A, B, C) \\\n"
    "    C __sl_f intel_sub_group_##F(A, B##8, C); C##2 __sl_f intel_sub_group_##F(A##2, B##8, "
    "C##2); \\\n"
    "    C##4 __sl_f intel_sub_group_##F(A##4, B##8, C##4); \\\n"
    "    C##8 __sl_f intel_sub_group_##F(A##8, B##8, C##8);\n"
    "#define __sl_whole(F, U, B) __sl_rows(F, U##int, B, int) __sl_rows(F, U##short, B, int)\n"
    "#define __sl_real(F) __sl_rows(F, int, int, float) __sl_rows(F, short, int, float)\n"
    "__sl_whole(i8_i8_matrix_mad_k32,,int) __sl_whole(i8_u8_matrix_mad_k32,,uint)\n"
    "__sl_whole(u8_i8_matrix_mad_k32,u,int) __sl_whole(u8_u8_matrix_mad_k32,u,uint)\n"
    "__sl_whole(i4_i4_matrix_mad_k64,,int) __sl_whole(i4_u4_matrix_mad_k64,,uint)\n"
    "__sl_whole(u4_i4_matrix_mad_k64,u,int) __sl_whole(u4_u4_matrix_mad_k64,u,uint)\n"
    "__sl_real(bf16_bf16_matrix_mad_k16) __sl_real(f16_f16_matrix_mad_k16)\n"
    "__sl_rows(bf16_bf16_matrix_mad_k16, short, int, short)\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__sl_rows(f16_f16_matrix_mad_k16, short, int, half)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "#endif\n"
    "#undef __sl_real\n"
    "#undef __sl_whole\n"
    "#undef __sl_rows\n"
    "#undef __sl_f\n";

static const struct row {
    const char *extension;
    const char *words[2]; /* one of them is a part of each name that it declares */
    const char *header;
    const char *text;
} rows[] = {
    {"cl_intel_subgroups",
     {"intel_sub_group"},
     "__sluice_intel_subgroups.h",
     sl_intel_sub_group_text},
    {"cl_khr_work_group_uniform_arithmetic",
     {"work_group_reduce", "work_group_scan"},
     "__sluice_uniform_arithmetic.h",
     uniform_arithmetic},
    {"cl_khr_async_work_group_copy_fence", {"copy_fence"}, "__sluice_copy_fence.h", copy_fence},
    {"cl_khr_extended_async_copies",
     {"async_work_group_copy_"},
     "__sluice_extended_copies.h",
     extended_copies},
    {"cl_intel_split_work_group_barrier",
     {"intel_work_group_barrier"},
     "__sluice_split_barrier.h",
     split_barrier},
    {"cl_intel_bfloat16_conversions", {"bfloat16"}, "__sluice_bfloat16.h", bfloat16},
    {"cl_intel_subgroup_matrix_multiply_accumulate",
     {"matrix_mad"},
     "__sluice_matrix_products.h",
     matrix_products},
};
_Static_assert(sizeof rows / sizeof *rows <= SL_MOST_DECLARATIONS, "there is room for all of them");

static bool has(const char *text, size_t bytes, const char *word)
{
    return memmem(text, bytes, word, strlen(word));
}

static bool names(const struct sl_build_request *request, const char *word)
{
    for (size_t i = 0; i < request->option_count; i++)
        if (strstr(request->options[i], word))
            return true;
    return has(request->source.data, request->source.bytes, word);
}

/* Does this source, or what it includes or puts together, perhaps name them? */
static bool may_name(const struct sl_build_request *request, const struct row *row)
{
    return names(request, row->words[0]) || (row->words[1] && names(request, row->words[1])) ||
           names(request, "include") || names(request, "##");
}

size_t sl_declarations_add(const struct sl_build_request *request, struct sl_frontend_file *headers,
                           size_t count, struct sl_strings *args)
{
    const char *offered = sl_offered_extensions(request);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (!strstr(offered, row->extension) || !may_name(request, row))
            continue;
        headers[count++] = (struct sl_frontend_file){row->header, row->text, strlen(row->text)};
        sl_strings_addf(args, "-include");
        sl_strings_addf(args, "%s", row->header);
    }
    return count;
}
