/* SPDX-License-Identifier: Apache-2.0 */
/* Escaping and short forms. No shared state. */
#include "report/page/text.h"

#include <string.h>

void sl_report_escaped(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (const char *c = text; *c; c++) {
        const char *found = strchr(special, *c);
        if (found)
            fputs(names[found - special], out);
        else if ((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t')
            fputc(*c, out);
    }
}

struct unit {
    double from;
    const char *name;
};

static const char *scaled(char out[SL_SHORT_TEXT], double value, const struct unit *units)
{
    while (units->from > 1 && value < units->from)
        units++;
    value /= units->from;
    snprintf(out, SL_SHORT_TEXT, value < 9.95 && units->from > 1 ? "%.1f%s" : "%.0f%s", value,
             units->name);
    return out;
}

const char *sl_report_time(char out[SL_SHORT_TEXT], uint64_t ns)
{
    static const struct unit units[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1, " ns"}};
    return scaled(out, (double)ns, units);
}

const char *sl_report_count(char out[SL_SHORT_TEXT], double count)
{
    static const struct unit units[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, ""}};
    if (count >= 1e5)
        return scaled(out, count, units);
    snprintf(out, SL_SHORT_TEXT, "%.0f", count); /* whole, as long as it is short */
    return out;
}
