/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address ranges that do not overlap, found by any address inside them: a treap whose nodes are
 * part of the caller's structs, so nothing here allocates or fails. The caller's lock guards the
 * tree.
 */
#ifndef SL_DRIVER_BASE_INTERVAL_H
#define SL_DRIVER_BASE_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

struct sl_interval {
    uintptr_t start;
    size_t size; /* not 0 */
    struct sl_interval *less, *more;
};

void sl_interval_add(struct sl_interval **root, struct sl_interval *);
void sl_interval_remove(struct sl_interval **root, struct sl_interval *);
/* The range that `address` lies in, or NULL. */
struct sl_interval *sl_interval_find(struct sl_interval *root, uintptr_t address);

#endif
