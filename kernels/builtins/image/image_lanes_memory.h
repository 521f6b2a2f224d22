/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of image_lanes_body.h: elements in memory, as words, whatever they mean. Those that are
 * neighbours take one access.
 */

/* Where an element is. */
struct SL_OF(sl_place) {
    I x, y, z;
};

/* Room for elements that are not neighbours. */
struct SL_OF(sl_aside) {
    struct SL_OF(sl_place) at;
    int4 elements[SL_N];
};

SL_INLINE bool SL_OF(sl_are_neighbours)(const struct SL_OF(sl_place) *at, uint shape)
{
    I x = at->x - SL_IOTA;
    I apart = x ^ x.s0;
    if (SL_HAS_Y(shape))
        apart |= at->y ^ at->y.s0;
    if (SL_HAS_Z(shape))
        apart |= at->z ^ at->z.s0;
    return !__builtin_reduce_or(apart != 0);
}

SL_INLINE global uchar *SL_OF(sl_element)(sl_image_ptr image, int x, int y, int z, uint shape)
{
    global uchar *data = image->data + (ulong)x * image->elem_bytes;
    if (SL_HAS_Y(shape))
        data += (ulong)y * image->row_pitch;
    return SL_HAS_Z(shape) ? data + (ulong)z * image->slice_pitch : data;
}

/* Which ones are outside; those are at the first element from now on. There are such only where
 * `border` says so. */
SL_INLINE I SL_OF(sl_take_in)(struct SL_OF(sl_place) *at, uint shape, bool border, bool *any)
{
    I all = at->x;
    if (SL_HAS_Y(shape))
        all |= at->y;
    if (SL_HAS_Z(shape))
        all |= at->z;
    I outside = all < 0;
    *any = border && __builtin_reduce_or(all & INT_MIN);
    if (*any) {
        at->x = outside ? (I)0 : at->x;
        at->y = outside ? (I)0 : at->y;
        at->z = outside ? (I)0 : at->z;
    }
    return outside;
}

/* Does ACT for the type that is as large as an element. */
#define SL_BY_SIZE(BYTES, ACT)                                                                     \
    switch (BYTES) {                                                                               \
    case 1:                                                                                        \
        ACT(uchar);                                                                                \
        break;                                                                                     \
    case 2:                                                                                        \
        ACT(ushort);                                                                               \
        break;                                                                                     \
    case 4:                                                                                        \
        ACT(int);                                                                                  \
        break;                                                                                     \
    case 8:                                                                                        \
        ACT(long);                                                                                 \
        break;                                                                                     \
    default:                                                                                       \
        ACT(int4);                                                                                 \
    }

#define SL_LANE(V, K) (((const int *)&(V))[K])
#define SL_COPY(T)                                                                                 \
    _Pragma("clang loop unroll(disable)") for (int k = 0; k < SL_N;                                \
                                               k++)((T *)aside->elements)[k] =                     \
        *(global const T##_anywhere *)SL_OF(sl_element)(image, SL_LANE(aside->at.x, k),            \
                                                        SL_LANE(aside->at.y, k),                   \
                                                        SL_LANE(aside->at.z, k), shape)

/* Puts elements, none of them outside, side by side. */
SL_INLINE const uchar *SL_OF(sl_collect)(sl_image_ptr image, const struct SL_OF(sl_place) *at,
                                         uint shape, uint bytes, struct SL_OF(sl_aside) *aside)
{
    aside->at = *at;
    SL_BY_SIZE(bytes, SL_COPY)
    return (const uchar *)aside->elements;
}
#undef SL_COPY

/* ---- loads ----------------------------------------------------------------------------------- */

#define SL_RUN(T) (*(const SL_JOIN(SL_JOIN(T, SL_N), _anywhere) *)from)

/* Four words of each item, of which every fourth item is in one vector, to a vector for each word.
 */
