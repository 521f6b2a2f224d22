/* SPDX-License-Identifier: Apache-2.0 */
/* See link_seed.h. Made once, then constant. */
#include "link_seed.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/build.h"
#include "llvm/target.h"

static const char *const sources[] = {
    "int twice(int a);\n"
    "kernel void k(global int *a, local float4 *l)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    l[get_local_id(0)] = sin((float4)(a[i]));\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int j = 0; j < 7; j++) a[i] += twice(l[j].y > 3.0f ? j : a[i]);\n"
    "    printf(\"%d %s\\n\", a[i], \"text\");\n"
    "}\n",
    "constant float table[3] = {1, 2, 3};\n"
    "int twice(int a) { switch (a & 3) { case 0: return 2; case 2: return (int)table[a % 3]; }\n"
    "    return 2 * a; }\n",
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "channel int c __attribute__((depth(4)));\n"
    "channel float4 g[2][3];\n"
    "kernel void src(int n) { for (int i = 0; i < n; i++) write_channel_intel(c, i); }\n"
    "kernel void dst(global int *a) { a[0] = read_channel_intel(c); }\n"
    "kernel void grid(int n) { bool v = write_channel_nb_intel(g[n & 1][2], (float4)(n)); }\n",
};
enum { SOURCES = sizeof sources / sizeof *sources, MOST_SEEDS = 8, FPGA = 1, LIBRARY = 2 };

static struct seed {
    uint8_t *data; /* owned */
    size_t bytes;
} seeds[MOST_SEEDS];
static uint32_t seed_count;

struct job {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

static void run(void *data)
{
    struct job *job = data;
    job->status = sl_compiler_build(&job->request, &job->result);
}

static int add(uint8_t choice, struct job *job)
{
    struct seed *seed = &seeds[seed_count];
    job->request.extensions = choice & FPGA ? sl_target_extensions(true) : NULL;
    if (sl_compiler_on_large_stack(run, job) || job->status)
        return 77;
    seed->bytes = job->result.binary.bytes + 1;
    seed->data = malloc(seed->bytes);
    if (!seed->data)
        return 77;
    seed->data[0] = choice;
    memcpy(seed->data + 1, job->result.binary.data, seed->bytes - 1);
    seed_count++;
    sl_build_result_finish(&job->result);
    return 0;
}

static int add_link(uint8_t choice, uint32_t first, uint32_t count)
{
    const char *option = "-create-library";
    struct sl_blob inputs[2];
    for (uint32_t i = 0; i < count; i++)
        inputs[i] =
            (struct sl_blob){(const char *)seeds[first + i].data + 1, seeds[first + i].bytes - 1};
    struct job job = {.request = {.kind = SL_BUILD_LINK,
                                  .inputs = inputs,
                                  .input_count = count,
                                  .options = &option,
                                  .option_count = choice & LIBRARY ? 1 : 0}};
    return add(choice, &job);
}

int link_seeds_make(void)
{
    int rc = 0;
    for (uint32_t i = 0; i < SOURCES && !rc; i++) {
        struct job job = {
            .request = {.kind = SL_BUILD_COMPILE, .source = {sources[i], strlen(sources[i])}}};
        rc = add(i == 2 ? FPGA : 0, &job);
    }
    if (!rc)
        rc = add_link(LIBRARY, 0, 2);
    if (!rc)
        rc = add_link(0, 0, 2);
    return rc ? rc : add_link(FPGA, 2, 1);
}

size_t link_seed(uint32_t which, const uint8_t **data)
{
    if (which >= seed_count)
        return 0;
    *data = seeds[which].data;
    return seeds[which].bytes;
}
