/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting a launch: which local size it gets when it names none, and its work-groups, numbered
 * 0..total-1, dimension 0 fastest, run in stretches of rows. */
#ifndef SL_DEVICES_NDRANGE_H
#define SL_DEVICES_NDRANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/memory/arena.h"
#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

/* Fills the launch; false when the groups cannot be counted in 64 bits. */
bool sl_ndrange_init(struct sl_launch *, const struct sl_launch_args *, uint64_t *total);
/* As the kernel's code wants it, which may have dimensions in each other's place; which of two
 * forms. */
void sl_ndrange_interchange(const struct sl_kernel_info *, struct sl_launch *);
/* Groups of few rows, or of narrow ones, become groups of several where that is faster and nobody
 * can tell. */
void sl_ndrange_join_rows(const struct sl_kernel_info *, struct sl_launch *, unsigned threads,
                          uint64_t *total);
/* Or groups that are about as high as they are wide. */
void sl_ndrange_make_tiles(const struct sl_kernel_info *, struct sl_launch *, unsigned threads,
                           uint64_t *total);
uint64_t sl_ndrange_group_items(const struct sl_launch *);
uint64_t sl_ndrange_items(const struct sl_launch_args *);

/* Of how many groups the chunks of a launch of `total` should be multiples. */
uint64_t sl_ndrange_grain(const struct sl_kernel_info *, const struct sl_launch *, uint64_t total);

/* How many groups wide the strips are that are run one after the other, each from its first row to
 * the last: what items of a column read stays in the cache, whereas a whole row reads more than
 * that holds. For flat kernels, and those that meet at barriers, whose items take long, `item_ps`,
 * since strips are short pieces of rows in memory. Otherwise rows are run whole, and the strip is
 * as wide. A multiple of `grain` unless it is. */
uint64_t sl_ndrange_strip(const struct sl_kernel_info *, const struct sl_launch *, uint32_t item_ps,
                          uint64_t grain);

/* Runs groups first..first+count-1, as strips of `strip` groups order them, with the memory of
 * `arena`. */
void sl_ndrange_run(const struct sl_kernel_info *, const void *args, const struct sl_launch *,
                    const struct sl_arena *, uint64_t strip, uint64_t first, uint64_t count);

/* The local size for a launch that names none; `threads` share the
 * work, no group exceeds `most`. */
void sl_ndrange_suggest(const struct sl_kernel_info *, uint32_t work_dim, const size_t global[3],
                        unsigned threads, size_t most, size_t local[3]);

SL_END_C

#endif
