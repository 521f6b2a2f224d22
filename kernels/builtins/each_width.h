/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Includes the file named by SL_BODY once for each vector width. There SL_N is the width's suffix,
 * empty for the scalar, and FLOATN, INTN ... are the types, AS_INTN ... the reinterpretations.
 */
#define FLOATN SL_JOIN(float, SL_N)
#define DOUBLEN SL_JOIN(double, SL_N)
#define INTN SL_JOIN(int, SL_N)
#define UINTN SL_JOIN(uint, SL_N)
#define LONGN SL_JOIN(long, SL_N)
#define ULONGN SL_JOIN(ulong, SL_N)
#define AS_FLOATN SL_JOIN(as_float, SL_N)
#define AS_DOUBLEN SL_JOIN(as_double, SL_N)
#define AS_INTN SL_JOIN(as_int, SL_N)
#define AS_UINTN SL_JOIN(as_uint, SL_N)
#define AS_LONGN SL_JOIN(as_long, SL_N)
#define TO_FLOATN SL_JOIN(convert_float, SL_N)
#define TO_DOUBLEN SL_JOIN(convert_double, SL_N)
#define TO_INTN SL_JOIN(convert_int, SL_N)
#define TO_LONGN SL_JOIN(convert_long, SL_N)

#define SL_N
#include SL_BODY
#undef SL_N
#define SL_N 2
#include SL_BODY
#undef SL_N
#define SL_N 3
#include SL_BODY
#undef SL_N
#define SL_N 4
#include SL_BODY
#undef SL_N
#define SL_N 8
#include SL_BODY
#undef SL_N
#define SL_N 16
#include SL_BODY
#undef SL_N
