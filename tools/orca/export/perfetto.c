/* A trace for ui.perfetto.dev and chrome://tracing:
   - a row for each thread, with a slice for each pair of events and each call of a method, and an
     instant for each other event
   - a counter for each lock: the threads that ask for it
   - arrows from the owner of a lock to the blocked thread, and from a waker to the woken thread
   The trace is written while the dump is read again, so memory depends only on the number of
   threads, objects and stacks. */
#include "agent/event/meaning.h"
#include "tools/orca/export/perfetto_calls.h"
#include "tools/orca/export/perfetto_states.h"
#include "tools/orca/export/trace.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/machine.h"
#include "tools/orca/model/state/wakes.h"

struct perfetto {
  struct trace trace;
  const struct matcher *matcher;
  bool lossy, open; /* open: the filter's time has begun */
  struct wakes wakes;
  struct wake wake;      /* the wake-up of the current event */
  struct hashmap asking; /* lock -> number of threads that ask for it now */
  struct perfetto_calls calls;
  struct perfetto_states states;
};

static void put_args(struct trace *t, uint32_t object, uint32_t owner, stack_id_t stack) {
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  trace_put_object(t, "object", object);
  trace_put_thread(t, "owner", owner);
  trace_put_place(t, "at", stacks_place(&t->job->model->stacks, stack));
}

static bool end_args(struct trace *t) {
  json_end_object(&t->json);
  return trace_end(t);
}

static void put_kind(struct trace *t, enum event_kind kind) {
  json_text_member(&t->json, "name", event_infos[kind].name);
  json_text_member(&t->json, "cat", group_infos[event_infos[kind].group].name);
}

/* --- arrows ------------------------------------------------------------------------ */

/* An instant in the row of a thread: "woken by main". */
static bool put_moment(struct trace *t, uint32_t thread, ticks_t time, const char *what,
                       uint32_t by) {
  trace_begin(t, "i", TRACE_THREADS, thread, time);
  json_text_member(&t->json, "s", "t");
  builder_string(&t->text, what);
  names_thread(&t->text, &t->job->model->threads, by);
  trace_put_text(t, "name");
  json_text_member(&t->json, "cat", "arrow");
  return trace_end(t);
}

/* The arrow starts at an instant that is added for it, because the owner may be in no call then. */
static bool put_owner_arrow(struct perfetto *p, const struct pair *pair) {
  if (pair->owner == 0 || pair->owner == pair->thread) return true;
  if (!matcher_has_time(p->matcher, pair->begin)) return true;
  return put_moment(&p->trace, pair->owner, pair->begin, "blocks ", pair->thread) &&
         trace_arrow(&p->trace, "blocks", pair->owner, pair->begin, pair->thread, pair->begin);
}

/* With a filter the event where the arrow starts may be left out. Then an instant is added for it.
 */
static bool put_wake(struct perfetto *p, const char *name, const char *moment, uint32_t thread,
                     ticks_t time) {
  const struct wake_signal *signal = &p->wake.by;
  if (!matcher_has_time(p->matcher, signal->time)) return true;
  return (!p->matcher->active ||
          put_moment(&p->trace, signal->thread, signal->time, moment, thread)) &&
         trace_arrow(&p->trace, name, signal->thread, signal->time, thread, time);
}

static bool put_woken(struct perfetto *p, const struct step *step) {
  const struct pair *pair = step->pair;
  if (!p->wake.woken || !step->matches || !matcher_has_time(p->matcher, pair->end)) return true;
  return put_moment(&p->trace, pair->thread, pair->end, "woken by ", p->wake.by.thread) &&
         put_wake(p, "wakes", "wakes ", pair->thread, pair->end);
}

/* --- pairs ------------------------------------------------------------------------- */

