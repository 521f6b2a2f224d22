/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image core for the items of a vector at once (kernels/vector/operations/image.c): what image and sampler
 * are is asked once for all of them. NAME.lanesN does what NAME of image_core.cl does, N times and
 * to the bit; each machine uses one N, its registers'. Coordinates are safe whatever they are, so
 * that there is no mask, and elements that are neighbours, as most are, take one load.
 */
#include "table.h"

#include "image/image_tap.h"

#undef SL_INLINE
#define SL_INLINE static __attribute__((always_inline))
#define SL_LANES(NAME) __asm__(NAME ".lanes" SL_WIDTH) __attribute__((noinline))
#define SL_OF(NAME) SL_JOIN(NAME##_lanes, SL_N)
#define F SL_JOIN(float, SL_N)
#define I SL_JOIN(int, SL_N)
/* The headers name them for OpenCL C 2.0 only. */
#define SL_SRGBA 0x10c1
#define SL_SBGRA 0x10c2
#define SL_EACH_CHANNEL _Pragma("unroll") for (int c = 0; c < 4; c++)
#define SL_IS_3D(SHAPE) (((SHAPE) & 3) == SL_SHAPE_3D)
#define SL_HAS_Y(SHAPE) (((SHAPE) & 3) != SL_SHAPE_1D)
#define SL_HAS_Z(SHAPE) (SL_IS_3D(SHAPE) || (SHAPE) & SL_SHAPE_LAYERS)

