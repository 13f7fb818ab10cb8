#include "tools/orca/causal/whatif/whatif.h"

#include <math.h>

#define MAX_ERROR 0.1    /* of the simulation without edits */
#define LEAST_ERROR 0.05 /* that is always assumed: two runs of a program differ as much */
#define MAX_COST 0.4     /* of recording, as part of the CPU time of the threads */
#define MAX_SLOWER 20    /* the simulation ends at this multiple of the recorded time */

#define SAME 0.03   /* a middle that differs by less is no gain */
#define DOUBT 0.12  /* with a wider range, "no gain" would say too much */
#define NARROW 0.15 /* a range below that has two decimals */

static enum whatif_refusal refusal_of(const struct simulation *r) {
  if (r->end == SIMULATION_STUCK) return REFUSAL_STUCK;
  return r->end == SIMULATION_DONE ? REFUSAL_NONE : REFUSAL_ENDLESS;
}

static double max_time(const struct whatif *w) {
  return MAX_SLOWER * (double)(w->trace.end - w->trace.begin);
}

static enum whatif_refusal check_trace(const struct trace *t) {
  if (t->is_too_long) return REFUSAL_TOO_LONG;
  if (t->is_lossy) return REFUSAL_LOSSY;
  if (!coverage_has_short_pairs(dump_coverage(t->model->dump))) return REFUSAL_THRESHOLD;
  return REFUSAL_NONE;
}

/* Returns the part of the threads' CPU time that recording took. */
static double find_cost(const struct script *s) {
  double cost = 0, cpu = 0;
  for (size_t i = 0; i < s->num_acts; i++) {
    const struct act *a = &s->acts[i];
    if (a->kind != ACT_RUN) continue;
    double own = (double)a->count * TICKS_PER_NS;
    cost += own < a->cpu ? own : a->cpu;
    cpu += a->cpu;
  }
  return cpu <= 0 ? 0 : cost / cpu;
}

static bool simulate_baseline(struct whatif *w) {
  struct simulation r;
  simulation_run(&r, &w->script, NULL, max_time(w));
  bool good = r.end != SIMULATION_NO_MEMORY;
  w->refusal = refusal_of(&r);
  w->recorded = w->script.recorded + w->script.paused;
  w->baseline = r.time + w->script.paused;
  simulation_free(&r);
  if (!good || w->refusal != REFUSAL_NONE) return good;
  w->error = w->baseline / w->recorded - 1;
  if (w->error < 0) w->error = -w->error;
  if (w->error > MAX_ERROR) w->refusal = REFUSAL_INACCURATE;
  return true;
}

static bool write_script(struct whatif *w, const char *work) {
  if (!script_write(&w->script, &w->trace, work)) return false;
  const struct script *s = &w->script;
  bool has_goal = s->goal == GOAL_WORK ? s->work > 0 : s->num_goals > 0;
  if (s->num_acts == 0 || s->recorded <= 0 || !has_goal) {
    w->refusal = REFUSAL_EMPTY;
    return true;
  }
  w->cost = find_cost(s);
  if (w->cost > MAX_COST) w->refusal = REFUSAL_COSTLY;
  return w->refusal != REFUSAL_NONE || simulate_baseline(w);
}

static bool has_known_pool(const struct script *s) {
  for (size_t i = 0; i < s->num_pools; i++) {
    if (s->pools[i].is_known) return true;
  }
  return false;
}

bool whatif_start(struct whatif *w, struct model *m, const char *work) {
  struct trace t;
  bool good = trace_read(&t, m, TRACE_MAX_OPS);
  return whatif_start_on(w, &t, work) && good;
}

