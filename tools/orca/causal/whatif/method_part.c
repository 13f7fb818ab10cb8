#include "tools/orca/causal/whatif/method_part.h"

#include <stdlib.h>

#include "tools/orca/model/names.h"

/* --- stacks ------------------------------------------------------------------------------- */

/* Whether methods match, each looked up once. */
struct method_matcher {
  const struct dump *dump;
  const char *pattern;
  struct hashmap answers; /* method -> 1: no, 2: yes */
  bool failed;
};

static bool matches(struct method_matcher *m, uint32_t method) {
  uint64_t *answer = hashmap_at(&m->answers, method);
  if (answer == NULL) {
    m->failed = true;
    return false;
  }
  if (*answer == 0) *answer = names_method_matches(m->dump, method, m->pattern) ? 2 : 1;
  return *answer == 2;
}

static bool is_on_stack(struct method_matcher *m, const struct stacks *stacks, stack_id_t id) {
  size_t depth;
  const struct frame *frames = stacks_frames(stacks, id, &depth);
  for (size_t i = 0; i < depth; i++) {
    if (matches(m, frames[i].method)) return true;
  }
  return false;
}

static bool read_stacks(struct method_part *p, struct method_matcher *m,
                        const struct stacks *stacks) {
  p->of_stack = calloc(stacks->num + 1, sizeof *p->of_stack);
  if (p->of_stack == NULL) return false;
  for (stack_id_t id = 1; id <= stacks->num; id++) {
    p->of_stack[id] = is_on_stack(m, stacks, id);
    p->is_found |= p->of_stack[id] > 0;
  }
  return !m->failed;
}

static void find_tracked(struct method_part *p, struct method_matcher *m, const struct script *s) {
  for (size_t i = 0; i < s->num_acts && p->tracked == 0; i++) {
    if (s->acts[i].kind == ACT_ENTRY && matches(m, s->acts[i].object)) {
      p->tracked = s->acts[i].object;
    }
  }
  p->is_found |= p->tracked != 0;
}

/* --- samples ------------------------------------------------------------------------------ */

struct site_times {
  double all, inside;
};

struct sampling {
  const struct script *script;
  struct method_part *part;
  struct method_matcher *matcher;
  struct hashmap sites; /* stacks of the site -> row plus one */
  struct site_times *times;
  uint32_t *at; /* by thread: the operation (plus one) up to which samples were taken */
  bool by_signal;
};

/* Returns the site of the stretch in which a thread was at this time, plus one; 0: in none. */
static uint32_t find_site(struct sampling *s, uint32_t thread, ticks_t time) {
  const struct trace *t = s->script->trace;
  uint32_t at = s->at[thread];
  while (at != 0 && t->ops[at - 1].begin < time && t->ops[at - 1].next != 0) {
    at = t->ops[at - 1].next;
  }
  s->at[thread] = at;
  if (at == 0 || t->ops[at - 1].since > time) return 0;
  const struct trace_op *op = &t->ops[at - 1];
  uint64_t before = op->before == 0 ? 0 : t->ops[op->before - 1].stack, row = 0;
  hashmap_get(&s->sites, before << 32 | op->stack, &row);
  return (uint32_t)row;
}

static bool is_inside(struct sampling *s, stack_id_t stack) {
  /* The replay may have added a stack. */
  return is_on_stack(s->matcher, &s->script->trace->model->stacks, stack);
}

static bool take_step(void *arg, const struct step *step) {
  struct sampling *s = arg;
  const struct sample_line *line = step->sample;
  if (line == NULL || line->cpu_ns <= 0 || step->stack == 0) return true;
  if ((line->kind == SAMPLE_CPU) != s->by_signal) return true;
  uint32_t thread = trace_find_thread(s->script->trace, line->thread);
  uint32_t site = thread == 0 ? 0 : find_site(s, thread - 1, line->time);
  if (site == 0) return true;
  s->times[site - 1].all += (double)line->cpu_ns;
  if (is_inside(s, step->stack)) s->times[site - 1].inside += (double)line->cpu_ns;
  return true;
}

static bool start_sampling(struct sampling *s) {
  const struct script *script = s->script;
  const struct trace *t = script->trace;
  s->times = calloc(script->num_sites + 1, sizeof *s->times);
  s->at = calloc(t->num_threads + 1, sizeof *s->at);
  s->part->of_site = calloc(script->num_sites + 1, sizeof *s->part->of_site);
  if (s->times == NULL || s->at == NULL || s->part->of_site == NULL) return false;
  for (size_t i = 0; i < t->num_threads; i++) s->at[i] = t->threads[i].first;
  for (size_t i = 0; i < script->num_sites; i++) {
    const struct script_site *site = &script->sites[i];
    if (!hashmap_put(&s->sites, (uint64_t)site->before << 32 | site->after, i + 1)) return false;
  }
  return true;
}

static bool read_samples(struct method_part *p, struct method_matcher *m, const struct script *s) {
  struct model *model = s->trace->model;
  struct sampling sampling = {
      .script = s, .part = p, .matcher = m, .by_signal = model->recording.by_signal};
  bool good =
      start_sampling(&sampling) &&
      replay(model, PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU), take_step, &sampling);
  for (size_t i = 0; good && i < s->num_sites; i++) {
    const struct site_times *times = &sampling.times[i];
    if (times->all > 0) p->of_site[i] = (float)(times->inside / times->all);
  }
  hashmap_free(&sampling.sites);
  free(sampling.times);
  free(sampling.at);
  return good && !m->failed;
}

bool method_part_read(struct method_part *p, const struct script *s, const char *pattern) {
  struct method_matcher m = {.dump = s->trace->model->dump, .pattern = pattern};
  find_tracked(p, &m, s);
  bool good = read_stacks(p, &m, &s->trace->model->stacks) && read_samples(p, &m, s);
  hashmap_free(&m.answers);
  return good;
}

void method_part_free(struct method_part *p) {
  free(p->of_site);
  free(p->of_stack);
  *p = (struct method_part){0};
}
