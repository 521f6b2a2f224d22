/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros shared by the builtins' .cl files: one body, all vector widths and types.
 */
#ifndef SL_BUILTINS_TABLE_H
#define SL_BUILTINS_TABLE_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define SL_OVERLOAD __attribute__((overloadable))
#define SL_PURE __attribute__((overloadable, const, always_inline))
#define SL_INLINE __attribute__((overloadable, always_inline))

/* M(type, width suffix, ...) for each width; the scalar's suffix is empty. */
#define SL_EACH_WIDTH(M, T, ...)                                                                   \
    M(T, , __VA_ARGS__)                                                                            \
    M(T, 2, __VA_ARGS__)                                                                           \
    M(T, 3, __VA_ARGS__)                                                                           \
    M(T, 4, __VA_ARGS__)                                                                           \
    M(T, 8, __VA_ARGS__)                                                                           \
    M(T, 16, __VA_ARGS__)

#define SL_EACH_INTEGER(M, ...)                                                                    \
    SL_EACH_WIDTH(M, char, __VA_ARGS__)                                                            \
    SL_EACH_WIDTH(M, uchar, __VA_ARGS__)                                                           \
    SL_EACH_WIDTH(M, short, __VA_ARGS__)                                                           \
    SL_EACH_WIDTH(M, ushort, __VA_ARGS__)                                                          \
    SL_EACH_WIDTH(M, int, __VA_ARGS__)                                                             \
    SL_EACH_WIDTH(M, uint, __VA_ARGS__)                                                            \
    SL_EACH_WIDTH(M, long, __VA_ARGS__)                                                            \
    SL_EACH_WIDTH(M, ulong, __VA_ARGS__)

#define SL_EACH_TYPE(M, ...)                                                                       \
    SL_EACH_INTEGER(M, __VA_ARGS__)                                                                \
    SL_EACH_WIDTH(M, half, __VA_ARGS__)                                                            \
    SL_EACH_WIDTH(M, float, __VA_ARGS__)                                                           \
    SL_EACH_WIDTH(M, double, __VA_ARGS__)

#define SL_JOIN_(A, B) A##B
#define SL_JOIN(A, B) SL_JOIN_(A, B)

#endif