/* Elements and N of them, wherever they lie. */
#define SL_ANYWHERE(T) typedef T T##_anywhere __attribute__((aligned(1)))
#define SL_ANYWHERE_ALL(N)                                                                         \
    SL_ANYWHERE(uchar##N);                                                                         \
    SL_ANYWHERE(ushort##N);                                                                        \
    SL_ANYWHERE(int##N);                                                                           \
    SL_ANYWHERE(long##N)
SL_ANYWHERE_ALL();
SL_ANYWHERE_ALL(4);
SL_ANYWHERE_ALL(8);
SL_ANYWHERE_ALL(16);

/* LLVM's names of what the machine has: kept where the mask is zero, from, where, mask, scale. */
int8 sl_gather8(int8, private const void *, int8, int8, char)
    __asm__("llvm.x86.avx2.gather.d.d.256");
int16 sl_gather16(int16, private const void *, int16, short, int)
    __asm__("llvm.x86.avx512.gather.dpi.512");
long4 sl_gather_pairs4(long4, private const void *, int4, long4, char)
    __asm__("llvm.x86.avx2.gather.d.q.256");
long8 sl_gather_pairs8(long8, private const void *, int8, char, int)
    __asm__("llvm.x86.avx512.gather.dpq.512");

/* An int is enough for the place of any element. */
SL_INLINE bool sl_lanes_fit(sl_image_ptr image)
{
    ulong rows = image->height * image->row_pitch;
    ulong slices = ((ulong)image->depth + image->array_size) * image->slice_pitch;
    return rows + slices + (ulong)image->width * image->elem_bytes < INT_MAX;
}

/* A NaN is outside of an image of one element that is repeated. */
SL_INLINE bool sl_lanes_have_border(uint sampler)
{
    uint addressing = sl_addressing(sampler);
    return addressing == CLK_ADDRESS_CLAMP || addressing == CLK_ADDRESS_REPEAT;
}

SL_INLINE bool sl_lanes_have_alpha(uint order)
{
    return order != CLK_R && order != CLK_RG && order != CLK_RGB && order != CLK_LUMINANCE &&
           order != CLK_DEPTH;
}

#define SL_WIDTH "4"
#define SL_N 4
#define SL_IOTA ((int4)(0, 1, 2, 3))
#define SL_MIX(A, B, A0, A1, A2, A3) __builtin_shufflevector(A, B, A0, A1, A2, A3)
#define SL_QUARTER(E, K) (E)[K]
#define SL_QUARTERS(A, B, C, D, K) ((K) == 0 ? (A) : (K) == 1 ? (B) : (K) == 2 ? (C) : (D))
#define SL_FOUR_EACH(V, K) __builtin_shufflevector(V, V, K, K, K, K)
#define SL_PIECES(V, K) (V)[K]
#define SL_FOUR_ON(A, B) (B)
#include "image/image_lanes_body.h"
#undef SL_WIDTH
#undef SL_N
#undef SL_IOTA
#undef SL_MIX
#undef SL_QUARTER
#undef SL_QUARTERS
#undef SL_HALVES
#undef SL_FOUR_EACH
#undef SL_PIECES
#undef SL_FOUR_ON

/* The same exchange in each piece of four items; A1 and so on count from 0 in the first vector, from
 * 4 in the second. */
#define SL_AT8(K, PIECE) ((K) < 4 ? (K) + 4 * (PIECE) : (K) + 4 + 4 * (PIECE))
#define SL_AT16(K, PIECE) ((K) < 4 ? (K) + 4 * (PIECE) : (K) + 12 + 4 * (PIECE))
#define SL_FOUR(AT, PIECE, A0, A1, A2, A3)                                                         \
    AT(A0, PIECE), AT(A1, PIECE), AT(A2, PIECE), AT(A3, PIECE)

#define SL_WIDTH "8"
#define SL_N 8
#define SL_IOTA ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#define SL_MIX(A, B, ...)                                                                          \
    __builtin_shufflevector(A, B, SL_FOUR(SL_AT8, 0, __VA_ARGS__), SL_FOUR(SL_AT8, 1, __VA_ARGS__))
#define SL_QUARTER(E, K) ((int8)((E)[K], (E)[4 + (K)]))
#define SL_QUARTERS(A, B, C, D, K)                                                                 \
    ((K) % 2 ? SL_HALVES(C, D, (K) / 2 * 4) : SL_HALVES(A, B, (K) / 2 * 4))
#define SL_HALVES(A, B, N)                                                                         \
    __builtin_shufflevector(A, B, N, (N) + 1, (N) + 2, (N) + 3, (N) + 8, (N) + 9, (N) + 10, (N) + 11)
#define SL_FOUR_EACH(V, K)                                                                         \
    __builtin_shufflevector(V, V, 2 * (K), 2 * (K), 2 * (K), 2 * (K), 2 * (K) + 1, 2 * (K) + 1,    \
                            2 * (K) + 1, 2 * (K) + 1)
#define SL_PIECES(V, K) SL_HALVES((V)[(K) / 2], (V)[2 + (K) / 2], (K) % 2 * 4)
#define SL_FOUR_ON(A, B) __builtin_shufflevector(A, B, 4, 5, 6, 7, 8, 9, 10, 11)
#define SL_GATHER(DATA, AT)                                                                        \
    sl_gather8((int8)0, (private const void *)(ulong)(DATA), AT, (int8)-1, 1)
#define SL_GATHER_PAIRS(DATA, AT)                                                                  \
    sl_gather_pairs4((long4)0, (private const void *)(ulong)(DATA), AT, (long4)-1, 1)
#include "image/image_lanes_body.h"
#undef SL_WIDTH
#undef SL_N
#undef SL_IOTA
#undef SL_MIX
#undef SL_QUARTER
#undef SL_QUARTERS
#undef SL_HALVES
#undef SL_FOUR_EACH
#undef SL_PIECES
#undef SL_FOUR_ON

#undef SL_GATHER
#undef SL_GATHER_PAIRS

#define SL_WIDTH "16"
#define SL_N 16
#define SL_IOTA ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define SL_MIX(A, B, ...)                                                                          \
    __builtin_shufflevector(                                                                       \
        A, B, SL_FOUR(SL_AT16, 0, __VA_ARGS__), SL_FOUR(SL_AT16, 1, __VA_ARGS__),                  \
        SL_FOUR(SL_AT16, 2, __VA_ARGS__), SL_FOUR(SL_AT16, 3, __VA_ARGS__))
#define SL_QUARTER(E, K) ((int16)((E)[K], (E)[4 + (K)], (E)[8 + (K)], (E)[12 + (K)]))
#define SL_QUARTERS(A, B, C, D, K)                                                                 \
    __builtin_shufflevector(SL_HALVES(A, B, 4 * (K)), SL_HALVES(C, D, 4 * (K)), 0, 1, 2, 3, 4, 5,  \
                            6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define SL_HALVES(A, B, N)                                                                         \
    __builtin_shufflevector(A, B, N, (N) + 1, (N) + 2, (N) + 3, (N) + 16, (N) + 17, (N) + 18,      \
                            (N) + 19)
#define SL_FOUR_EACH(V, K)                                                                         \
    __builtin_shufflevector(V, V, 4 * (K), 4 * (K), 4 * (K), 4 * (K), 4 * (K) + 1, 4 * (K) + 1,    \
                            4 * (K) + 1, 4 * (K) + 1, 4 * (K) + 2, 4 * (K) + 2, 4 * (K) + 2,       \
                            4 * (K) + 2, 4 * (K) + 3, 4 * (K) + 3, 4 * (K) + 3, 4 * (K) + 3)
#define SL_PIECES(V, K) SL_QUARTERS((V)[0], (V)[1], (V)[2], (V)[3], K)
#define SL_FOUR_ON(A, B)                                                                           \
    __builtin_shufflevector(A, B, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
#define SL_GATHER(DATA, AT)                                                                        \
    sl_gather16((int16)0, (private const void *)(ulong)(DATA), AT, (short)-1, 1)
#define SL_GATHER_PAIRS(DATA, AT)                                                                  \
    sl_gather_pairs8((long8)0, (private const void *)(ulong)(DATA), AT, (char)-1, 1)
#include "image/image_lanes_body.h"