static bool put_slice(struct trace *t, const struct pair *pair, bool over) {
  trace_begin(t, "X", TRACE_THREADS, pair->thread, pair->begin);
  trace_put_duration(t, pair->begin, pair->end);
  put_kind(t, pair->kind);
  put_args(t, pair->object, pair->owner, pair->stack);
  if (pair->failed) {
    json_key(&t->json, "failed");
    json_boolean(&t->json, true);
  }
  if (!over) {
    json_key(&t->json, "unfinished");
    json_boolean(&t->json, true);
  }
  return end_args(t);
}

static bool put_pair(struct perfetto *p, const struct step *step) {
  struct pair pair = *step->pair;
  bool over = step->event != NULL;
  if (step->matches && matcher_clip_pair(p->matcher, &pair)) {
    if (!put_slice(&p->trace, &pair, over) || !put_owner_arrow(p, step->pair)) return false;
  }
  return !over || put_woken(p, step);
}

/* --- counters of locks -------------------------------------------------------------- */

static bool put_asking(struct trace *t, uint32_t lock, uint64_t threads, ticks_t time) {
  trace_begin(t, "C", TRACE_THREADS, 0, time);
  builder_string(&t->text, "asking for ");
  trace_put_object(t, "name", lock);
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  json_unsigned_member(&t->json, "threads", threads);
  return end_args(t);
}

/* If events were dropped, the number of threads that ask for a lock is not known. */
static bool count_asking(struct perfetto *p, const struct step *step) {
  const struct event_line *line = step->event;
  bool is_begin = event_infos[line->kind].role == ROLE_BEGIN;
  if (!is_begin && step->pair == NULL) return true;
  enum event_kind begin = is_begin ? line->kind : step->pair->kind;
  if (p->lossy || !step->matches || !lock_event_asks(begin)) return true;
  uint64_t *asking = hashmap_at(&p->asking, line->object);
  if (asking == NULL) return false;
  *asking += is_begin ? 1 : UINT64_MAX; /* UINT64_MAX: minus 1 */
  return !matcher_has_time(p->matcher, line->time) ||
         put_asking(&p->trace, line->object, *asking, line->time);
}

/* --- the process ------------------------------------------------------------------------- */

/* In longer recordings adjacent spells are merged, and the shortest pauses are left out. */
#define MAX_SPELLS 100000
#define MAX_PAUSES 100000

#define PAUSES_ROW 1 /* the one row of the group */

/* The number of busy CPUs, with three decimals. */
static void put_busy_cpus(struct trace *t, const char *key, uint64_t ns, ticks_t length) {
  json_key(&t->json, key);
  json_decimal(&t->json, (int64_t)((double)ns * TICKS_PER_NS * 1000 / (double)length), 3);
}

/* A counter's value holds until its next value, that is from the begin of a spell to the next one.
 */
static bool put_spell(struct trace *t, const struct machine_spell *spell) {
  ticks_t length = spell->end - spell->begin;
  if (length == 0) return true;
  trace_begin(t, "C", TRACE_PROCESS, 0, spell->begin);
  json_text_member(&t->json, "name", "CPUs busy");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  put_busy_cpus(t, "JIT compiler", spell->jit_ns, length);
  put_busy_cpus(t, "garbage collector", spell->gc_ns, length);
  put_busy_cpus(t, "whole process", spell->process_ns, length);
  json_end_object(&t->json);
  return trace_end(t);
}

/* A slice for each pause of the garbage collector, and counters of the CPUs that the JIT compiler,
   the garbage collector and all threads used. Writes nothing if the recording does not contain
   them. */
static bool put_process(struct trace *t) {
  struct machine_times times;
  bool is_good = machine_times_read(&times, t->job->model, MAX_SPELLS, MAX_PAUSES);
  for (size_t i = 0; i < times.num && is_good; i++) is_good = put_spell(t, &times.spells[i]);
  for (size_t i = 0; i < times.pauses.num && is_good; i++) {
    const struct pair *pause = &times.pauses.rows[i];
    trace_begin(t, "X", TRACE_PROCESS, PAUSES_ROW, pause->begin);
    trace_put_duration(t, pause->begin, pause->end);
    json_text_member(&t->json, "name", "GC pause");
    json_text_member(&t->json, "cat", "pause");
    is_good = trace_end(t);
  }
  machine_times_free(&times);
  return is_good;
}

