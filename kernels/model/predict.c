/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "model/predict.h"

#include <stdlib.h>
#include <string.h>

#define CALL 40           /* cycles of a function that we do not see */
#define LEAST_ROUNDS 24   /* of the loop, of which the second half is measured */
#define LEAST_STEPS 4000  /* instructions */
#define MOST_STEPS 200000 /* but FEWEST_ROUNDS in any case, up to eight times as many */
#define FEWEST_ROUNDS 4
#define MOST_ROUNDS 4096
#define NEARLY 0.88 /* of the cycles, of a unit that is busy nearly always */

struct walk {
    const struct sl_mc_function *f;
    const struct sl_model_step *steps; /* of all instructions of the function */
    uint32_t loop;
    uint64_t *rounds; /* of each loop, since it was entered */
    bool guessed;
};

static bool is_inside(const struct sl_mc_function *f, uint32_t loop, uint32_t block)
{
    for (uint32_t l = f->blocks[block].loop; l; l = f->loops[l - 1].parent)
        if (l == loop)
            return true;
    return false;
}

static uint64_t rounds_of(struct walk *w, uint32_t loop)
{
    uint64_t known = w->f->loops[loop - 1].rounds;
    w->guessed |= !known;
    return known ? known : SL_MODEL_ROUNDS;
}

/* Of the two ways that which goes on with, or leaves, the innermost loop that only one leaves. */
static uint32_t choose(struct walk *w, const struct sl_mc_block *block)
{
    for (uint32_t l = block->loop; l && l != w->loop; l = w->f->loops[l - 1].parent) {
        bool first = is_inside(w->f, l, block->ways[0]);
        if (first == is_inside(w->f, l, block->ways[1]))
            continue;
        bool goes_on = w->rounds[l - 1] < rounds_of(w, l);
        return block->ways[goes_on == first ? 0 : 1];
    }
    return block->ways[is_inside(w->f, w->loop, block->ways[0]) ? 0 : 1];
}

static void enter(struct walk *w, uint32_t from, uint32_t to)
{
    for (uint32_t l = 1; l <= w->f->loop_count; l++) {
        if (w->f->loops[l - 1].header != to)
            continue;
        w->rounds[l - 1] = is_inside(w->f, l, from) ? w->rounds[l - 1] + 1 : 1;
    }
}

struct outcome {
    double cycles, begun; /* of a round */
    double taken[SL_MC_UNITS];
};

static void note_marks(struct sl_model_pipeline *p, uint64_t taken[SL_MC_UNITS])
{
    for (uint32_t u = 0; u < SL_MC_UNITS; u++)
        taken[u] = sl_model_pipeline_taken(p, u);
}

/* Instructions of a round of the loop, inner loops unrolled. */
static double length_of_round(struct walk *w)
{
    double all = 0;
    for (uint32_t b = 0; b < w->f->block_count; b++) {
        if (!is_inside(w->f, w->loop, b))
            continue;
        double times = 1;
        for (uint32_t l = w->f->blocks[b].loop; l != w->loop; l = w->f->loops[l - 1].parent)
            times *= (double)rounds_of(w, l);
        all += times * w->f->blocks[b].count;
    }
    return all;
}

