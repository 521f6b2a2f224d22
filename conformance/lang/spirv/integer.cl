/* SPDX-License-Identifier: Apache-2.0 */
#include "item.h"

/* Integers, conversions, and vectors in memory. */

#define WHOLE(T, N)                                                                                \
    KERNEL(whole_##T##N, T##N, PUT(abs(x)); PUT(abs_diff(x, y)); PUT(add_sat(x, y));               \
           PUT(hadd(x, y)); PUT(rhadd(x, y)); PUT(clz(x)); PUT(ctz(x)); PUT(mad_hi(x, y, z));      \
           PUT(mad_sat(x, y, z)); PUT(max(x, y)); PUT(min(x, y)); PUT(mul_hi(x, y));)              \
    KERNEL(whole_more_##T##N, T##N, PUT(rotate(x, y)); PUT(sub_sat(x, y)); PUT(popcount(x));       \
           PUT(clamp(x, min(y, z), max(y, z))); PUT(bitselect(x, y, z));)
#define WHOLE_BOTH(N)                                                                              \
    WHOLE(char, N) WHOLE(uchar, N) WHOLE(short, N) WHOLE(ushort, N) WHOLE(int, N) WHOLE(uint, N)
WHOLE_BOTH()
WHOLE_BOTH(2)
WHOLE_BOTH(4)
WHOLE(long, )
WHOLE(ulong, )
WHOLE(long, 2)
WHOLE(ulong, 2)
WHOLE(char, 16)
WHOLE(ushort, 8)

KERNEL(of_24_bits, int4, x >>= 8; y >>= 8; PUT(mul24(x, y)); PUT(mad24(x, y, z));
       PUT(mul24(as_uint4(x) >> 8, as_uint4(y) >> 8));
       PUT(mad24(as_uint4(x) >> 8, as_uint4(y) >> 8, as_uint4(z)));)
KERNEL(upsampled, int4, PUT(upsample(x.s0, as_uint(y.s0)));
       PUT(upsample(as_uint2(x.lo), as_uint2(y.lo))); PUT(upsample(as_short8(x), as_ushort8(y)));
       PUT(upsample(as_uchar16(x), as_uchar16(y))); PUT(upsample(as_char4(x.s0), as_uchar4(y.s1)));)
KERNEL(bit_fields, uint, uint n = y % 20u, m = z % 13u; PUT(bitfield_insert(x, y, n, m));
       PUT(bitfield_extract_signed(x, n, m)); PUT(bitfield_extract_unsigned(x, n, m));
       PUT(bit_reverse(x)); PUT(bitfield_insert(IN(ulong2, 0), IN(ulong2, 4), n, m));
       PUT(bitfield_insert(x, y, 0u, 32u)); PUT(bitfield_extract_signed(x, 0u, 32u));
       PUT(bitfield_insert(x, y, 5u, 0u)); PUT(bitfield_extract_unsigned(x, 31u, 0u));
       PUT(bit_reverse(IN(uchar4, 0)));)
KERNEL(dot_products, uint, PUT(dot(as_char4(x), as_char4(y))); PUT(dot(as_uchar4(x), as_uchar4(y)));
       PUT(dot(as_char4(x), as_uchar4(y))); PUT(dot(as_uchar4(x), as_char4(y)));
       PUT(dot_acc_sat(as_char4(x), as_char4(y), as_int(z)));
       PUT(dot_acc_sat(as_uchar4(x), as_uchar4(y), z)); PUT(dot_4x8packed_uu_uint(x, y));
       PUT(dot_4x8packed_ss_int(x, y)); PUT(dot_4x8packed_su_int(x, y));
       PUT(dot_acc_sat_4x8packed_su_int(x, y, as_int(z)));)

