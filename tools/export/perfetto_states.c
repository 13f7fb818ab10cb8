#include "tools/export/perfetto_states.h"

#include <stdlib.h>

#include "tools/model/grow.h"

/* What a thread does since it was seen to begin. */
struct spell {
  uint32_t thread;
  enum thread_state state;
  uint64_t stack; /* its number in the file */
  ticks_t since;  /* 0: nothing is known */
  int64_t cpu_ns;
};

struct spells {
  struct trace *trace;
  struct hashmap ids;    /* thread -> row plus one */
  struct hashmap places; /* number of the stack in the file -> place_t */
  struct spell *rows;
  size_t num, capacity;
};

static struct spell *spell_of(struct spells *s, uint32_t thread) {
  uint64_t *at = hashmap_at(&s->ids, thread);
  if (at == NULL) return NULL;
  if (*at == 0) {
    void *grown = grow(s->rows, s->num, &s->capacity, sizeof *s->rows);
    if (grown == NULL) return NULL;
    s->rows = grown;
    s->rows[s->num] = (struct spell){.thread = thread};
    *at = ++s->num;
  }
  return &s->rows[*at - 1];
}

static bool put_spell(struct spells *s, const struct spell *spell, ticks_t end) {
  struct trace *t = s->trace;
  uint64_t place = 0;
  if (spell->since == 0 || end <= spell->since) return true;
  hashmap_get(&s->places, spell->stack, &place);
  trace_begin(t, "X", TRACE_STATES, spell->thread, spell->since);
  trace_lasts(t, spell->since, end);
  json_text_member(&t->json, "name", thread_state_names[spell->state]);
  json_text_member(&t->json, "cat", "state");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  trace_put_place(t, "at", place);
  if (spell->cpu_ns > 0) json_unsigned_member(&t->json, "cpu ns", (uint64_t)spell->cpu_ns);
  json_end_object(&t->json);
  return trace_end(t);
}

/* CPU time of a line was used before it: in the spell that it ends or goes on. */
static bool read_thread(struct spells *s, const struct sample_line *line) {
  struct spell *spell = spell_of(s, line->thread);
  if (spell == NULL) return false;
  if (line->cpu_ns > 0) spell->cpu_ns += line->cpu_ns;
  bool same = spell->state == line->state && spell->stack == line->stack_id;
  if (spell->since != 0 && same) return true;
  bool good = put_spell(s, spell, line->time);
  *spell = (struct spell){line->thread, line->state, line->stack_id, line->time, 0};
  if (line->state == STATE_TERMINATED) spell->since = 0;
  return good;
}

static bool read_stack(struct spells *s, const struct sample_line *line) {
  stack_id_t id;
  struct stacks one = {0};
  bool good = stacks_intern(&one, s->trace->job->dump, line->stack, &id) &&
              hashmap_put(&s->places, line->stack_id, stacks_place(&one, id));
  stacks_free(&one);
  return good;
}

/* A thread without a Terminated line stood until it ended, or the recording did. */
static bool end_spells(struct spells *s) {
  const struct model *m = s->trace->job->model;
  for (size_t i = 0; i < s->num; i++) {
    const struct thread *thread = threads_find(&m->threads, s->rows[i].thread);
    if (!put_spell(s, &s->rows[i], thread == NULL ? m->recording.end : thread->last)) return false;
  }
  return true;
}

static bool read_line(struct spells *s, const struct sample_line *line) {
  if (line->kind == SAMPLE_THREAD) return read_thread(s, line);
  return line->kind != SAMPLE_STACK || read_stack(s, line);
}

bool perfetto_states(struct trace *t) {
  struct spells s = {.trace = t};
  struct stream *stream = dump_stream(t->job->dump, DUMP_SAMPLES);
  struct sample_line line;
  bool good = true;
  while (good && stream_sample(stream, &line)) good = read_line(&s, &line);
  stream_close(stream);
  good = good && end_spells(&s);
  hashmap_free(&s.ids);
  hashmap_free(&s.places);
  free(s.rows);
  return good;
}
