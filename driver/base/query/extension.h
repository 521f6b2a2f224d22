/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of extension.def as queries answer them. Any thread; constant data. */
#ifndef SL_DRIVER_BASE_EXTENSION_H
#define SL_DRIVER_BASE_EXTENSION_H

#include <stdint.h>

#include "base/query/info.h"
#include "sluice/base/extension.h"

/* The list of sl_extension_list, owned by the caller; NULL when memory is out. */
char *sl_extension_names(unsigned scopes, uint32_t features);
/* The same as rows, with zeroed ones behind them for `more`; the caller owns them. NULL when memory
 * is out. */
cl_name_version *sl_extension_rows(unsigned scopes, uint32_t features, size_t more, size_t *count);
/* Writes a zeroed row. */
void sl_extension_row(cl_name_version *row, const char *name, cl_version);
/* The same as the answer to a query. */
void sl_extension_versions(unsigned scopes, uint32_t features, struct sl_answer *);

#endif
