/* SPDX-License-Identifier: Apache-2.0 */
/* A module as the compiler would make it, for loader_test: one kernel, one variable. */
#include "sluice/module.h"

static uint64_t calls;

static void bump(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    calls += group->count;
}

static void prepare(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    calls = 100 * launch->global_size[0] * launch->global_size[1] * launch->work_dim * group->count;
}

static const struct sl_arg_info argument = {.name = "", .type_name = ""};
static const struct sl_kernel_info kernels[] = {
    {.name = "bump", .run = bump, .attributes = "", .vec_type_hint = ""},
    {.name = "~initializers",
     .run = prepare,
     .attributes = "",
     .vec_type_hint = "",
     .args = &argument,
     .args_bytes = MODULE_ARGUMENTS * 8,
     .arg_count = MODULE_ARGUMENTS,
     .flags = SL_KERNEL_INITIALIZES}};
static const struct sl_global_info globals[] = {
    {.name = "calls", .address = &calls, .size = sizeof calls}};

#if MODULE_CONSTRUCTOR
/* Nobody who only asks what is in the module may come here. */
static __attribute__((constructor, used)) void betray(void)
{
    __builtin_trap();
}
#endif

__attribute__((visibility("default"))) extern const struct sl_module_info sluice_module;
const struct sl_module_info sluice_module = {.abi = SL_MODULE_ABI + MODULE_ABI_SHIFT,
                                             .size = sizeof sluice_module,
                                             .kernel_count = 2,
                                             .global_count = 1,
                                             .kernels = kernels,
                                             .globals = globals,
                                             .globals_bytes = sizeof calls};
