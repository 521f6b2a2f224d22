/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Includes the file named by SL_BODY once for each vector width. There SL_N is the width's suffix,
 * empty for the scalar, and FLOATN, INTN ... are the types, AS_INTN ... the reinterpretations;
 * SL_FLOAT_NAME, SL_DOUBLE_NAME name the type in mangled names, SL_DOUBLE_NAMES two of them.
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
#define AS_ULONGN SL_JOIN(as_ulong, SL_N)
#define TO_FLOATN SL_JOIN(convert_float, SL_N)
#define TO_DOUBLEN SL_JOIN(convert_double, SL_N)
#define TO_INTN SL_JOIN(convert_int, SL_N)
#define TO_LONGN SL_JOIN(convert_long, SL_N)

#define SL_N
#define SL_FLOAT_NAME "f"
#define SL_DOUBLE_NAME "d"
#define SL_DOUBLE_NAMES "dd"
#include SL_BODY
#undef SL_N
#undef SL_FLOAT_NAME
#undef SL_DOUBLE_NAME
#undef SL_DOUBLE_NAMES

#define SL_N 2
#define SL_FLOAT_NAME "Dv2_f"
#define SL_DOUBLE_NAME "Dv2_d"
#define SL_DOUBLE_NAMES "Dv2_dS_"
#include SL_BODY
#undef SL_N
#undef SL_FLOAT_NAME
#undef SL_DOUBLE_NAME
#undef SL_DOUBLE_NAMES

#define SL_N 3
#define SL_FLOAT_NAME "Dv3_f"
#define SL_DOUBLE_NAME "Dv3_d"
#define SL_DOUBLE_NAMES "Dv3_dS_"
#include SL_BODY
#undef SL_N
#undef SL_FLOAT_NAME
#undef SL_DOUBLE_NAME
#undef SL_DOUBLE_NAMES

#define SL_N 4
#define SL_FLOAT_NAME "Dv4_f"
#define SL_DOUBLE_NAME "Dv4_d"
#define SL_DOUBLE_NAMES "Dv4_dS_"
#include SL_BODY
#undef SL_N
#undef SL_FLOAT_NAME
#undef SL_DOUBLE_NAME
#undef SL_DOUBLE_NAMES

#define SL_N 8
#define SL_FLOAT_NAME "Dv8_f"
#define SL_DOUBLE_NAME "Dv8_d"
#define SL_DOUBLE_NAMES "Dv8_dS_"
#include SL_BODY
#undef SL_N
#undef SL_FLOAT_NAME
#undef SL_DOUBLE_NAME
#undef SL_DOUBLE_NAMES

#define SL_N 16
#define SL_FLOAT_NAME "Dv16_f"
#define SL_DOUBLE_NAME "Dv16_d"
#define SL_DOUBLE_NAMES "Dv16_dS_"
#include SL_BODY
#undef SL_N
#undef SL_FLOAT_NAME
#undef SL_DOUBLE_NAME
#undef SL_DOUBLE_NAMES
