/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is no device library. */
__attribute__((visibility("default"))) int something_else(void);
int something_else(void)
{
    return 0;
}
