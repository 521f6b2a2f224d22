/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nextafter of float and double: the bits are counted up or down.
 */
#include "table.h"

#define SL_BODY "math/next_after_body.h"
#include "each_width.h"
