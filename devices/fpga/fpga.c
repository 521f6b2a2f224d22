/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FPGA emulator. Kernels without pipes run on this machine's cores as they do on the CPU
 * device; kernels with pipes are fibers of the dataflow machine. No lock of its own.
 */
#include "fpga/fpga.h"

#include "common/base/setting.h"
#include "common/base/values.h"
#include "common/runtime/code.h"
#include "fpga/clock/clock_rate.h"
#include "fpga/cluster/machine.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_shared.h"
#include "fpga/launch/design.h"
#include "fpga/launch/launch.h"
#include "fpga/launch/reset.h"
#include "fpga/profile/profile.h"
#include "fpga/stall/stall.h"
#include "sluice/base/extension.h"

static struct sl_machine *machine_of(struct sl_work_queue *work_queue)
{
    struct sl_hosted *hosted =
        (struct sl_hosted *)((char *)work_queue->sched - offsetof(struct sl_hosted, sched));
    return hosted->extension;
}

static void destroy_machine(struct sl_machine *machine)
{
    struct sl_io *io = machine->io;
    if (sl_machine_destroy(machine))
        sl_io_destroy(io);
}

static void close_device(struct sl_device *device)
{
    if (sl_fpga_machine(device))
        destroy_machine(sl_fpga_machine(device));
    sl_hosted_ops.close(device);
}

static void stop(struct sl_device *device)
{
    sl_machine_stop(sl_fpga_machine(device));
    sl_hosted_ops.stop(device);
}

static int load(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                struct sl_code **out, const struct sl_module_info **info)
{
    struct sl_code *code;
    int rc = sl_code_create(device, elf, elf_bytes, name, &code, info);
    if (rc)
        return rc;
    rc = sl_fpga_attach(device, code);
    if (!rc)
        *out = code;
    return rc;
}

int sl_fpga_attach(struct sl_device *device, struct sl_code *code)
{
    struct sl_design *design;
    int rc = sl_design_create(sl_fpga_machine(device), code, &design);
    if (rc) {
        sl_code_destroy(code);
        return rc;
    }
    code->design = design;
    code->listen = sl_profile_listen;
    if (design)
        rc = sl_design_start(design);
    if (rc) /* what was started ends before the code does */
        sl_design_unload(design);
    return rc;
}

/* Its own pipes, which its tables describe, stay as they are. */
static int load_other(struct sl_code *first, const void *elf, size_t elf_bytes, const char *name,
                      struct sl_code **out, const struct sl_module_info **info)
{
    struct sl_code *code;
    int rc =
        sl_code_create(&first->design->machine->hosted->base, elf, elf_bytes, name, &code, info);
    if (rc)
        return rc;
    code->first = first;
    code->design = first->design;
    code->listen = first->listen;
    *out = code;
    return 0;
}

static void unload(struct sl_code *code)
{
    if (code && code->design && !code->first)
        sl_design_unload(code->design);
    else
        sl_code_destroy(code);
}

static struct sl_pipe *code_pipe(struct sl_code *code, uint32_t index)
{
    return code->design->pipes[index];
}

static int code_report(struct sl_code *code, enum sl_code_report kind, char **text)
{
    struct sl_profile *profile = code->design ? code->design->profile : NULL;
    switch (kind) {
    case SL_REPORT_WARNINGS:
        return sl_design_load_warnings(code->design, text);
    case SL_REPORT_PIPE_PROFILE:
        return profile ? sl_profile_text(profile, text) : SL_INVALID_OPERATION;
    case SL_REPORT_PROFILE_FILE:
        *text = NULL;
        return profile ? sl_profile_write(profile) : SL_INVALID_OPERATION;
    case SL_REPORT_PROFILE_CLEAR:
        *text = NULL;
        if (profile)
            sl_profile_clear(profile);
        return profile ? 0 : SL_INVALID_OPERATION;
    }
    return SL_INVALID_OPERATION;
}

static bool uses_pipes(const struct sl_launch_args *args)
{
    return args->code->info->kernels[args->kernel_index].flags & SL_KERNEL_USES_PIPES;
}

static void submit_ordinary(struct sl_work_queue *work_queue, struct sl_work *work)
{
    if (work->kind == SL_WORK_KERNEL && machine_of(work_queue)->profile)
        sl_profile_passes(&work->u.kernel, work_queue);
    sl_work_queue_submit(work_queue, work);
}

static void submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    if (work->kind == SL_WORK_KERNEL && uses_pipes(&work->u.kernel))
        sl_launch_submit(machine_of(work_queue), work_queue, work);
    else if (work->kind == SL_WORK_PIPE)
        sl_pipe_submit(machine_of(work_queue), work_queue, work);
    else
        submit_ordinary(work_queue, work);
}

static bool assist(struct sl_work_queue *work_queue)
{
    struct sl_machine *machine = machine_of(work_queue);
    if (sl_machine_help(machine))
        return true;
    atomic_fetch_add_explicit(&machine->guests, 1, memory_order_relaxed);
    bool ran = sl_work_queue_assist(work_queue);
    atomic_fetch_sub_explicit(&machine->guests, 1, memory_order_relaxed);
    return ran;
}

static void host_waits(struct sl_device *device, int change)
{
    sl_machine_host_waits(sl_fpga_machine(device), change);
}

static struct sl_device_ops fpga_ops;

