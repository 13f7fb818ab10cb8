/* A trace for ui.perfetto.dev and chrome://tracing: a row a thread, a slice for each pair of events
   and each call of a method, a moment for each other event; how many threads ask for each lock;
   arrows from who blocks to who is blocked, and from who wakes to who is woken. Written while the
   dump is read: memory goes by threads, objects and stacks. */
#include <stdlib.h>

#include "tools/export/perfetto_states.h"
#include "tools/export/trace.h"
#include "tools/model/lock_event.h"
#include "tools/model/names.h"
#include "tools/model/wakes.h"

struct events {
  struct trace *trace;
  struct pairs pairs;
  struct holders holders;
  struct stacks stacks;
  struct wakes wakes;
  struct hashmap asking; /* lock -> threads that ask for it now */
  bool lossy;
};

static void put_args(struct events *e, uint32_t object, uint32_t owner, stack_id_t stack) {
  struct trace *t = e->trace;
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  trace_put_object(t, "object", object);
  trace_put_thread(t, "owner", owner);
  trace_put_place(t, "at", stacks_place(&e->stacks, stack));
}

static bool end_args(struct trace *t) {
  json_end_object(&t->json);
  return trace_end(t);
}

static void put_kind(struct trace *t, enum event_kind kind) {
  json_text_member(&t->json, "name", event_infos[kind].name);
  json_text_member(&t->json, "cat", group_infos[event_infos[kind].group].name);
}

/* A moment in the row of a thread, such as "woken by main". */
static bool put_moment(struct trace *t, uint32_t thread, ticks_t time, const char *what,
                       uint32_t by) {
  trace_begin(t, "i", TRACE_THREADS, thread, time);
  json_text_member(&t->json, "s", "t");
  builder_string(&t->text, what);
  names_thread(&t->text, &t->job->model->threads, by);
  trace_take_text(t, "name");
  json_text_member(&t->json, "cat", "arrow");
  return trace_end(t);
}

/* --- pairs ------------------------------------------------------------------------- */

static bool put_slice(struct events *e, const struct pair *pair, bool over) {
  struct trace *t = e->trace;
  trace_begin(t, "X", TRACE_THREADS, pair->thread, pair->begin);
  trace_lasts(t, pair->begin, pair->end);
  put_kind(t, pair->kind);
  put_args(e, pair->object, pair->owner, pair->stack);
  if (pair->failed) {
    json_key(&t->json, "failed");
    json_bool(&t->json, true);
  }
  if (!over) {
    json_key(&t->json, "unfinished");
    json_bool(&t->json, true);
  }
  return end_args(t);
}

/* The arrow starts at a moment of its own: the owner may be in no call then. */
static bool put_owner(struct events *e, const struct pair *pair) {
  if (pair->owner == 0 || pair->owner == pair->thread) return true;
  return put_moment(e->trace, pair->owner, pair->begin, "blocks ", pair->thread) &&
         trace_arrow(e->trace, "blocks", pair->owner, pair->begin, pair->thread, pair->begin);
}

static bool put_woken(struct events *e, const struct pair *pair) {
  struct wake_signal signal;
  if (!wakes_pair(&e->wakes, pair, &signal)) return true;
  return put_moment(e->trace, pair->thread, pair->end, "woken by ", signal.thread) &&
         trace_arrow(e->trace, "wakes", signal.thread, signal.time, pair->thread, pair->end);
}

static bool put_pair(struct events *e, const struct pair *pair, bool over) {
  return put_slice(e, pair, over) && put_owner(e, pair) && (!over || put_woken(e, pair));
}

/* Where events were dropped nobody knows how many ask. */
static bool count_asking(struct events *e, const struct event_line *line, enum event_kind begin,
                         int change) {
  struct trace *t = e->trace;
  if (e->lossy || !lock_event_asks(begin)) return true;
  uint64_t *asking = hashmap_at(&e->asking, line->object);
  if (asking == NULL) return false;
  *asking += (uint64_t)change;
  trace_begin(t, "C", TRACE_THREADS, 0, line->time);
  builder_string(&t->text, "asking for ");
  trace_put_object(t, "name", line->object);
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  json_unsigned_member(&t->json, "threads", *asking);
  return end_args(t);
}

