/* SPDX-License-Identifier: Apache-2.0 */
/* See graph_run.h. One thread. */
#include "graph_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum graph_depths graph_depths_in_use(void)
{
    const char *mode = getenv("SLUICE_FPGA_DEPTH");
    if (mode && !strcmp(mode, "default"))
        return DEPTHS_DEFAULT;
    return mode && !strcmp(mode, "ignore-depth") ? DEPTHS_IGNORED : DEPTHS_STRICT;
}

static cl_mem pipe_of(const struct graph_launch *launch, uint32_t link)
{
    const struct graph_link *row = &launch->graph->links[link];
    cl_mem *pipe = &launch->pipes[link];
    cl_int rc = CL_SUCCESS;
    if (!*pipe)
        *pipe = clCreatePipe(cl.context, 0, packet_bytes(row->type), row->depth ? row->depth : 1,
                             NULL, &rc);
    REQUIRE_OK(rc);
    return *pipe;
}

void graph_start(const struct graph_launch *launch, cl_command_queue queue, cl_event *event)
{
    const struct graph_process *process = &launch->graph->processes[launch->process];
    uint32_t links[MOST_OPS];
    int write[MOST_OPS];
    size_t global = process->items, local = process->local;
    char name[64];
    snprintf(name, sizeof name, "g%u_k%u", launch->number, launch->process);
    cl_kernel kernel = kernel_of(launch->program, name);
    ARG(kernel, 0, launch->out);
    ARG(kernel, 1, launch->at);
    uint32_t count = graph_arguments(launch->graph, launch->process, links, write);
    for (uint32_t i = 0; i < count; i++) {
        cl_mem pipe = pipe_of(launch, links[i]);
        ARG(kernel, 2 + i, pipe);
    }
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, event));
    RELEASE_KERNEL(kernel);
}

void graph_release_pipes(cl_mem *pipes)
{
    for (uint32_t k = 0; k < MOST_LINKS; k++)
        if (pipes[k])
            RELEASE_MEM(pipes[k]);
}