/* All that is not said here is as on any device on this machine's cores. */
static void make_ops(void)
{
    fpga_ops = sl_hosted_ops;
    fpga_ops.close = close_device;
    fpga_ops.stop = stop;
    fpga_ops.code_load = load;
    fpga_ops.code_unload = unload;
    fpga_ops.code_load_other = load_other;
    fpga_ops.submit = submit;
    fpga_ops.assist = assist;
    fpga_ops.pipe_create = sl_pipe_create;
    fpga_ops.pipe_destroy = sl_pipe_destroy;
    fpga_ops.pipe_ring = sl_pipe_ring;
    fpga_ops.code_pipe = code_pipe;
    fpga_ops.pipe_read = sl_pipe_read;
    fpga_ops.pipe_write = sl_pipe_write;
    fpga_ops.pipe_map = sl_pipe_map;
    fpga_ops.pipe_unmap = sl_pipe_unmap;
    fpga_ops.pipe_pass = sl_pipe_pass;
    fpga_ops.host_waits = host_waits;
    fpga_ops.code_report = code_report;
    fpga_ops.reset_kernels = sl_fpga_reset_kernels;
}

static void check_rates(const struct sl_machine *machine)
{
    char row[256];
    const char *rows = machine->host->config("SLUICE_FPGA_RATES");
    while (sl_clock_rate_check(&rows, row, sizeof row))
        machine->host->log(SL_LOG_WARN, "setting",
                           "SLUICE_FPGA_RATES: %s is not NAME=PACKETS/CYCLES or NAME=NUMBER and a "
                           "unit, with or without +LATENCY: ignored",
                           row);
}

static bool is_brief(const struct sl_news *news)
{
    return sl_launch_is_brief(news) || sl_pipe_is_served_by(news);
}

static int create_machine(struct sl_hosted *fpga, struct sl_machine **out)
{
    static const struct sl_machine_ops ops = {
        .runtime = &sl_fpga_runtime,
        .runtime_general = &sl_fpga_runtime_general,
        .watch = sl_watch_main,
        .run = sl_launch_run,
        .ended = sl_launch_ended,
        .is_brief = is_brief,
        .ran = sl_profile_ran,
        .went_on = sl_profile_went_on,
        .announce = sl_pipe_announce,
        .poll = sl_pipe_poll,
        .serve = sl_pipe_serve,
    };
    struct sl_machine *machine;
    int rc = sl_machine_create(fpga, &ops, &machine);
    if (rc)
        return rc;
    check_rates(machine);
    rc = sl_io_create(machine->host, machine->topic, &machine->io);
    if (rc)
        destroy_machine(machine);
    else
        *out = machine;
    return rc;
}

/* Leaves `extension` NULL if the machine cannot be made. */
static void set_up(struct sl_hosted *fpga)
{
    struct sl_machine *machine;
    sl_fpga_caps(fpga);
    if (create_machine(fpga, &machine))
        return;
    make_ops();
    fpga->extension = machine;
    fpga->base.ops = &fpga_ops;
    fpga->base.caps.features |= SL_FEATURES_OF_FPGA;
}

static const struct {
    const char *name, *short_name;
} names[] = {
    {"Sluice FPGA emulator", "fpga"},    {"Sluice FPGA emulator 2", "fpga2"},
    {"Sluice FPGA emulator 3", "fpga3"}, {"Sluice FPGA emulator 4", "fpga4"},
    {"Sluice FPGA emulator 5", "fpga5"}, {"Sluice FPGA emulator 6", "fpga6"},
    {"Sluice FPGA emulator 7", "fpga7"}, {"Sluice FPGA emulator 8", "fpga8"},
};

static int add_one(const struct sl_host_ops *host, struct sl_device_list *list, uint32_t number)
{
    int rc = sl_hosted_add(host, list, "fpga", set_up);
    struct sl_device *fpga = rc ? NULL : list->devices[list->count - 1];
    if (rc)
        return rc;
    fpga->caps.name = names[number].name;
    fpga->caps.short_name = names[number].short_name;
    if (sl_hosted(fpga)->extension)
        return 0;
    list->count--; /* without its machine it would be a device without pipes for ever */
    fpga->ops->close(fpga);
    return SL_OUT_OF_HOST_MEMORY;
}

/* Ours first, then those by which hosts of Intel's and Altera's emulators ask for devices. */
static uint64_t wanted_devices(const struct sl_host_ops *host)
{
    static const char *const variables[] = {"CL_CONTEXT_EMULATOR_DEVICE_ALTERA",
                                            "CL_CONTEXT_EMULATOR_DEVICE_INTELFPGA",
                                            "CL_CONFIG_CPU_EMULATE_DEVICES", "SLUICE_FPGA_DEVICES"};
    const struct sl_setting setting = {host, "fpga"};
    uint64_t wanted = 1;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        wanted = sl_setting_number(&setting, variables[i], wanted, sizeof names / sizeof *names);
    return wanted;
}

int sl_fpga_plugin(const struct sl_host_ops *host, struct sl_device_list *list)
{
    uint64_t wanted = wanted_devices(host);
    uint32_t before = list->count;
    for (uint32_t number = 0; number < wanted || !number; number++) {
        int rc = add_one(host, list, number);
        if (!rc)
            continue;
        while (list->count > before) {
            struct sl_device *made = list->devices[--list->count];
            made->ops->close(made);
        }
        return rc;
    }
    return 0;
}
