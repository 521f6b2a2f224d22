/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's work by the values of its arguments. Stateless, any thread. */
#ifndef SL_DRIVER_PROGRAM_OBJECT_WORK_RULE_H
#define SL_DRIVER_PROGRAM_OBJECT_WORK_RULE_H

#include <stdint.h>

#include "sluice/module.h"

/*
 * Instructions of a work-item by the kernel's rule (sluice/work_rule.h), where `values` is a block
 * of arguments as its info lays them out. UINT64_MAX where the rule has no value for them, is not
 * one, or asks for what is no number; a rule may come from a file and is not trusted.
 */
uint64_t sl_work_by_rule(const struct sl_kernel_info *, const unsigned char *values);

#endif