/* --- the trace --------------------------------------------------------------------------- */

static bool put_point(struct perfetto *p, const struct step *step) {
  const struct event_line *line = step->event;
  struct trace *t = &p->trace;
  if (event_is_of_pair(line->kind) || event_infos[line->kind].group == GROUP_METHOD) return true;
  if (!step->matches || !matcher_has_time(p->matcher, line->time)) return true;
  trace_begin(t, "i", TRACE_THREADS, line->thread, line->time);
  json_text_member(&t->json, "s", "t");
  put_kind(t, line->kind);
  put_args(t, line->object, 0, step->stack);
  bool is_task = event_has(line->kind, TRAIT_NAMES_TASK);
  return end_args(t) && (!p->wake.woken || put_wake(p, is_task ? "task" : "starts",
                                                    is_task ? "gives a task to " : "starts ",
                                                    line->thread, line->time));
}

/* Writes the counters and calls that are open at the start of the filter's time. */
static bool put_open_state(struct perfetto *p) {
  struct hashmap_slot lock;
  p->open = true;
  for (size_t cursor = 0; hashmap_next(&p->asking, &cursor, &lock);) {
    if (lock.value == 0) continue;
    if (!put_asking(&p->trace, (uint32_t)lock.key, lock.value, p->matcher->filter.from)) {
      return false;
    }
  }
  return perfetto_calls_open(&p->calls);
}

static bool take_step(void *to, const struct step *step) {
  struct perfetto *p = to;
  if (!p->open && step->time >= p->matcher->filter.from && !put_open_state(p)) return false;
  bool is_open_pair = step->event == NULL && step->sample == NULL;
  if (!is_open_pair && !perfetto_states_take(&p->states, step)) return false;
  if (step->event != NULL) {
    return wakes_event(&p->wakes, step->event, 0, &p->wake) && put_point(p, step) &&
           (step->pair == NULL || put_pair(p, step)) && count_asking(p, step) &&
           perfetto_calls_take(&p->calls, step);
  }
  return !is_open_pair || put_pair(p, step);
}

static bool put_all(struct perfetto *p) {
  wakes_start(&p->wakes, p->trace.job->dump);
  p->calls.trace = &p->trace;
  perfetto_states_start(&p->states, &p->trace);
  bool is_good = trace_names(&p->trace) &&
                 replay(p->trace.job->model, REPLAY_LINES, take_step, p) &&
                 perfetto_states_end(&p->states) && put_process(&p->trace);
  wakes_free(&p->wakes);
  hashmap_free(&p->asking);
  perfetto_calls_free(&p->calls);
  perfetto_states_free(&p->states);
  return is_good;
}

bool export_perfetto(const struct export_job *job) {
  struct perfetto p = {.trace = {.job = job, .json = {.out = &job->out->text}},
                       .matcher = &job->model->matcher,
                       .lossy = coverage_is_lossy(dump_coverage(job->dump))};
  struct json *json = &p.trace.json;
  json_begin_object(json);
  json_text_member(json, "displayTimeUnit", "ns");
  json_key(json, "otherData");
  json_begin_object(json);
  recording_put_sampler(&p.trace.text, &job->model->recording);
  trace_put_text(&p.trace, "sampler");
  struct span command;
  if (dump_info(job->dump, INFO_COMMAND, &command) && command.len > 0) {
    text_plain(&p.trace.text, command);
    trace_put_text(&p.trace, "command");
  }
  json_end_object(json);
  json_key(json, "traceEvents");
  json_begin_array(json);
  bool is_good = put_all(&p);
  json_end_array(json);
  json_end_object(json);
  builder_char(&job->out->text, '\n');
  builder_free(&p.trace.text);
  return is_good;
}
