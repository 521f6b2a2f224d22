/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mad_sat of long: libclc's saturates products that fit. The sum is made in 128 bits.
 */
#include "table.h"

#define SL_BODY "integer/integer_body.h"
#include "each_width.h"
