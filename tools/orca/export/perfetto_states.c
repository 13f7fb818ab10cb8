#include "tools/orca/export/perfetto_states.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

/* The parts of a life with the same state and stack become one slice. */
struct perfetto_spell {
  uint32_t thread;
  struct life life;
  enum activity activity;
  stack_id_t stack;
  ticks_t begin, end; /* equal: no part yet */
  uint64_t cpu_ns;
};

static bool put_spell(struct perfetto_states *s, const struct perfetto_spell *spell) {
  struct trace *t = s->trace;
  if (spell->end == spell->begin) return true;
  trace_begin(t, "X", TRACE_STATES, spell->thread, spell->begin);
  trace_put_duration(t, spell->begin, spell->end);
  json_text_member(&t->json, "name", activity_names[spell->activity]);
  json_text_member(&t->json, "cat", "state");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  trace_put_place(t, "at", stacks_place(&t->job->model->stacks, spell->stack));
  if (spell->cpu_ns > 0) json_unsigned_member(&t->json, "cpu ns", spell->cpu_ns);
  json_end_object(&t->json);
  return trace_end(t);
}

static bool take_part(void *arg, void *row, const struct life_part *part) {
  struct perfetto_states *s = arg;
  struct perfetto_spell *spell = row;
  bool is_same = spell->end == part->begin && spell->end > spell->begin &&
                 spell->activity == part->activity && spell->stack == part->stack;
  if (!is_same) {
    if (!put_spell(s, spell)) return false;
    spell->begin = part->begin;
    spell->activity = part->activity;
    spell->stack = part->stack;
    spell->cpu_ns = 0;
  }
  spell->end = part->end;
  return true;
}

void perfetto_states_start(struct perfetto_states *s, struct trace *t) {
  const struct model *m = t->job->model;
  *s = (struct perfetto_states){.trace = t};
  life_clock_start(&s->clock, m->dump, m->recording.from, m->recording.to);
  s->clock.put = take_part;
  s->clock.arg = s;
}

/* The CPU time of a line was used before the line, so it belongs to the slice before it. */
bool perfetto_states_take(struct perfetto_states *s, const struct step *step) {
  struct model *m = s->trace->job->model;
  if (!filter_has_samples(&m->matcher.filter) || !life_clock_take(&s->clock, step)) return true;
  uint32_t thread = step->event != NULL ? step->event->thread : step->sample->thread;
  const struct thread *row = threads_find(&m->threads, thread);
  if (row == NULL || !row->matches) return true;
  struct perfetto_spell *spell =
      rows_at(&s->ids, thread, &s->rows, &s->num, &s->capacity, sizeof *spell, NULL);
  if (spell == NULL) return false;
  spell->thread = thread;
  if (!life_take(&spell->life, &s->clock, step, spell)) return false;
  bool has_cpu = step->sample != NULL && step->sample->cpu_ns > 0 && step->in_time;
  if (has_cpu) spell->cpu_ns += (uint64_t)step->sample->cpu_ns;
  return true;
}

bool perfetto_states_end(struct perfetto_states *s) {
  for (size_t i = 0; i < s->num; i++) {
    struct perfetto_spell *spell = &s->rows[i];
    if (!life_end(&spell->life, &s->clock, s->clock.to, spell) || !put_spell(s, spell)) {
      return false;
    }
  }
  return true;
}

void perfetto_states_free(struct perfetto_states *s) {
  hashmap_free(&s->ids);
  free(s->rows);
  *s = (struct perfetto_states){0};
}
