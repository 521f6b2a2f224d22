/* SPDX-License-Identifier: Apache-2.0 */
/* Every query of the table asked for every name of 16 bits, and for those of our own: it has an
 * answer for names of its list (errors_names.def), and CL_INVALID_VALUE for all others. */
#include "errors.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *entry;
    cl_uint names[176]; /* ended by 0 */
} known[] = {
#define SL_NAMES(entry, ...) {#entry, {__VA_ARGS__, 0}},
#include "errors_names.def"
#undef SL_NAMES
};

static unsigned char room[1 << 18];

static bool is_known(const char *entry, cl_uint name)
{
    for (size_t i = 0; i < LEN(known); i++)
        for (const cl_uint *one = known[i].names; !strcmp(known[i].entry, entry) && *one; one++)
            if (*one == name)
                return true;
    return false;
}

static void ask(const char *entry, cl_uint name, cl_int answer)
{
    if (answer == CL_INVALID_VALUE || is_known(entry, name))
        return;
    check_fail(__FILE__, __LINE__, "%s of 0x%x: %s", entry, name, code_name(answer));
}

static const struct {
    cl_uint first, last;
} ranges[] = {{0, 0xffff}, {0x534c0000, 0x534c0fff}, {0xffffff00, 0xffffffff}};

/* How many have an answer; -1: not here. */
static int ask_row(const struct error_row *row)
{
    cl_int answer = CL_SUCCESS;
    int good = 0;
    for (size_t i = 0; i < LEN(ranges); i++)
        for (cl_ulong name = ranges[i].first; name <= ranges[i].last; name++) {
            memset(room, 0, 64); /* no addresses for CL_PROGRAM_BINARIES */
            answer = row->u.query((cl_uint)name, sizeof room, room);
            if (answer == ERRORS_ABSENT)
                return -1;
            ask(row->entry, (cl_uint)name, answer);
            good += !answer;
        }
    return good;
}

/* What has more arguments than the table's. */
static void ask_sub_groups(void)
{
    const size_t sizes[3] = {8, 1, 1};
    for (cl_uint name = 0; name <= 0xffff; name++) {
        ask("clGetKernelSubGroupInfo", name,
            clGetKernelSubGroupInfo(bed.kernel, cl.device, name, 0, NULL, sizeof room, room, NULL));
        ask("clGetKernelSubGroupInfo", name,
            clGetKernelSubGroupInfo(bed.kernel, cl.device, name, sizeof sizes, sizes, sizeof room,
                                    room, NULL));
    }
}

static void ask_pipe(void)
{
    for (size_t i = 0; bed.pipe_program && i < LEN(ranges); i++)
        for (cl_ulong name = ranges[i].first; name <= ranges[i].last; name++)
            ask("clGetProgramPipeInfoSLUICE", (cl_uint)name,
                bed.pipe_info(bed.pipe_program, cl.device, "hin", (cl_uint)name, sizeof room, room,
                              NULL));
}

void errors_ask_all_names(void)
{
    if (!is_sluice())
        check_skip("names of others");
    for (size_t i = 0; i < error_row_count; i++) {
        const struct error_row *row = &error_rows[i];
        if (row->kind != QUERY || !errors_row_applies(row))
            continue;
        int good = ask_row(row);
        printf("%s: %d names\n", row->entry, good);
        CHECK(good);
    }
    if (bed_has_images())
        ask_sub_groups();
    ask_pipe();
}
