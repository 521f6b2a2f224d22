/* SPDX-License-Identifier: Apache-2.0 */
/* How many work-items a work-group of the built-in devices has at most: facts of the devices, which
 * the offline compiler tells before there is one. */
#ifndef SLUICE_GROUP_SIZES_H
#define SLUICE_GROUP_SIZES_H

enum {
    SL_GROUP_ITEMS_CPU = 4096,   /* no group that nobody asked for is larger, on any device */
    SL_GROUP_ITEMS_FPGA = 65536, /* boards have no limit to speak of, and designs make a work-group
                                  * of all that they stream */
};

#endif
