/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: of the fiber that runs. */
#include "fpga/cluster/fiber_stop.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/base/values.h"
#include "common/runtime/hosted.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/region_stop.h"
#include "sluice/base/json.h"

/* An autorun kernel has no launch whose owner could be told. */
static void tell_all(struct sl_machine *machine, const struct sl_fiber *self, const char *why)
{
    char *json = NULL;
    size_t bytes;
    FILE *out = open_memstream(&json, &bytes);
    if (out) {
        fputs("{\"stopped\":{\"kernel\":", out);
        sl_json_string(out, self->kernel->name);
        fputs(",\"why\":", out);
        sl_json_string(out, why);
        fputs("}}", out);
        (void)sl_text_close(out, &json);
    }
    machine->host->stalled(&machine->hosted->base, why, json ? json : "{}");
    free(json);
}

_Noreturn void sl_fiber_stop(struct sl_fiber *self, const char *what)
{
    struct sl_machine *machine = self->cluster->machine;
    char why[2048];
    snprintf(why, sizeof why, "kernel %s stopped: %s", self->kernel->name, what);
    if (self->kernel->flags & SL_KERNEL_PROCESS) {
        machine->host->tell(&machine->hosted->base, why);
        sl_region_stop(self, why);
    } else if (self->work) {
        machine->host->tell(&machine->hosted->base, why);
        machine->host->failed(self->work, why);
    } else {
        tell_all(machine, self, why);
    }
    self->status = SL_OUT_OF_RESOURCES;
    sl_cluster_end(self);
}