static bool read_pair(struct events *e, const struct event_line *line, stack_id_t stack) {
  struct event_line owned = *line;
  struct pair pair;
  owned.owner = holders_owner(&e->holders, line);
  switch (pairs_feed(&e->pairs, &owned, stack, &pair)) {
    case PAIRS_DONE:
      return put_pair(e, &pair, true) && count_asking(e, line, pair.kind, -1);
    case PAIRS_NONE:
      return event_infos[line->kind].role != ROLE_BEGIN || count_asking(e, line, line->kind, +1);
    case PAIRS_NO_MEMORY:
      break;
  }
  return false;
}

static bool put_open_pairs(struct events *e) {
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(&e->pairs, &cursor, &pair);) {
    pair.end = e->trace->job->model->recording.end;
    if (!put_pair(e, &pair, false)) return false;
  }
  return true;
}

/* --- other events ------------------------------------------------------------------------ */

/* A call of a method of the option track: its name tells which begin an end belongs to. */
static bool put_call(struct events *e, const struct event_line *line, stack_id_t stack) {
  struct trace *t = e->trace;
  bool entry = line->kind == EVENT_METHOD_ENTRY;
  size_t depth;
  const struct frame *frames = stacks_frames(&e->stacks, stack, &depth);
  if (depth == 0) return true;
  trace_begin(t, entry ? "B" : "E", TRACE_THREADS, line->thread, line->time);
  names_full_method(&t->text, t->job->dump, frames[0].method);
  trace_take_text(t, "name");
  json_text_member(&t->json, "cat", "method");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  if (entry) trace_put_place(t, "at", stacks_place(&e->stacks, stack));
  if (line->thrown != 0) {
    names_class(&t->text, t->job->dump, line->thrown);
    trace_take_text(t, "threw");
  }
  if (!entry && line->cpu_ns >= 0) json_unsigned_member(&t->json, "cpu ns", (uint64_t)line->cpu_ns);
  return end_args(t);
}

static bool put_point(struct events *e, const struct event_line *line, stack_id_t stack) {
  struct trace *t = e->trace;
  struct wake_signal signal;
  trace_begin(t, "i", TRACE_THREADS, line->thread, line->time);
  json_text_member(&t->json, "s", "t");
  put_kind(t, line->kind);
  put_args(e, line->object, 0, stack);
  if (!end_args(t)) return false;
  return !wakes_start(&e->wakes, line, &signal) ||
         trace_arrow(t, "starts", signal.thread, signal.time, line->thread, line->time);
}

static bool put_other(struct events *e, const struct event_line *line, stack_id_t stack) {
  if (event_infos[line->kind].role != ROLE_POINT) return true;
  return event_infos[line->kind].group == GROUP_METHOD ? put_call(e, line, stack)
                                                       : put_point(e, line, stack);
}

/* --- the whole --------------------------------------------------------------------------- */

static bool read_event(struct events *e, const struct event_line *line) {
  const struct dump *d = e->trace->job->dump;
  stack_id_t stack;
  bool left;
  ticks_t held;
  return stacks_intern(&e->stacks, d, line->stack, &stack) && put_other(e, line, stack) &&
         wakes_event(&e->wakes, line) && read_pair(e, line, stack) &&
         holders_event(&e->holders, d, line, stack, &left, &held);
}

static bool read_events(struct events *e) {
  struct stream *s = dump_stream(e->trace->job->dump, DUMP_EVENTS);
  struct event_line line;
  bool good = true;
  while (good && stream_event(s, &line)) good = read_event(e, &line);
  stream_close(s);
  return good && put_open_pairs(e);
}

static bool put_events(struct trace *t) {
  const struct dump *d = t->job->dump;
  struct events e = {.trace = t, .lossy = dump_is_lossy(d)};
  e.pairs.depth = e.lossy ? 0 : dump_depth(d);
  holders_start(&e.holders, d);
  bool good = read_events(&e);
  pairs_free(&e.pairs);
  holders_free(&e.holders);
  stacks_free(&e.stacks);
  wakes_free(&e.wakes);
  hashmap_free(&e.asking);
  return good;
}

bool export_perfetto(const struct export_job *job) {
  struct trace t = {.job = job, .json = {.out = &job->out->text}};
  json_begin_object(&t.json);
  json_text_member(&t.json, "displayTimeUnit", "ns");
  json_key(&t.json, "traceEvents");
  json_begin_array(&t.json);
  bool good = trace_names(&t) && put_events(&t) && perfetto_states(&t);
  json_end_array(&t.json);
  json_end_object(&t.json);
  builder_char(&job->out->text, '\n');
  builder_free(&t.text);
  return good;
}
