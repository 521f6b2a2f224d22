/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Blocking operations alone make a Kahn network: where it comes to stand still does
 * not depend on the order in which kernels run. Loops without end are followed for so long that
 * what happens once in a while has happened. Loops that may end are followed as if they did not,
 * whatever comes behind them: what waits in a later round waits if there is one. That counts where
 * a pipe of the cycle is full, for rates of packets do that; kernels that only read may have ended
 * with the last packet.
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
    uint32_t *depths;     /* owned; of pipes: declared, or tried */
    uint64_t steps;
};

/* What others may do to the pipe is not known. */
static bool is_open(const struct sl_flow_pipe *pipe)
{
    return pipe->kernels[SL_STEP_READ] == SL_FLOW_UNKNOWN ||
           pipe->kernels[SL_STEP_WRITE] == SL_FLOW_UNKNOWN;
}

static bool is_possible(const struct network *n, const struct sl_flow_step *step)
{
    const struct sl_flow_pipe *pipe = &n->pipes[step->pipe];
    if (is_open(pipe))
        return true;
    return step->kind == SL_STEP_READ ? n->fill[step->pipe] > 0
                                      : n->fill[step->pipe] < n->depths[step->pipe];
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

/* Back to its begin, or out of it. What comes behind a loop that has gone round as often as it can
 * is not known. */
static void end_loop(struct network *n, uint32_t k)
{
    struct state *state = &n->states[k];
    uint32_t inner = state->depth - 1;
    if (state->left[inner] != 1) {
        const struct sl_flow_step *loop = &n->kernels[k].steps[state->begins[inner]];
        n->again[k] += !state->left[inner] && !loop->endless;
        state->ended |= loop->most && n->again[k] >= loop->most;
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
    int32_t who = n->pipes[at->pipe].kernels[other];
    return who < 0 ? n->kernel_count : (uint32_t)who;
}

/* Of a loop that may end before. */
static struct sl_flow_wait describe_wait(const struct network *n, uint32_t k)
{
    const struct state *state = &n->states[k];
    struct sl_flow_wait wait = {.kernel = k, .step = state->at, .loop = UINT32_MAX};
    for (uint32_t i = 0; i < state->depth; i++)
        if (!state->left[i] && n->kernels[k].steps[state->begins[i]].leads_on)
            wait.loop = state->begins[i];
    wait.rounds = n->again[k] || wait.loop != UINT32_MAX ? n->again[k] + 1 : 0;
    return wait;
}

static void take_cycle(const struct network *n, uint32_t first, struct sl_flow_result *result)
{
    uint32_t k = first;
    result->count = 0;
    result->full = UINT32_MAX;
    do {
        const struct sl_flow_step *now = &n->kernels[k].steps[n->states[k].at];
        result->cycle[result->count++] = describe_wait(n, k);
        if (now->kind == SL_STEP_WRITE && result->full == UINT32_MAX)
            result->full = now->pipe;
        k = awaited(n, k);
    } while (k != first);
}

/* All are bound to wait if their loops run at all, or do so for want of room. */
static bool counts(const struct sl_flow_result *result)
{
    bool certain = true;
    for (uint32_t i = 0; i < result->count; i++)
        certain &= result->cycle[i].rounds <= 1;
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

/* ---- depths that are enough ------------------------------------------------------------------ */

enum { MOST_DEPTH = 4096 };

/* A full pipe of the cycle that can still be deeper; UINT32_MAX: there is none. */
static uint32_t find_full(const struct network *n, const struct sl_flow_result *result)
{
    for (uint32_t i = 0; i < result->count; i++) {
        const struct sl_flow_wait *wait = &result->cycle[i];
        const struct sl_flow_step *at = &n->kernels[wait->kernel].steps[wait->step];
        if (at->kind == SL_STEP_WRITE && n->depths[at->pipe] <= MOST_DEPTH / 2)
            return at->pipe;
    }
    return UINT32_MAX;
}

static bool take_need(struct sl_flow_result *result, uint32_t pipe)
{
    uint32_t i = 0;
    while (i < result->need_count && result->needs[i].pipe != pipe)
        i++;
    if (i == SL_FLOW_MOST_NEEDS)
        return false;
    result->needs[i].pipe = pipe;
    result->need_count += i == result->need_count;
    return true;
}

/* As little of this one as is enough beside the others. */
static void find_least(struct network *n, uint32_t pipe, struct sl_flow_result *scratch)
{
    uint32_t little = n->pipes[pipe].depth - 1, enough = n->depths[pipe];
    while (enough - little > 1) {
        n->depths[pipe] = little + (enough - little) / 2;
        *(waits_in_cycle(n, scratch) ? &little : &enough) = n->depths[pipe];
    }
    n->depths[pipe] = enough;
}

/* Full pipes twice as deep until nobody waits, and then as little of each as that takes. */
static void find_needs(struct network *n, struct sl_flow_result *result,
                       struct sl_flow_result *scratch)
{
    uint32_t full = find_full(n, result);
    bool waits = true;
    while (waits && full != UINT32_MAX && take_need(result, full)) {
        n->depths[full] *= 2;
        waits = waits_in_cycle(n, scratch);
        full = waits ? find_full(n, scratch) : full;
    }
    uint32_t tried = waits ? 0 : result->need_count;
    result->need_count = 0;
    for (uint32_t i = 0; i < tried; i++) {
        const uint32_t pipe = result->needs[i].pipe;
        find_least(n, pipe, scratch);
        if (n->depths[pipe] > n->pipes[pipe].depth)
            result->needs[result->need_count++] = (struct sl_flow_need){pipe, n->depths[pipe]};
    }
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
        .depths = calloc(pipe_count + (size_t)1, sizeof *n.depths),
    };
    *result = (struct sl_flow_result){.full = UINT32_MAX};
    struct sl_flow_result scratch = *result;
    result->cycle = calloc(kernel_count + (size_t)1, sizeof *result->cycle);
    scratch.cycle = calloc(kernel_count + (size_t)1, sizeof *scratch.cycle);
    int rc = n.states && n.fill && n.again && n.depths && result->cycle && scratch.cycle ? 0 : -1;
    for (uint32_t i = 0; !rc && i < pipe_count; i++)
        n.depths[i] = pipes[i].depth;
    if (!rc && waits_in_cycle(&n, result))
        find_needs(&n, result, &scratch);
    free(n.states);
    free(n.fill);
    free(n.again);
    free(n.depths);
    free(scratch.cycle);
    return rc;
}
