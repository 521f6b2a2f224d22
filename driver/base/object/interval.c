/* SPDX-License-Identifier: Apache-2.0 */
/* See interval.h. Pure functions on the caller's tree, which the caller's lock guards. */
#include "base/object/interval.h"

#include <stdbool.h>

/* The heap order of the treap: a hash of the address is random enough to keep the tree flat. */
static bool above(const struct sl_interval *a, const struct sl_interval *b)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    uint64_t x = a->start * golden, y = b->start * golden;
    x ^= x >> 29;
    y ^= y >> 29;
    return x * golden > y * golden;
}

static struct sl_interval **child(struct sl_interval *node, uintptr_t start)
{
    return start < node->start ? &node->less : &node->more;
}

void sl_interval_add(struct sl_interval **root, struct sl_interval *added)
{
    while (*root && above(*root, added))
        root = child(*root, added->start);
    struct sl_interval *rest = *root, **less = &added->less, **more = &added->more;
    while (rest)
        if (rest->start < added->start) {
            *less = rest;
            less = &rest->more;
            rest = rest->more;
        } else {
            *more = rest;
            more = &rest->less;
            rest = rest->less;
        }
    *less = *more = NULL;
    *root = added;
}

void sl_interval_remove(struct sl_interval **root, struct sl_interval *removed)
{
    while (*root != removed)
        root = child(*root, removed->start);
    struct sl_interval *less = removed->less, *more = removed->more;
    while (less && more)
        if (above(less, more)) {
            *root = less;
            root = &less->more;
            less = less->more;
        } else {
            *root = more;
            root = &more->less;
            more = more->less;
        }
    *root = less ? less : more;
}

struct sl_interval *sl_interval_find(struct sl_interval *root, uintptr_t address)
{
    struct sl_interval *below = NULL;
    while (root) {
        if (root->start <= address)
            below = root;
        root = *child(root, address);
    }
    return below && address - below->start < below->size ? below : NULL;
}
