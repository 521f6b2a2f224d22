/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who wants to hear what the work-items of a launch take by the schedule of its program
 * (sl_kernel_info.times). Groups then run one by one.
 */
#ifndef SL_DEVICES_ITEM_LISTENER_H
#define SL_DEVICES_ITEM_LISTENER_H

#include "sluice/base/linkage.h"
#include "sluice/module.h"

SL_BEGIN_C

struct sl_item_listener {
    /* A group has run, and left its words at group->times. Any thread, several at once. */
    void (*heard)(struct sl_item_listener *, const struct sl_launch *, const struct sl_group *);
    /* Nothing more comes, and nobody has heard of the launch's end so far. Gone with that. */
    void (*end)(struct sl_item_listener *);
};

SL_END_C

#endif
