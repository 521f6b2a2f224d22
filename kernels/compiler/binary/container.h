/* SPDX-License-Identifier: Apache-2.0 */
/* Reading containers (sluice/module.h): what the compiler is given to link. */
#ifndef SL_KERNELS_CONTAINER_H
#define SL_KERNELS_CONTAINER_H

#include "compiler/build.h"

/* Finds the payload of a container of one of `kinds` (enum sl_binary_kind bits). NULL, or why not.
 */
const char *sl_container_payload(const struct sl_blob *container, unsigned kinds,
                                 struct sl_blob *payload);

#endif
