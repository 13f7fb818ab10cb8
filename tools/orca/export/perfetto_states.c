#include "tools/orca/export/perfetto_states.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

/* The state of a thread since a sample first saw it. */
struct perfetto_spell {
  uint32_t thread;
  enum thread_state state;
  stack_id_t stack;
  ticks_t since; /* 0: the state is not known */
  int64_t cpu_ns;
  bool is_match; /* the thread matches the filter */
};

static bool put_spell(struct perfetto_states *s, const struct perfetto_spell *spell, ticks_t end) {
  struct trace *t = s->trace;
  const struct model *m = t->job->model;
  ticks_t since = matcher_clip(&m->matcher, spell->since);
  end = matcher_clip(&m->matcher, end);
  if (spell->since == 0 || !spell->is_match || end <= since) return true;
  trace_begin(t, "X", TRACE_STATES, spell->thread, since);
  trace_put_duration(t, since, end);
  json_text_member(&t->json, "name", thread_state_names[spell->state]);
  json_text_member(&t->json, "cat", "state");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  trace_put_place(t, "at", stacks_place(&m->stacks, spell->stack));
  if (spell->cpu_ns > 0) json_unsigned_member(&t->json, "cpu ns", (uint64_t)spell->cpu_ns);
  json_end_object(&t->json);
  return trace_end(t);
}

/* The CPU time of a line was used before the line, so it belongs to the current spell, which the
   line ends or continues. */
bool perfetto_states_take(struct perfetto_states *s, const struct step *step) {
  const struct sample_line *line = step->sample;
  if (line == NULL || line->kind != SAMPLE_THREAD) return true;
  struct perfetto_spell *spell =
      rows_at(&s->ids, line->thread, &s->rows, &s->num, &s->capacity, sizeof *spell, NULL);
  if (spell == NULL) return false;
  spell->thread = line->thread;
  bool is_selected = matcher_has_time(&s->trace->job->model->matcher, line->time);
  if (line->cpu_ns > 0 && is_selected) spell->cpu_ns += line->cpu_ns;
  bool is_same = spell->state == line->state && spell->stack == step->stack;
  if (spell->since != 0 && is_same) return true;
  bool is_good = put_spell(s, spell, line->time);
  *spell = (struct perfetto_spell){.thread = line->thread,
                                   .state = line->state,
                                   .stack = step->stack,
                                   .since = line->time,
                                   .is_match = step->matches};
  if (line->state == STATE_TERMINATED) spell->since = 0;
  return is_good;
}

/* Without a Terminated line the last spell ends when the thread or the recording ends. */
bool perfetto_states_end(struct perfetto_states *s) {
  const struct model *m = s->trace->job->model;
  for (size_t i = 0; i < s->num; i++) {
    const struct thread *thread = threads_find(&m->threads, s->rows[i].thread);
    if (!put_spell(s, &s->rows[i], thread == NULL ? m->recording.end : thread->last)) return false;
  }
  return true;
}

void perfetto_states_free(struct perfetto_states *s) {
  hashmap_free(&s->ids);
  free(s->rows);
  *s = (struct perfetto_states){0};
}
