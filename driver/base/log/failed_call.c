/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on in a call, kept with its thread. */
#include "base/log/failed_call.h"

#include <stdio.h>

atomic_int sl_report_listeners;

static _Thread_local struct {
    struct sl_report *open; /* innermost */
    bool muted;
} here;

void sl_report_open(struct sl_report *report)
{
    struct sl_report **place = &here.open;
    report->outer = *place;
    report->place = place;
    report->heard = SL_REPORT_NOTHING;
    report->code = CL_SUCCESS;
    *place = report;
}

struct sl_report *sl_report_waiting(void)
{
    if (!sl_report_wanted() || here.muted || !here.open)
        return NULL;
    return here.open->heard == SL_REPORT_NOTHING ? here.open : NULL;
}

void sl_report_hear(struct sl_report *report, cl_int code, const char *why)
{
    report->heard = SL_REPORT_REASON;
    report->code = code;
    snprintf(report->why, sizeof report->why, "%s", why);
}

void sl_report_known(void)
{
    if (sl_report_wanted() && here.open)
        here.open->heard = SL_REPORT_KNOWN;
}

void sl_report_mute(bool muted)
{
    here.muted = muted;
}

bool sl_report_muted(void)
{
    return here.muted;
}