/* To T from each type, saturated and rounded. */
#define FROM(T, N, S, K)                                                                           \
    PUT(convert_##T##N##_sat(IN(S##N, K)));                                                        \
    PUT(convert_##T##N##_sat_rte(IN(S##N, K)));                                                    \
    PUT(convert_##T##N##_sat_rtn(IN(S##N, K)));                                                    \
    PUT(convert_##T##N##_sat_rtp(IN(S##N, K)));
/* Of integers, clang tells the result's sign only: S is u where T is signed. */
#define TO(T, N, S)                                                                                \
    KERNEL(to_##T##N, int,                                                                         \
           FROM(T, N, float, 0) FROM(T, N, double, 4) FROM(T, N, half, 8)                          \
               PUT(convert_##T##N##_sat(IN(S##long##N, 0)));                                       \
           PUT(convert_##T##N##_sat(IN(S##char##N, 4)));)
TO(char, , u)
TO(uchar, , )
TO(short, , u)
TO(ushort, , )
TO(int, , u)
TO(uint, , )
TO(long, , u)
TO(ulong, , )
TO(char, 2, u)
TO(ushort, 2, )
TO(int, 2, u)
TO(ulong, 2, )
#define REAL(T, N)                                                                                 \
    KERNEL(real_##T##N, int, PUT(convert_##T##N(IN(int##N, 0)));                                   \
           PUT(convert_##T##N(IN(uint##N, 0))); PUT(convert_##T##N##_rtz(IN(long##N, 0)));         \
           PUT(convert_##T##N##_rtp(IN(ulong##N, 0))); PUT(convert_##T##N##_rtn(IN(int##N, 0)));   \
           PUT(convert_##T##N##_rte(IN(uint##N, 0))); PUT(convert_##T##N(IN(short##N, 0)));        \
           PUT(convert_##T##N(IN(uchar##N, 0))); PUT(convert_##T##N(IN(float##N, 0)));             \
           PUT(convert_##T##N##_rtz(IN(double##N, 0)));                                            \
           PUT(convert_##T##N##_rtp(IN(double##N, 0))); PUT(convert_##T##N(IN(half##N, 0)));       \
           PUT(convert_##T##N##_rtn(IN(float##N, 4))); PUT(convert_##T##N(IN(double##N, 8)));)
REAL(float, )
REAL(float, 2)
REAL(double, )
REAL(half, )
REAL(half, 4)

/* Vectors of memory that is not aligned for them, shuffles and selections. */
KERNEL(loads, int4, global const uint *from = in + get_global_id(0) * 16 + 1;
       PUT(vload2(1, (global const short *)from)); PUT(vload3(1, (global const float *)from));
       PUT(vload4(0, (global const uchar *)from)); PUT(vload8(0, (global const int *)from));
       PUT(vload16(0, (global const uchar *)from)); PUT(vload_half(3, (global const half *)from));
       PUT(vload_half3(1, (global const half *)from));
       PUT(vloada_half4(1, (global const half *)(from - 1)));)
KERNEL(stores, float4, double2 d = IN(double2, 0); vstore3(x.xyz, 0, (global float *)to);
       vstore2(as_short2(x.s0), 3, (global short *)to);
       vstore16(as_uchar16(y), 1, (global uchar *)to); vstore_half(x.s0, 17, (global half *)to);
       vstore_half_rtz(x.s1, 18, (global half *)to); vstore_half_rtp(d.s0, 19, (global half *)to);
       vstore_half4_rtn(x, 5, (global half *)to); vstore_half3(y.xyz, 8, (global half *)to);
       vstorea_half4_rte(y, 8, (global half *)to); vstorea_half3_rtp(y.xyz, 9, (global half *)to);
       vstorea_half2_rtz(d, 20, (global half *)to); float p[8]; vstore4(x, 1, p); vstore4(y, 0, p);
       to += 24; PUT(vload8(0, p));)
KERNEL(shuffles, int4, PUT(shuffle(x, as_uint4(y))); PUT(shuffle2(x, y, as_uint4(z)));
       PUT(shuffle(IN(uchar16, 0), IN(uchar8, 4)));
       PUT(shuffle2(IN(half2, 0), IN(half2, 1), IN(ushort8, 4)));
       PUT(shuffle(IN(double2, 0), IN(ulong2, 4)));
       PUT(shuffle2(IN(char4, 0), IN(char4, 1), IN(uchar2, 5)));)
KERNEL(selections, int4, PUT(select(x, y, z)); PUT(select(as_float4(x), as_float4(y), z));
       PUT(select(x.s0, y.s0, z.s0)); PUT(select(IN(ulong2, 0), IN(ulong2, 4), IN(long2, 8)));
       PUT(bitselect(as_float4(x), as_float4(y), as_float4(z))); PUT(any(x)); PUT(all(x | y | z));
       PUT(select(IN(half4, 0), IN(half4, 2), IN(short4, 4))); PUT(any(IN(char8, 0)));
       PUT(all(x.s0));)
