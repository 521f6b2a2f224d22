/* SPDX-License-Identifier: Apache-2.0 */
/* The system's files about a machine that is made up, in a folder of their own. One at a time. */
#ifndef SLUICE_TEST_FAKE_SYS_H
#define SLUICE_TEST_FAKE_SYS_H

/* An empty one, in place of the one before; what goes before /sys. */
const char *fake_sys_new(void);
/* Which CPUs share a "core" or a cache ("1" to "4"), or are at one "node": "0-3,8 4-7". */
void fake_sys_share(const char *what, const char *groups);
void fake_sys_put(const char *path, const char *text);
void fake_sys_drop(void);

#endif
