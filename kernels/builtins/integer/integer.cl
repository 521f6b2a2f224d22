/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mad_sat of long: libclc's saturates products that fit. The sum is made in 128 bits.
 *
 * mul24, mad24: of factors of 24 bits, the only ones with a result that the specification gives
 * (6.15.3), the plain product is the same number. Kernels index with it, and where the upper eight
 * bits were cut off first nobody could tell that neighbours' products are in even steps. A result
 * that no int holds has its low 32 bits, as everywhere.
 */
#include "table.h"

#define SL_BODY "integer/integer_body.h"
#include "each_width.h"
