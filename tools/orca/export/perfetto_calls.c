#include "tools/orca/export/perfetto_calls.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/names.h"

struct perfetto_call {
  uint32_t thread;
  stack_id_t stack;
};

/* Begins an entry or an exit. Both need the method's name, which matches an exit with its entry.
   False: the stack is empty, so there is no name. */
static bool begin_call_event(struct trace *t, const char *phase, uint32_t thread, stack_id_t stack,
                             ticks_t time) {
  size_t depth;
  const struct frame *frames = stacks_frames(&t->job->model->stacks, stack, &depth);
  if (depth == 0) return false;
  trace_begin(t, phase, TRACE_THREADS, thread, time);
  names_full_method(&t->text, t->job->dump, frames[0].method);
  trace_put_text(t, "name");
  json_text_member(&t->json, "cat", "method");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  return true;
}

static bool end_call_event(struct trace *t) {
  json_end_object(&t->json);
  return trace_end(t);
}

static bool put_entry(struct trace *t, uint32_t thread, stack_id_t stack, ticks_t time) {
  if (!begin_call_event(t, "B", thread, stack, time)) return true;
  trace_put_place(t, "at", stacks_place(&t->job->model->stacks, stack));
  return end_call_event(t);
}

static bool put_exit(struct trace *t, const struct event_line *line, stack_id_t stack) {
  if (!begin_call_event(t, "E", line->thread, stack, line->time)) return true;
  if (line->class_id != 0) {
    names_class(&t->text, t->job->dump, line->class_id);
    trace_put_text(t, "threw");
  }
  if (line->cpu_ns >= 0) json_unsigned_member(&t->json, "cpu ns", (uint64_t)line->cpu_ns);
  return end_call_event(t);
}

/* --- before the filter's time ------------------------------------------------------------- */

static bool add_call(struct perfetto_calls *c, struct perfetto_call call) {
  void *grown = grow(c->rows, c->num, &c->capacity, sizeof *c->rows);
  if (grown == NULL) return false;
  c->rows = grown;
  c->rows[c->num++] = call;
  return true;
}

static void remove_call(struct perfetto_calls *c, struct perfetto_call call) {
  for (size_t at = c->num; at > 0; at--) {
    if (c->rows[at - 1].thread != call.thread || c->rows[at - 1].stack != call.stack) continue;
    memmove(&c->rows[at - 1], &c->rows[at], (c->num - at) * sizeof *c->rows);
    c->num--;
    return;
  }
}

bool perfetto_calls_open(struct perfetto_calls *c) {
  ticks_t from = c->trace->job->model->matcher.filter.from;
  for (size_t i = 0; i < c->num; i++) {
    if (!put_entry(c->trace, c->rows[i].thread, c->rows[i].stack, from)) return false;
  }
  c->num = 0;
  return true;
}

bool perfetto_calls_take(struct perfetto_calls *c, const struct step *step) {
  const struct event_line *line = step->event;
  const struct matcher *matcher = &c->trace->job->model->matcher;
  if (line == NULL || !step->matches || event_infos[line->kind].group != GROUP_METHOD) return true;
  bool enters = line->kind == EVENT_METHOD_ENTRY;
  struct perfetto_call call = {line->thread, step->stack};
  if (line->time < matcher->filter.from) {
    if (enters) return add_call(c, call);
    remove_call(c, call);
    return true;
  }
  if (!matcher_has_time(matcher, line->time)) return true;
  return enters ? put_entry(c->trace, line->thread, step->stack, line->time)
                : put_exit(c->trace, line, step->stack);
}

void perfetto_calls_free(struct perfetto_calls *c) {
  free(c->rows);
  *c = (struct perfetto_calls){0};
}
