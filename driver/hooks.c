/* SPDX-License-Identifier: Apache-2.0 */
/* Where the layers are put together: see platform/hooks.h. */
#include "platform/hooks.h"

#include "commands/device_callbacks/host_ops.h"
#include "program/compiler/compiler.h"

const struct sl_hooks sl_hooks = {
    .host = &sl_host_ops,
    .contexts_begin = sl_compiler_prestart,
    .contexts_end = sl_compiler_shutdown,
};