static struct outcome measure(struct walk *w, struct sl_model_pipeline *p)
{
    struct outcome out = {0};
    uint64_t half = 0, half_begun = 0, half_taken[SL_MC_UNITS] = {0}, rounds = 0, steps = 0;
    uint64_t half_round = 0;
    uint32_t header = w->f->loops[w->loop - 1].header, at = header;
    if (length_of_round(w) > MOST_STEPS)
        return out; /* it would take longer than the compilation */
    for (;;) {
        const struct sl_mc_block *block = &w->f->blocks[at];
        if (at == header) {
            bool enough = rounds >= LEAST_ROUNDS && steps >= LEAST_STEPS;
            bool tired = rounds >= FEWEST_ROUNDS && steps >= MOST_STEPS;
            if (enough || tired || steps >= 8 * (uint64_t)MOST_STEPS || rounds >= MOST_ROUNDS)
                break;
            bool settled = 2 * rounds >= LEAST_ROUNDS && 2 * steps >= LEAST_STEPS;
            if (!half_round && rounds && (settled || 2 * steps >= MOST_STEPS)) {
                half_round = rounds;
                half = sl_model_pipeline_now(p);
                half_begun = sl_model_pipeline_begun(p);
                note_marks(p, half_taken);
            }
            rounds++;
        }
        for (uint32_t k = 0; k < block->count; k++) {
            sl_model_pipeline_run(p, &w->steps[block->first + k]);
            w->guessed |= w->steps[block->first + k].is.calls;
        }
        steps += block->count + 1;
        if (!block->way_count || steps > 16 * (uint64_t)MOST_STEPS)
            return out; /* that is no loop as we know them */
        uint32_t next = block->way_count < 2 ? block->ways[0] : choose(w, block);
        if (!is_inside(w->f, w->loop, next))
            next = header;
        if (next != at + 1)
            sl_model_pipeline_turn(p);
        enter(w, at, next);
        at = next;
    }
    if (rounds <= half_round)
        return out;
    double count = (double)(rounds - half_round);
    out.cycles = (double)(sl_model_pipeline_now(p) - half) / count;
    out.begun = (double)(sl_model_pipeline_begun(p) - half_begun) / count;
    for (uint32_t u = 0; u < SL_MC_UNITS; u++)
        out.taken[u] = (double)(sl_model_pipeline_taken(p, u) - half_taken[u]) / count;
    return out;
}

/* A comparison and the branch on it are one micro-operation. */
static bool joins_branch(const char *name)
{
    static const char *const names[] = {"CMP", "TEST", "ADD", "SUB", "INC", "DEC", "AND"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strncmp(name, names[k], strlen(names[k])))
            return true;
    return false;
}

static struct sl_model_step *prepare(const struct sl_mc_function *f,
                                     const struct sl_model_machine *machine,
                                     const struct sl_model_rows *own)
{
    struct sl_model_step *steps = calloc(f->instruction_count + (size_t)1, sizeof *steps);
    for (uint32_t k = 0; steps && k < f->instruction_count; k++) {
        sl_model_prepare(&steps[k], &f->instructions[k], f->processor, machine, own);
        struct sl_mc_instruction *i = &steps[k].is;
        if (k && !strncmp(i->name, "JCC", 3) && joins_branch(f->instructions[k - 1].name))
            steps[k].fuses = i->steps;
        if (i->calls)
            for (unsigned n = 0; n < i->write_count; n++)
                i->writes[n].latency = CALL;
    }
    return steps;
}

static void judge(struct sl_model_prediction *out, const struct outcome *o,
                  const struct sl_mc_processor *processor, const struct sl_model_machine *machine)
{
    uint32_t most = machine->width ? machine->width : processor->width;
    uint32_t busiest = 0;
    for (uint32_t u = 1; u < processor->unit_count; u++)
        busiest = o->taken[u] > o->taken[busiest] ? u : busiest;
    double width = most ? o->begun / most : 0;
    out->cycles = o->cycles;
    out->unit = processor->unit_count ? processor->units[busiest] : "";
    out->least = width > o->taken[busiest] ? width : o->taken[busiest];
    out->bound = out->least < NEARLY * o->cycles ? SL_MODEL_WAITING
                 : width > o->taken[busiest]     ? SL_MODEL_WIDTH
                                                 : SL_MODEL_UNITS;
}

struct sl_model_prediction sl_model_predict(const struct sl_mc_function *f,
                                            const struct sl_model_machine *machine,
                                            const struct sl_model_rows *own, uint32_t loop)
{
    struct sl_model_prediction out = {0};
    struct sl_model_pipeline *p = sl_model_pipeline_open(f->processor, machine, f->place_count);
    struct sl_model_step *steps = prepare(f, machine, own);
    uint64_t *rounds = calloc(f->loop_count + (size_t)1, sizeof *rounds);
    if (p && steps && rounds) {
        struct walk w = {.f = f, .steps = steps, .loop = loop, .rounds = rounds};
        struct outcome o = measure(&w, p);
        judge(&out, &o, f->processor, machine);
        out.guessed = w.guessed;
    }
    free(rounds);
    free(steps);
    sl_model_pipeline_close(p);
    return out;
}
