/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of the CPU device. Cheap to find out: no thread, no library, a few files. No lock. */
#include "common/base/setting.h"
#include "common/base/values.h"
#include "common/machine/isa.h"
#include "cpu/cpu.h"
#include "sluice/base/extension.h"

/* Queues on the device take memory for what waits in them only: a kernel needs half a KiB. */
enum { QUEUE_BYTES = 16 << 20, MOST_QUEUE_BYTES = 256 << 20, MOST_QUEUES = 1024 };
enum { MOST_EVENTS = 1 << 20 };

void sl_cpu_caps(struct sl_hosted *cpu)
{
    struct sl_device_caps *caps = &cpu->base.caps;
    const struct sl_setting setting = {cpu->sched.host, cpu->sched.topic};
    sl_hosted_caps(cpu);
    sl_isa_caps(caps, cpu->sched.host->config("SLUICE_CPU"));
    sl_isa_processor_name(cpu->name, sizeof cpu->name);
    caps->name = cpu->name;
    caps->short_name = "cpu";
    caps->vendor = "Sluice";
    caps->device_version = "CPU";
    caps->type = sl_setting_type(&setting, "SLUICE_CPU_TYPE", SL_TYPE_CPU);
    caps->vendor_id =
        (uint32_t)sl_setting_number(&setting, "SLUICE_VENDOR_ID", SL_VENDOR_ID, UINT32_MAX);
    caps->features |= SL_FEATURES_OF_CPU;
    caps->device_queue_preferred_bytes = QUEUE_BYTES;
    caps->device_queue_max_bytes = MOST_QUEUE_BYTES;
    caps->max_device_queues = MOST_QUEUES;
    caps->max_device_events = MOST_EVENTS;
    caps->max_sub_devices = caps->compute_units;
}