SL_INLINE void SL_OF(sl_take_apart)(I a, I b, I c, I d, I *out)
{
    I ab = SL_MIX(a, b, 0, 4, 1, 5), cd = SL_MIX(c, d, 0, 4, 1, 5);
    out[0] = SL_MIX(ab, cd, 0, 1, 4, 5);
    out[1] = SL_MIX(ab, cd, 2, 3, 6, 7);
    ab = SL_MIX(a, b, 2, 6, 3, 7), cd = SL_MIX(c, d, 2, 6, 3, 7);
    out[2] = SL_MIX(ab, cd, 0, 1, 4, 5);
    out[3] = SL_MIX(ab, cd, 2, 3, 6, 7);
}

SL_INLINE void SL_OF(sl_fours)(const uchar *from, I *out)
{
    const int4_anywhere *all = (const int4_anywhere *)from;
    SL_OF(sl_take_apart)(SL_QUARTER(all, 0), SL_QUARTER(all, 1), SL_QUARTER(all, 2),
                         SL_QUARTER(all, 3), out);
}

/* From vectors as memory has them. */
SL_INLINE void SL_OF(sl_from_memory_order)(private I *v)
{
    SL_OF(sl_take_apart)(SL_PIECES(v, 0), SL_PIECES(v, 1), SL_PIECES(v, 2), SL_PIECES(v, 3), v);
}

/* Of each item's number four, for the items of that quarter. */
SL_INLINE F SL_OF(sl_for_quarter)(F v, int quarter)
{
    return quarter == 0   ? SL_FOUR_EACH(v, 0)
           : quarter == 1 ? SL_FOUR_EACH(v, 1)
           : quarter == 2 ? SL_FOUR_EACH(v, 2)
                          : SL_FOUR_EACH(v, 3);
}

#ifdef SL_GATHER
/* Words from anywhere; what the copies above leave is read slowly, for it is written in parts. */
SL_INLINE bool SL_OF(sl_gather)(sl_image_ptr image, const struct SL_OF(sl_place) *at, uint shape,
                                uint bytes, I *out)
{
    if ((bytes != 4 && bytes != 8) || !sl_lanes_fit(image))
        return false;
    I offset = at->x * (int)bytes;
    if (SL_HAS_Y(shape))
        offset += at->y * (int)image->row_pitch;
    if (SL_HAS_Z(shape))
        offset += at->z * (int)image->slice_pitch;
    out[0] = SL_GATHER(image->data, offset);
    if (bytes == 8)
        out[1] = SL_GATHER(image->data, offset + 4);
    return true;
}
#endif

#ifdef SL_GATHER
/* Four bytes each of elements that are side by side in a row, which are half as many accesses: the
 * first ones of each pair, the second ones. */
SL_INLINE void SL_OF(sl_gather_pairs)(global const uchar *data, I at, I *first, I *second)
{
    SL_JOIN(long, SL_N)
    pairs = (SL_JOIN(long, SL_N))(SL_GATHER_PAIRS(data, at.lo), SL_GATHER_PAIRS(data, at.hi));
    *first = __builtin_convertvector(pairs, I);
    *second = __builtin_convertvector(pairs >> 32, I);
}
#endif

/* The element's words, zeros behind it. */
SL_INLINE void SL_OF(sl_load)(sl_image_ptr image, const struct SL_OF(sl_place) *at, uint shape,
                              uint bytes, I *out)
{
    struct SL_OF(sl_aside) aside;
    const uchar *from;
    out[0] = out[1] = out[2] = out[3] = (I)0;
    if (SL_OF(sl_are_neighbours)(at, shape))
        from = (const uchar *)SL_OF(sl_element)(image, at->x.s0, at->y.s0, at->z.s0, shape);
#ifdef SL_GATHER
    else if (SL_OF(sl_gather)(image, at, shape, bytes, out))
        return;
#endif
    else
        from = SL_OF(sl_collect)(image, at, shape, bytes, &aside);
    switch (bytes) {
    case 1:
        out[0] = __builtin_convertvector(SL_RUN(uchar), I);
        break;
    case 2:
        out[0] = __builtin_convertvector(SL_RUN(ushort), I);
        break;
    case 4:
        out[0] = SL_RUN(int);
        break;
    case 8:
        out[0] = __builtin_convertvector(SL_RUN(long), I);
        out[1] = __builtin_convertvector(SL_RUN(long) >> 32, I);
        break;
    default:
        SL_OF(sl_fours)(from, out);
    }
}
/* ---- stores ---------------------------------------------------------------------------------- */

