#include "tools/orca/causal/whatif/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/orca/model/names.h"

#define LEAST_GAIN 1.03
#define MAX_CANDIDATES 20
#define MAX_LOCKS 6
#define MAX_METHODS 3
#define LEAST_WAIT 0.01   /* waits of a lock, as part of the time of the recording */
#define LEAST_METHOD 0.02 /* of the CPU time */

struct candidate {
  enum edit_kind kind;
  char text[PLAN_TEXT];
  bool is_used;
};

struct candidates {
  struct candidate rows[MAX_CANDIDATES];
  size_t num;
};

/* --- candidates --------------------------------------------------------------------------- */

static void add_lock(struct candidates *c, uint32_t object) {
  struct candidate row = {.kind = EDIT_DROP};
  snprintf(row.text, sizeof row.text, "%08" PRIX32, object);
  for (size_t i = 0; i < c->num; i++) {
    if (strcmp(c->rows[i].text, row.text) == 0) return;
  }
  if (c->num < MAX_CANDIDATES) c->rows[c->num++] = row;
}

static void add_locks(struct candidates *c, const struct script *s) {
  double below = -1;
  for (unsigned i = 0; i < MAX_LOCKS; i++) {
    const struct script_lock *best = NULL;
    for (size_t at = 0; at < s->num_locks; at++) {
      const struct script_lock *lock = &s->locks[at];
      bool is_next = !lock->is_signal && (below < 0 || lock->waited < below);
      if (is_next && (best == NULL || lock->waited > best->waited)) best = lock;
    }
    if (best == NULL || best->waited < LEAST_WAIT * s->recorded) return;
    below = best->waited;
    add_lock(c, best->object);
  }
}

static void add_methods(struct candidates *c, const struct trace *t) {
  const struct model *m = t->model;
  for (size_t i = 0, added = 0; i < m->cpu.num_methods && added < MAX_METHODS; i++) {
    const struct cpu_method *method = &m->cpu.methods[i];
    struct builder name = {0};
    struct candidate *row = &c->rows[c->num];
    if ((double)method->self_ns < LEAST_METHOD * (double)m->cpu.total_ns) return;
    if (pseudo_is(method->method) || trace_waits_in(t, method->method)) continue;
    names_full_method(&name, m->dump, method->method);
    if (!name.failed && name.len + sizeof "=50%" <= sizeof row->text) {
      row->kind = EDIT_FASTER;
      snprintf(row->text, sizeof row->text, "%.*s=50%%", (int)name.len, name.data);
      c->num++;
      added++;
    }
    builder_free(&name);
  }
}

static void add_cpus(struct candidates *c, const struct script *s) {
  if (s->capacity.cpus <= 0) return;
  struct candidate *row = &c->rows[c->num++];
  row->kind = EDIT_CPUS;
  snprintf(row->text, sizeof row->text, "%g", s->capacity.cpus * 2);
}

/* Tasks wait in the queue because all threads of the pool are busy. */
static void add_pools(struct candidates *c, const struct script *s) {
  for (size_t i = 0; i < s->num_pools && c->num < MAX_CANDIDATES; i++) {
    const struct script_pool *pool = &s->pools[i];
    struct candidate *row = &c->rows[c->num];
    if (!pool->is_known || !pool->is_full || pool->queued < LEAST_WAIT * s->recorded) continue;
    if (strlen(pool->title) + sizeof "=2x" > sizeof row->text) continue;
    row->kind = EDIT_POOL;
    snprintf(row->text, sizeof row->text, "%s=2x", pool->title);
    c->num++;
  }
}

/* --- steps -------------------------------------------------------------------------------- */

static bool add_edit(struct edited *d, const struct script *s, struct edit *e) {
  struct builder why = {0};
  enum edit_result result = edited_add(d, s, e, &why);
  builder_free(&why);
  return result != EDIT_NO_MEMORY;
}

/* Predicts the steps so far and one more. */
static bool predict(const struct whatif *w, const struct plan *p, struct plan_step *step,
                    bool is_final) {
  struct edited d = {0};
  bool good = edited_start(&d, &w->script);
  for (size_t i = 0; good && i < p->num; i++) {
    struct edit again = p->steps[i].edit;
    again.num_locks = again.num_pools = 0;
    good = add_edit(&d, &w->script, &again);
  }
  good = good && add_edit(&d, &w->script, &step->edit) &&
         whatif_predict(w, &d.changes, is_final, &step->prediction);
  edited_free(&d);
  return good;
}

static bool start_step(struct plan_step *step, const struct candidate *c) {
  memcpy(step->text, c->text, sizeof step->text);
  return edit_parse(&step->edit, c->kind, step->text);
}

/* Adds the best candidate. `*out_is_added`: there was one. */
static bool add_step(struct plan *p, const struct whatif *w, struct candidates *c,
                     bool *out_is_added) {
  double before = p->num == 0 ? 1 : p->steps[p->num - 1].prediction.gain.middle, best = before;
  struct candidate *chosen = NULL;
  for (size_t i = 0; i < c->num; i++) {
    struct plan_step step = {0};
    bool good =
        c->rows[i].is_used || (start_step(&step, &c->rows[i]) && predict(w, p, &step, false));
    if (good && step.prediction.gain.middle > best) {
      best = step.prediction.gain.middle;
      chosen = &c->rows[i];
    }
    edit_free(&step.edit);
    if (!good) return false;
  }
  *out_is_added = chosen != NULL && best >= before * LEAST_GAIN;
  if (!*out_is_added) return true;
  chosen->is_used = true;
  struct plan_step *step = &p->steps[p->num];
  if (!start_step(step, chosen) || !predict(w, p, step, true)) return false;
  p->num++;
  /* A lock may limit only after the edits so far. */
  if (step->prediction.next.kind == LIMIT_LOCK) add_lock(c, step->prediction.next.lock);
  return true;
}

bool plan_make(struct plan *p, const struct whatif *w) {
  struct candidates *c = calloc(1, sizeof *c);
  if (c == NULL) return false;
  add_locks(c, &w->script);
  add_methods(c, &w->trace);
  add_cpus(c, &w->script);
  add_pools(c, &w->script);
  bool good = true, goes_on = true;
  while (good && goes_on && p->num < PLAN_STEPS) good = add_step(p, w, c, &goes_on);
  free(c);
  return good;
}

void plan_free(struct plan *p) {
  for (size_t i = 0; i < PLAN_STEPS; i++) edit_free(&p->steps[i].edit);
  *p = (struct plan){0};
}
