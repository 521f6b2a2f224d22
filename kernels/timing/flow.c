/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Blocking operations alone make a Kahn network: where it comes to stand still does
 * not depend on the order in which kernels run. Loops without end are followed for so long that
 * what happens once in a while has happened. Loops that may end are followed as if they did not:
 * what waits in a later round waits if there is one. That counts where a pipe of the cycle is full,
 * for rates of packets do that; kernels that only read may have ended with the last packet.
 */
#include "timing/flow.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 200000, DEEPEST = 16 };

struct state {
    uint32_t at;
    uint32_t depth;           /* loops around it */
    uint32_t begins[DEEPEST]; /* their steps */
    uint64_t left[DEEPEST];   /* iterations of them, this one included; 0: without end */
    bool ended;
};

struct network {
    const struct sl_flow_kernel *kernels;
    const struct sl_flow_pipe *pipes;
    uint32_t kernel_count, pipe_count;
    struct state *states; /* owned; two of each kernel: the second ones are from before */
    uint64_t *again;      /* owned; of each kernel: how often a loop that may end was begun again */
    uint64_t *fill;       /* owned; as these */
    uint32_t deeper, its_depth; /* a pipe that has another depth; UINT32_MAX: none */
    uint64_t steps;
};

/* What others may do to the pipe is not known. */
static bool is_open(const struct sl_flow_pipe *pipe)
{
    return pipe->free[SL_STEP_READ] || pipe->free[SL_STEP_WRITE];
}

static bool is_possible(const struct network *n, const struct sl_flow_step *step)
{
    const struct sl_flow_pipe *pipe = &n->pipes[step->pipe];
    uint32_t depth = step->pipe == n->deeper ? n->its_depth : pipe->depth;
    if (is_open(pipe))
        return true;
    return step->kind == SL_STEP_READ ? n->fill[step->pipe] > 0 : n->fill[step->pipe] < depth;
}

static void move(struct network *n, const struct sl_flow_step *step)
{
    if (!is_open(&n->pipes[step->pipe]))
        n->fill[step->pipe] += step->kind == SL_STEP_WRITE ? 1 : (uint64_t)-1;
}

static void begin_loop(struct state *state, const struct sl_flow_step *step)
{
    state->begins[state->depth] = state->at;
    state->left[state->depth++] = step->trips;
}

/* Back to its begin, or out of it. */
static void end_loop(struct network *n, uint32_t k)
{
    struct state *state = &n->states[k];
    uint32_t inner = state->depth - 1;
    if (state->left[inner] != 1) {
        n->again[k] += !state->left[inner] && !n->kernels[k].steps[state->begins[inner]].endless;
        state->left[inner] -= state->left[inner] ? 1 : 0;
        state->at = state->begins[inner];
        return;
    }
    state->depth--;
}

/* One step; false: it has to wait, or there is none. */
static bool step(struct network *n, uint32_t k)
{
    const struct sl_flow_kernel *kernel = &n->kernels[k];
    struct state *state = &n->states[k];
    if (state->at == kernel->step_count) {
        state->ended = !kernel->restarts || !kernel->step_count;
        state->at = 0;
    }
    if (state->ended)
        return false;
    const struct sl_flow_step *now = &kernel->steps[state->at];
    if (now->kind == SL_STEP_LOOP) {
        begin_loop(state, now);
    } else if (now->kind == SL_STEP_END) {
        end_loop(n, k);
    } else {
        if (!is_possible(n, now))
            return false;
        move(n, now);
    }
    state->at++;
    return true;
}

/* Nothing new will happen: all is as it was some rounds ago. What it is compared with is from the
 * last round whose number is a power of two. */
static bool is_as_before(struct network *n, uint64_t round)
{
    struct state *states = n->states + n->kernel_count;
    uint64_t *fill = n->fill + n->pipe_count;
    size_t state_bytes = n->kernel_count * sizeof *states,
           fill_bytes = n->pipe_count * sizeof *fill;
    if (!memcmp(states, n->states, state_bytes) && !memcmp(fill, n->fill, fill_bytes))
        return true;
    if (!(round & (round - 1))) {
        memcpy(states, n->states, state_bytes);
        memcpy(fill, n->fill, fill_bytes);
    }
    return false;
}

/* Each kernel in turn, until all stand still, go round, or it has taken long. */
static void run(struct network *n)
{
    enum { STEPS_AT_ONCE = 64 };
    bool moves = true;
    memset(n->states, 0, 2 * (size_t)n->kernel_count * sizeof *n->states);
    memset(n->fill, 0, 2 * (size_t)n->pipe_count * sizeof *n->fill);
    memset(n->again, 0, n->kernel_count * sizeof *n->again);
    n->steps = 0;
    for (uint64_t round = 1; moves && n->steps < MOST_STEPS; round++) {
        if (round > 1 && is_as_before(n, round - 1))
            return;
        moves = false;
        for (uint32_t k = 0; k < n->kernel_count; k++)
            for (uint32_t i = 0; i < STEPS_AT_ONCE && step(n, k); i++) {
                moves = true;
                n->steps++;
            }
    }
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

static bool uses(const struct sl_flow_kernel *kernel, uint32_t pipe, enum sl_step_kind kind)
{
    for (uint32_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].kind == kind && kernel->steps[i].pipe == pipe)
            return true;
    return false;
}

