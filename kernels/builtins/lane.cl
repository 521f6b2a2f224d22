/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lane.h declares, in instructions that every machine has.
 */
#include "table.h"

#include "lane.h"

#define SL_BODY "lane_body.h"
#include "each_width.h"
