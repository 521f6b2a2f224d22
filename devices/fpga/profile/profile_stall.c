/* SPDX-License-Identifier: Apache-2.0 */
/* Stalls that were reported, for the profile: a run that stood still is no measure of the design,
 * and whoever reads of it should know. The profile's lock guards them. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "fpga/profile/profile_data.h"
#include "sluice/base/json.h"

/* Beyond that nobody reads on. */
enum { MOST_STALLS = 16 };

/* `json` is an object with one member, "stall". */
static char *row_of(const char *before, const char *text, const char *json, bool ends)
{
    char *made = NULL;
    size_t bytes;
    FILE *out = open_memstream(&made, &bytes);
    if (!out)
        return NULL;
    fprintf(out, "%s%s{\"ends\":%s,\"text\":", before ? before : "", before ? ",\n" : "",
            ends ? "true" : "false");
    sl_json_string(out, text);
    fprintf(out, ",%s", json + 1);
    return sl_text_close(out, &made) ? NULL : made;
}

void sl_profile_note_stall(struct sl_profile *profile, const char *text, const char *json,
                           bool ends)
{
    pthread_mutex_lock(&profile->lock);
    char *more =
        profile->stall_count < MOST_STALLS ? row_of(profile->stalls, text, json, ends) : NULL;
    profile->stall_count += more != NULL;
    if (more) {
        free(profile->stalls);
        profile->stalls = more;
    }
    pthread_mutex_unlock(&profile->lock);
}