/* Where the kernel waits; NULL: it goes on, or has ended. */
static const struct sl_flow_step *wait_of(const struct network *n, uint32_t k)
{
    const struct state *state = &n->states[k];
    if (state->ended || state->at == n->kernels[k].step_count)
        return NULL;
    const struct sl_flow_step *at = &n->kernels[k].steps[state->at];
    bool operation = at->kind == SL_STEP_READ || at->kind == SL_STEP_WRITE;
    return operation && !is_possible(n, at) ? at : NULL;
}

/* kernel_count: nobody. */
static uint32_t awaited(const struct network *n, uint32_t k)
{
    const struct sl_flow_step *at = wait_of(n, k);
    if (!at)
        return n->kernel_count;
    enum sl_step_kind other = at->kind == SL_STEP_READ ? SL_STEP_WRITE : SL_STEP_READ;
    for (uint32_t i = 0; i < n->kernel_count; i++)
        if (uses(&n->kernels[i], at->pipe, other))
            return i;
    return n->kernel_count;
}

static void take_cycle(const struct network *n, uint32_t first, struct sl_flow_result *result)
{
    uint32_t k = first;
    result->count = 0;
    result->full = UINT32_MAX;
    do {
        uint32_t at = n->states[k].at;
        const struct sl_flow_step *now = &n->kernels[k].steps[at];
        uint64_t again = n->again[k];
        result->cycle[result->count++] = (struct sl_flow_wait){k, at, again ? again + 1 : 0};
        if (now->kind == SL_STEP_WRITE && result->full == UINT32_MAX)
            result->full = now->pipe;
        k = awaited(n, k);
    } while (k != first);
}

/* All are bound to wait, or do so for want of room. */
static bool counts(const struct sl_flow_result *result)
{
    bool certain = true;
    for (uint32_t i = 0; i < result->count; i++)
        certain &= !result->cycle[i].rounds;
    return certain || result->full != UINT32_MAX;
}

static void find_cycle(const struct network *n, struct sl_flow_result *result)
{
    for (uint32_t first = 0; first < n->kernel_count; first++) {
        uint32_t k = first, steps = 0;
        do
            k = awaited(n, k);
        while (k < n->kernel_count && k != first && ++steps <= n->kernel_count);
        if (k != first)
            continue;
        take_cycle(n, first, result);
        if (counts(result))
            return;
        result->count = 0;
    }
}

static bool waits_in_cycle(struct network *n, struct sl_flow_result *result)
{
    result->count = 0;
    run(n);
    find_cycle(n, result);
    return result->count > 0;
}

/* The least depth of the full pipe with which nobody waits for ever; 0: none that is usual. */
static uint32_t find_enough(struct network *n, uint32_t full, struct sl_flow_result *scratch)
{
    enum { MOST = 4096 };
    uint32_t little = n->pipes[full].depth, enough = little;
    n->deeper = full;
    do {
        if (enough > MOST / 2)
            return 0;
        little = enough;
        n->its_depth = enough *= 2;
    } while (waits_in_cycle(n, scratch));
    while (enough - little > 1) {
        n->its_depth = little + (enough - little) / 2;
        *(waits_in_cycle(n, scratch) ? &little : &enough) = n->its_depth;
    }
    return enough;
}

int sl_flow_check(const struct sl_flow_kernel *kernels, uint32_t kernel_count,
                  const struct sl_flow_pipe *pipes, uint32_t pipe_count,
                  struct sl_flow_result *result)
{
    struct network n = {
        .kernels = kernels,
        .pipes = pipes,
        .kernel_count = kernel_count,
        .pipe_count = pipe_count,
        .states = calloc(2 * (size_t)kernel_count + 1, sizeof *n.states),
        .fill = calloc(2 * (size_t)pipe_count + 1, sizeof *n.fill),
        .again = calloc(kernel_count + (size_t)1, sizeof *n.again),
        .deeper = UINT32_MAX,
    };
    *result = (struct sl_flow_result){.full = UINT32_MAX};
    struct sl_flow_result scratch = *result;
    result->cycle = calloc(kernel_count + (size_t)1, sizeof *result->cycle);
    scratch.cycle = calloc(kernel_count + (size_t)1, sizeof *scratch.cycle);
    int rc = n.states && n.fill && n.again && result->cycle && scratch.cycle ? 0 : -1;
    if (!rc && waits_in_cycle(&n, result) && result->full != UINT32_MAX)
        result->enough = find_enough(&n, result->full, &scratch);
    free(n.states);
    free(n.fill);
    free(n.again);
    free(scratch.cycle);
    return rc;
}
