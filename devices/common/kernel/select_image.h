/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of several images of one program a device takes, for sl_program_ops.select and for programs
 * that look before they create one. Images are described as SYCL's tools describe theirs: what they
 * are and a target string.
 */
#ifndef SL_DEVICES_SELECT_IMAGE_H
#define SL_DEVICES_SELECT_IMAGE_H

#include "sluice/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In this order: code for exactly this machine (SL_PROGRAM_OWN, its name being the device's
 * target), code for less than the machine has, the more it uses the better, generic code of the
 * architecture, SPIR-V for dataflow devices ("spir64_fpga") if this is one, other SPIR-V and
 * bitcode if the device takes them ("spir64", "spirv64", "spir", "spirv", or no name). Of equals
 * the first. A form of 0 is found out by the first bytes. Code that was made ahead of time for
 * another runtime ("spir64_x86_64", "spir64_gen", ...) is never taken.
 *
 * 0 and *index, or CL_INVALID_BINARY: there is none for the device, and *index remains. Any thread.
 */
int sluice_select_image(const struct sl_device *, const struct sl_program_part *images,
                        uint32_t count, uint32_t *index) __attribute__((warn_unused_result));

#ifdef __cplusplus
}
#endif

#endif
