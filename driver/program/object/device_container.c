/* SPDX-License-Identifier: Apache-2.0 */
/* See device_container.h. */
#include "program/object/device_container.h"

#include <string.h>

#include "base/object/alloc.h"
#include "sluice/base/hash.h"

bool sl_module_is_own(const struct sl_module_view *view)
{
    return view->header.module_abi == SL_MODULE_OWN;
}

unsigned char *sl_device_container(const struct sl_device *device, uint32_t kind,
                                   const void *payload, size_t payload_bytes, size_t *bytes)
{
    struct sl_binary_header head = {.version = SL_BINARY_VERSION,
                                    .header_bytes = sizeof head,
                                    .kind = kind,
                                    .module_abi = SL_MODULE_OWN,
                                    .payload_bytes = payload_bytes,
                                    .compiler = "the device's own"};
    const size_t at = SL_BINARY_PAD(sizeof head),
                 sum_end = offsetof(struct sl_binary_header, version);
    head.total_bytes = SL_BINARY_PAD(at + payload_bytes);
    memcpy(head.magic, SL_BINARY_MAGIC, sizeof head.magic);
    strncpy(head.target, device->caps.target, sizeof head.target - 1);
    unsigned char *container = sl_zalloc((size_t)head.total_bytes);
    if (!container)
        return NULL;
    memcpy(container, &head, sizeof head);
    memcpy(container + at, payload, payload_bytes);
    struct sl_hash sum = sl_hash_bytes(container + sum_end, (size_t)head.total_bytes - sum_end);
    head.checksum[0] = sum.low;
    head.checksum[1] = sum.high;
    memcpy(container, &head, sizeof head);
    *bytes = (size_t)head.total_bytes;
    return container;
}
