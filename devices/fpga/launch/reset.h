/* SPDX-License-Identifier: Apache-2.0 */
/* Programs begin anew, as when a board's circuit is reset. */
#ifndef SL_FPGA_RESET_H
#define SL_FPGA_RESET_H

struct sl_device;

/* sl_device_ops.reset_kernels. Each cluster hears of it behind the launches that were submitted
 * before, and in front of all later ones. */
int sl_fpga_reset_kernels(struct sl_device *);

#endif
