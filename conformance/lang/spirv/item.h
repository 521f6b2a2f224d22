/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels here are written with: each takes `in`, 16 words for an item, and writes `out`,
 * 96 words for one, from `to` on. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define PUT_ONE(T)                                                                                 \
    static void __attribute__((overloadable)) put(global uint **to, T value)                       \
    {                                                                                              \
        *(global T *)*to = value;                                                                  \
        *to += (sizeof(T) + 7) / 8 * 2;                                                            \
    }
#define PUT_MANY(T, N)                                                                             \
    static void __attribute__((overloadable)) put(global uint **to, T##N value)                    \
    {                                                                                              \
        vstore##N(value, 0, (global T *)*to);                                                      \
        *to += (N * sizeof(T) + 7) / 8 * 2;                                                        \
    }
#define PUT_EACH(T)                                                                                \
    PUT_ONE(T) PUT_MANY(T, 2) PUT_MANY(T, 3) PUT_MANY(T, 4) PUT_MANY(T, 8) PUT_MANY(T, 16)
PUT_EACH(char)
PUT_EACH(uchar)
PUT_EACH(short)
PUT_EACH(ushort)
PUT_EACH(int)
PUT_EACH(uint)
PUT_EACH(long)
PUT_EACH(ulong)
PUT_EACH(half)
PUT_EACH(float)
PUT_EACH(double)
#define PUT(...) put(&to, __VA_ARGS__)

#define IN(T, k) (*(global const T *)(in + get_global_id(0) * 16 + (k)))
#define KERNEL(NAME, T, ...)                                                                       \
    kernel void NAME(global uint *out, global const uint *in)                                      \
    {                                                                                              \
        global uint *to = out + get_global_id(0) * 96;                                             \
        T x = IN(T, 0), y = IN(T, 4), z = IN(T, 8);                                                \
        (void)y, (void)z;                                                                          \
        __VA_ARGS__                                                                                \
    }
