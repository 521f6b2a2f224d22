/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that sandboxes refuse. A filter holds for all threads of the process and for
 * whatever it starts, for good. */
#ifndef SLUICE_TEST_FILTER_H
#define SLUICE_TEST_FILTER_H

/*
 * docker    what Docker's default profile refuses a container without capabilities
 * systemd   what SystemCallFilter=@system-service refuses, with SystemCallErrorNumber=EPERM
 * chromium  what the baseline policy of Chromium's processes refuses once they are started: files,
 *           processes, most of sockets. Where that policy ends the process, this refuses.
 * bare      memfd_create and what else kernels or containers of long ago lack
 * 0: there is no such filter here, or it could not be installed.
 */
int filter_install(const char *name);

#endif
