/* SPDX-License-Identifier: Apache-2.0 */
/* Which of its two kinds an input is. Files come from anywhere: of a module only the tables are
 * read, and nothing of it is ever loaded. No shared state. */
#include <stdio.h>
#include <string.h>

#include "report/input/design.h"
#include "sluice/base/container.h"
#include "sluice/base/module_check.h"

static int refuse(char *why, size_t size, const char *reason)
{
    snprintf(why, size, "%s", reason);
    return -1;
}

static int read_module(struct sl_report_design *design, const char *bytes, size_t count,
                       const char *title, char *why, size_t size)
{
    struct sl_module_view view;
    struct sl_module_tables tables;
    const char *reason = sl_container_check(bytes, sl_container_split(bytes, count), NULL, &view);
    if (!reason && view.header.kind != SL_BINARY_EXECUTABLE)
        reason = "an object or a library: only executables have a design";
    if (!reason)
        reason = sl_module_open(&tables, view.payload, view.header.payload_bytes);
    if (reason)
        return refuse(why, size, reason);
    int rc = sl_design_from_module(design, tables.info, title, why, size);
    sl_module_close(&tables);
    return rc;
}

int sl_design_read(struct sl_report_design *design, const char *bytes, size_t count,
                   const char *title, char *why, size_t size)
{
    if (count >= 8 && !memcmp(bytes, SL_BINARY_MAGIC, 8))
        return read_module(design, bytes, count, title, why, size);
    if (!count || bytes[0] != '{')
        return refuse(why, size, "neither a profile nor a module");
    return sl_design_from_json(design, bytes, count, why, size);
}