bool whatif_start_on(struct whatif *w, struct trace *t, const char *work) {
  *w = (struct whatif){.trace = *t};
  *t = (struct trace){0};
  w->refusal = check_trace(&w->trace);
  if (w->refusal != REFUSAL_NONE) return true;
  trace_cut_pauses(&w->trace);
  if (!write_script(w, work)) return false;
  if (w->refusal <= REFUSAL_COSTLY || !has_known_pool(&w->script)) return true;
  /* The tasks of the pools may depend on each other in a way that is not known. */
  script_free(&w->script);
  w->script.ignores_pools = true;
  w->refusal = REFUSAL_NONE;
  return write_script(w, work);
}

/* Simulates a variant. Returns its time with the pauses, in ticks; 0: it does not end. */
static bool simulate_variant(const struct whatif *w, const struct changes *changes,
                             const struct variant *variant, double *out_time) {
  struct simulation r;
  struct changes c = *changes;
  c.variant = variant;
  simulation_run(&r, &w->script, &c, max_time(w));
  *out_time = r.end == SIMULATION_DONE ? r.time + w->script.paused : 0;
  bool good = r.end != SIMULATION_NO_MEMORY;
  simulation_free(&r);
  return good;
}

/* Returns the relative error of a gain that the error of the baseline suggests. If the edited
   program lacks as many seconds as the baseline, they are a larger part of its shorter time. */
static double find_error(const struct whatif *w, double gain) {
  double error = gain > 1 ? w->error * gain : w->error;
  return error > LEAST_ERROR ? error : LEAST_ERROR;
}

/* Widens the range by what the other variants gain. Returns false when memory ran out. */
static bool widen(const struct whatif *w, const struct changes *changes, struct prediction *p) {
  static const struct changes none;
  double doubt = sqrt(w->recorded / w->baseline);
  for (unsigned id = VARIANT_RECORDED + 1; id < NUM_VARIANTS; id++) {
    double before, after;
    if (!simulate_variant(w, &none, &variants[id], &before) ||
        !simulate_variant(w, changes, &variants[id], &after))
      return false;
    if (before <= 0 || after <= 0) continue;
    double gain = before / after * doubt;
    if (gain < p->gain.least) p->gain.least = gain;
    if (gain > p->gain.most) p->gain.most = gain;
  }
  double error = find_error(w, p->gain.middle);
  p->gain.least /= 1 + error;
  p->gain.most *= 1 + error;
  return true;
}

bool whatif_predict(const struct whatif *w, const struct changes *changes, bool is_final,
                    struct prediction *out) {
  struct simulation r;
  *out = (struct prediction){0};
  simulation_run(&r, &w->script, changes, max_time(w));
  bool good = r.end != SIMULATION_NO_MEMORY;
  out->refusal = refusal_of(&r);
  if (good && out->refusal == REFUSAL_NONE) {
    double least = w->baseline / MAX_SLOWER / MAX_SLOWER;
    /* What the baseline lacks may or may not remain with the edits, so the gain is between that
       over the recorded time and that over the baseline. */
    double time = r.time + w->script.paused;
    double gain = sqrt(w->recorded * w->baseline) / (time > least ? time : least);
    out->gain = (struct gain){gain, gain, gain};
    out->time = w->recorded / gain;
    if (is_final) {
      good = limit_find(&out->next, &w->script, changes, &r, max_time(w)) && widen(w, changes, out);
    }
  }
  simulation_free(&r);
  return good;
}

void whatif_free(struct whatif *w) {
  script_free(&w->script);
  trace_free(&w->trace);
}

/* --- gains -------------------------------------------------------------------------------- */

bool gain_is_none(const struct gain *g) {
  return g->middle < 1 + SAME && g->middle > 1 - SAME && g->least > 1 - DOUBT &&
         g->most < 1 + DOUBT;
}

void gain_write(struct builder *b, const struct gain *g) {
  bool is_doubtful = g->least < 1 && g->most > 1;
  int decimals = g->most - g->least < NARROW || is_doubtful ? 2 : 1;
  builder_format(b, "%.*f to %.*f times as fast%s", decimals, g->least, decimals, g->most,
                 is_doubtful ? ", so perhaps no gain" : "");
}
