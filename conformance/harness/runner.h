/* SPDX-License-Identifier: Apache-2.0 */
/* Between the runner, the checks and the environment; tests do not include this. */
#ifndef SLUICE_TEST_RUNNER_H
#define SLUICE_TEST_RUNNER_H

/* Failures since the last call. */
int check_take_failures(void);
/* Runs a case without cmocka, lists and time limit; its failures. */
int run_alone(void (*run)(void));
/* Opens the device under test. 0, 77 when there is no such device, or another exit status. */
int env_open(void);
/* Closes it; when all cases went well, checks that nothing of the suite is left. */
void env_close(int check_leaks);
/* Short name of the platform under test: its list of known failures is lists/NAME.txt. */
const char *env_list_name(void);
#endif
