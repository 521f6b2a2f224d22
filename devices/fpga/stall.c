/* SPDX-License-Identifier: Apache-2.0 */
/* The decision whether the device stands still. */
#include "fpga/stall.h"

#include "fpga/machine.h"

static uint32_t activity(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->activity, memory_order_seq_cst);
}

bool sl_stall_possible(struct sl_machine *machine, const struct sl_stall *stall)
{
    return atomic_load_explicit(&machine->host_waits, memory_order_seq_cst) > 0 &&
           atomic_load_explicit(&machine->parked, memory_order_seq_cst) &&
           !(stall->any_told && stall->told == activity(machine));
}

void sl_stall_begin(struct sl_machine *machine, struct sl_stall *stall)
{
    stall->activity = activity(machine);
}

bool sl_stall_check(struct sl_machine *machine, struct sl_stall *stall)
{
    (void)machine;
    (void)stall;
    return false;
}
