/* SPDX-License-Identifier: Apache-2.0 */
/* sluicec --report: the page that sluice-report draws of what was just compiled. */
#ifndef SL_KERNELS_OFFLINE_REPORT_H
#define SL_KERNELS_OFFLINE_REPORT_H

#include "compiler/request/text.h"

/* `module` is an executable container. Runs sluice-report, which lies beside this program or in
 * PATH, and waits for it. The page begins with what the log, which may be NULL, says of kernels
 * that wait for each other. 0, or -1 after a message on standard error, of the program `called`. */
int sl_offline_report(const struct sl_text *module, const char *log, const char *called,
                      const char *title, const char *output);

#endif
