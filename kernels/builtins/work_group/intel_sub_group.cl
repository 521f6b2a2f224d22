/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_intel_subgroups and its _char, _short and _long: shuffles of all widths, also across two
 * values, and blocks of memory that the items of a sub-group read or write together, each its
 * elements of 8 to 64 bits.
 */
#include "work_group/sub_group.h"

#include "image/image.h"

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
SL_INTEL_ALL_WIDTHS(char)
SL_INTEL_ALL_WIDTHS(uchar)
SL_INTEL_ALL_WIDTHS(short)
SL_INTEL_ALL_WIDTHS(ushort)

/* ---- what the core has for small numbers with other extensions only -------------------------- */

#define SL_INTEL_BROADCAST(T)                                                                      \
    SL_OVERLOAD T intel_sub_group_broadcast(T x, uint index)                                       \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_MEET, index)                                                          \
    }
#define SL_INTEL_SMALL(T, LEAST, MOST)                                                             \
    SL_REDUCE(intel_sub_group, SL_MEET, add, T, 0, a + b)                                          \
    SL_REDUCE(intel_sub_group, SL_MEET, min, T, MOST, SL_LESS_OF(a, b))                               \
    SL_REDUCE(intel_sub_group, SL_MEET, max, T, LEAST, SL_MORE_OF(a, b))                              \
    SL_INTEL_BROADCAST(T)                                                                          \
    SL_INTEL_BROADCAST(T##2)                                                                       \
    SL_INTEL_BROADCAST(T##3)                                                                       \
    SL_INTEL_BROADCAST(T##4)                                                                       \
    SL_INTEL_BROADCAST(T##8)
SL_INTEL_SMALL(char, CHAR_MIN, CHAR_MAX)
SL_INTEL_SMALL(uchar, 0, UCHAR_MAX)
SL_INTEL_SMALL(short, SHRT_MIN, SHRT_MAX)
SL_INTEL_SMALL(ushort, 0, USHRT_MAX)

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Where an image has an item's element of row `row`, which begins `x` elements behind the left edge. */
struct sl_place {
    int x, y, last;
};

static struct sl_place sl_place_of(sl_image_ptr image, int2 at, uint row, int log_bytes)
{
    return (struct sl_place){(at.x >> log_bytes) + (int)SL_ME, at.y + (int)row,
                             (int)(image->width * image->elem_bytes >> log_bytes) - 1};
}

static bool sl_is_inside(sl_image_ptr image, struct sl_place p)
{
    return p.x >= 0 && p.x <= p.last && p.y >= 0 && p.y < (int)image->height;
}

/* The nearest element of the image. */
static global uchar *sl_address(sl_image_ptr image, struct sl_place p, int log_bytes)
{
    return image->data + clamp(p.y, 0, (int)image->height - 1) * image->row_pitch +
           ((size_t)clamp(p.x, 0, p.last) << log_bytes);
}

SL_OVERLOAD sl_image_ptr sl_image(read_only image2d_t);
SL_OVERLOAD sl_image_ptr sl_image(write_only image2d_t);
SL_OVERLOAD sl_image_ptr sl_image(read_write image2d_t);

/* NAME: of the function without the width; S: log2 of the element's bytes. */
#define SL_IMAGE_READ(T, NAME, S, N, ACCESS)                                                       \
    SL_OVERLOAD T##N intel_sub_group_block_read##NAME##N(ACCESS image2d_t image, int2 at)          \
    {                                                                                              \
        T part[16] __attribute__((aligned(128)));                                                  \
        sl_image_ptr from = sl_image(image);                                                       \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            part[i] = *(global T *)sl_address(from, sl_place_of(from, at, i, S), S);               \
        return *(T##N *)part;                                                                      \
    }
#define SL_IMAGE_WRITE(T, NAME, S, N, ACCESS)                                                      \
    SL_OVERLOAD void intel_sub_group_block_write##NAME##N(ACCESS image2d_t image, int2 at,         \
                                                          T##N data)                               \
    {                                                                                              \
        T part[16] __attribute__((aligned(128)));                                                  \
        sl_image_ptr to = sl_image(image);                                                         \
        *(T##N *)part = data;                                                                      \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++) {                                                \
            struct sl_place place = sl_place_of(to, at, i, S);                                     \
            if (sl_is_inside(to, place))                                                           \
                *(global T *)sl_address(to, place, S) = part[i];                                   \
        }                                                                                          \
    }
#define SL_BLOCK_IN(SPACE, T, NAME, N)                                                             \
    SL_OVERLOAD T##N intel_sub_group_block_read##NAME##N(const SPACE T *p)                         \
    {                                                                                              \
        T part[16] __attribute__((aligned(128)));                                                  \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            part[i] = p[i * get_max_sub_group_size() + SL_ME];                                     \
        return *(T##N *)part;                                                                      \
    }                                                                                              \
    SL_OVERLOAD void intel_sub_group_block_write##NAME##N(SPACE T *p, T##N data)                   \
    {                                                                                              \
        T part[16] __attribute__((aligned(128)));                                                  \
        *(T##N *)part = data;                                                                      \
        for (uint i = 0; i < SL_WIDTH_OF##N; i++)                                                  \
            p[i * get_max_sub_group_size() + SL_ME] = part[i];                                     \
    }
/* Local ones are cl_intel_subgroup_local_block_io. */
#define SL_BLOCK(T, NAME, S, N)                                                                    \
    SL_BLOCK_IN(global, T, NAME, N)                                                                \
    SL_BLOCK_IN(local, T, NAME, N)                                                                 \
    SL_IMAGE_READ(T, NAME, S, N, read_only)                                                        \
    SL_IMAGE_READ(T, NAME, S, N, read_write)                                                       \
    SL_IMAGE_WRITE(T, NAME, S, N, write_only)                                                      \
    SL_IMAGE_WRITE(T, NAME, S, N, read_write)
#define SL_WIDTH_OF 1
#define SL_WIDTH_OF2 2
#define SL_WIDTH_OF4 4
#define SL_WIDTH_OF8 8
#define SL_WIDTH_OF16 16
#define SL_BLOCKS(T, NAME, S)                                                                      \
    SL_BLOCK(T, NAME, S, )                                                                         \
    SL_BLOCK(T, NAME, S, 2)                                                                        \
    SL_BLOCK(T, NAME, S, 4)                                                                        \
    SL_BLOCK(T, NAME, S, 8)
SL_BLOCKS(uint, , 2)
SL_BLOCKS(uint, _ui, 2)
SL_BLOCKS(uchar, _uc, 0)
SL_BLOCK(uchar, _uc, 0, 16)
SL_BLOCKS(ushort, _us, 1)
SL_BLOCK(ushort, _us, 1, 16)
SL_BLOCKS(ulong, _ul, 3)