#define SL_PUT(T, VALUE) (*(SL_JOIN(SL_JOIN(T, SL_N), _anywhere) *)to = (VALUE))

/* Four words of each item, from a vector for each word to memory's order: the inverse of
 * sl_fours. */
SL_INLINE void SL_OF(sl_to_memory_order)(private I *v)
{
    I ab = SL_MIX(v[0], v[1], 0, 4, 1, 5), cd = SL_MIX(v[2], v[3], 0, 4, 1, 5);
    I a = SL_MIX(ab, cd, 0, 1, 4, 5), b = SL_MIX(ab, cd, 2, 3, 6, 7);
    ab = SL_MIX(v[0], v[1], 2, 6, 3, 7), cd = SL_MIX(v[2], v[3], 2, 6, 3, 7);
    I c = SL_MIX(ab, cd, 0, 1, 4, 5), d = SL_MIX(ab, cd, 2, 3, 6, 7);
    v[0] = SL_QUARTERS(a, b, c, d, 0);
    v[1] = SL_QUARTERS(a, b, c, d, 1);
    v[2] = SL_QUARTERS(a, b, c, d, 2);
    v[3] = SL_QUARTERS(a, b, c, d, 3);
}

SL_INLINE void SL_OF(sl_put_fours)(const I *v, uchar *to)
{
    I all[4] = {v[0], v[1], v[2], v[3]};
    SL_OF(sl_to_memory_order)(all);
    SL_EACH_CHANNEL {
        SL_PUT(int, all[c]);
        to += sizeof(I);
    }
}

/* Words of elements side by side. */
SL_INLINE void SL_OF(sl_put)(const I *v, uint bytes, uchar *to)
{
    typedef SL_JOIN(long, SL_N) longs;
    typedef SL_JOIN(uchar, SL_N) uchars;
    typedef SL_JOIN(ushort, SL_N) ushorts;
    switch (bytes) {
    case 1:
        SL_PUT(uchar, __builtin_convertvector(v[0], uchars));
        break;
    case 2:
        SL_PUT(ushort, __builtin_convertvector(v[0], ushorts));
        break;
    case 4:
        SL_PUT(int, v[0]);
        break;
    case 8:
        SL_PUT(long, __builtin_convertvector(SL_JOIN(as_uint, SL_N)(v[0]), longs) |
                         __builtin_convertvector(SL_JOIN(as_uint, SL_N)(v[1]), longs) << 32);
        break;
    default:
        SL_OF(sl_put_fours)(v, to);
    }
}

#define SL_COPY(T)                                                                                 \
    _Pragma("clang loop unroll(disable)") for (int k = 0; k < SL_N; k++) if (SL_LANE(inside, k)) * \
        (global T##_anywhere *)SL_OF(sl_element)(image, SL_LANE(aside->at.x, k),                   \
                                                 SL_LANE(aside->at.y, k), SL_LANE(aside->at.z, k), \
                                                 shape) = ((T *)aside->elements)[k]

/* Item by item, since the last one of a place wins. */
SL_INLINE void SL_OF(sl_spread)(sl_image_ptr image, const struct SL_OF(sl_aside) *aside, I inside,
                                uint shape)
{
    SL_BY_SIZE(image->elem_bytes, SL_COPY)
}
#undef SL_COPY
