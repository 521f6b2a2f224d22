/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_intel_subgroups: shuffles of all widths, also across two values, and blocks of memory that the
 * items of a sub-group read or write together, each its 32-bit words.
 */
#include "sub_group.h"

#include "image.h"

#define SL_INTEL_SHUFFLES(T)                                                                       \
    SL_SHARED(T);                                                                                  \
    SL_OVERLOAD T intel_sub_group_shuffle(T x, uint index)                                         \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, index)                                                          \
    }                                                                                              \
    SL_OVERLOAD T intel_sub_group_shuffle_xor(T x, uint mask)                                      \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, SL_ME ^ mask)                                                   \
    }                                                                                              \
    SL_OVERLOAD static T sl_from_two(T low, T high, uint index)                                                \
    {                                                                                              \
        SL_STOP;                                                                                   \
        SL_VALUES(T)[SL_ME] = low;                                                                 \
        SL_VALUES(T)[SL_MOST + SL_ME] = high;                                                      \
        SL_STOP;                                                                                   \
        uint size = get_max_sub_group_size();                                                      \
        uint at = index < size ? index : SL_MOST + ((index - size) & (SL_MOST - 1));               \
        return SL_VALUES(T)[at];                                                                   \
    }                                                                                              \
    SL_OVERLOAD T intel_sub_group_shuffle_down(T current, T next, uint delta)                      \
    {                                                                                              \
        return sl_from_two(current, next, SL_ME + delta);                                          \
    }                                                                                              \
    SL_OVERLOAD T intel_sub_group_shuffle_up(T previous, T current, uint delta)                    \
    {                                                                                              \
        return sl_from_two(previous, current, SL_ME + get_max_sub_group_size() - delta);           \
    }

#define SL_INTEL_ALL_WIDTHS(T)                                                                     \
    SL_INTEL_SHUFFLES(T)                                                                           \
    SL_INTEL_SHUFFLES(T##2)                                                                        \
    SL_INTEL_SHUFFLES(T##3)                                                                        \
    SL_INTEL_SHUFFLES(T##4)                                                                        \
    SL_INTEL_SHUFFLES(T##8)                                                                        \
    SL_INTEL_SHUFFLES(T##16)
SL_INTEL_ALL_WIDTHS(float)
SL_INTEL_ALL_WIDTHS(int)
SL_INTEL_ALL_WIDTHS(uint)
SL_INTEL_SHUFFLES(long)
SL_INTEL_SHUFFLES(ulong)
SL_INTEL_SHUFFLES(half)
SL_INTEL_SHUFFLES(double)

/* ---- blocks --------------------------------------------------------------------------------- */

/* A word's place in row `row`; reads stay within the image. */
static global uint *sl_word(sl_image_ptr image, int2 at, uint row)
{
    int x = (at.x >> 2) + (int)SL_ME, last = (int)(image->width * image->elem_bytes >> 2) - 1;
    int y = clamp(at.y + (int)row, 0, (int)image->height - 1);
    return (global uint *)(image->data + y * image->row_pitch) + clamp(x, 0, last);
}

static bool sl_is_inside(sl_image_ptr image, int2 at, uint row)
{
    int x = (at.x >> 2) + (int)SL_ME, y = at.y + (int)row;
    return x >= 0 && x < (int)(image->width * image->elem_bytes >> 2) && y >= 0 &&
           y < (int)image->height;
}

SL_OVERLOAD sl_image_ptr sl_image(read_only image2d_t);
SL_OVERLOAD sl_image_ptr sl_image(write_only image2d_t);
SL_OVERLOAD sl_image_ptr sl_image(read_write image2d_t);

#define SL_IMAGE_READ(N, ACCESS)                                                                   \
    SL_OVERLOAD uint##N intel_sub_group_block_read##N(ACCESS image2d_t image, int2 at)             \
    {                                                                                              \
        uint words[16];                                                                            \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            words[i] = *sl_word(sl_image(image), at, i);                                           \
        return *(uint##N *)words;                                                                  \
    }
#define SL_IMAGE_WRITE(N, ACCESS)                                                                  \
    SL_OVERLOAD void intel_sub_group_block_write##N(ACCESS image2d_t image, int2 at, uint##N data) \
    {                                                                                              \
        uint words[16];                                                                            \
        *(uint##N *)words = data;                                                                  \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            if (sl_is_inside(sl_image(image), at, i))                                              \
                *sl_word(sl_image(image), at, i) = words[i];                                       \
    }
#define SL_BLOCKS(N)                                                                               \
    SL_OVERLOAD uint##N intel_sub_group_block_read##N(const global uint *p)                        \
    {                                                                                              \
        uint words[16];                                                                            \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            words[i] = p[i * get_max_sub_group_size() + SL_ME];                                    \
        return *(uint##N *)words;                                                                  \
    }                                                                                              \
    SL_OVERLOAD void intel_sub_group_block_write##N(global uint *p, uint##N data)                  \
    {                                                                                              \
        uint words[16];                                                                            \
        *(uint##N *)words = data;                                                                  \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            p[i * get_max_sub_group_size() + SL_ME] = words[i];                                    \
    }                                                                                              \
    SL_IMAGE_READ(N, read_only)                                                                    \
    SL_IMAGE_READ(N, read_write)                                                                   \
    SL_IMAGE_WRITE(N, write_only)                                                                  \
    SL_IMAGE_WRITE(N, read_write)
#define SL_WIDTH_OF 1
#define SL_WIDTH_OF2 2
#define SL_WIDTH_OF4 4
#define SL_WIDTH_OF8 8
SL_BLOCKS()
SL_BLOCKS(2)
SL_BLOCKS(4)
SL_BLOCKS(8)
