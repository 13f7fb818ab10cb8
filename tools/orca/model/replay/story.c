#include "tools/orca/model/replay/story.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

#define NESTED 8 /* calls of one thread that are under way, one inside of the other */

struct story_thread {
  unsigned num;
  enum event_kind nested[NESTED];
};

const char *story_state_name(unsigned state) {
  if (state < NUM_TIMELINE_STATES) return timeline_state_names[state];
  return state == STORY_NEW ? "new" : state == STORY_ENDED ? "ended" : NULL;
}

void story_start(struct story *s, struct dump *d, const struct filter *filter) {
  *s = (struct story){.dump = d};
  matcher_start(&s->matcher, filter, d);
  s->pairs.depth = dump_is_lossy(d) ? 0 : dump_depth(d);
  holders_start(&s->holders, d);
  wakes_start(&s->wakes, d);
}

/* --- states ------------------------------------------------------------------------------ */

static struct story_thread *row_of(struct story *s, uint32_t thread) {
  return rows_at(&s->states, thread, &s->rows, &s->num, &s->capacity, sizeof *s->rows, NULL);
}

static unsigned state_of(const struct story_thread *row) {
  return row->num == 0 ? TIMELINE_RUNS : timeline_state_of(row->nested[row->num - 1]);
}

static void end_call(struct story_thread *row, enum event_kind begin) {
  unsigned at = row->num;
  while (at > 0 && row->nested[at - 1] != begin) at--;
  if (at > 0) row->num = at - 1;
}

static void begin_call(struct story_thread *row, enum event_kind begin) {
  if (row->num == NESTED) row->num = 0; /* their ends are lost */
  row->nested[row->num++] = begin;
}

static bool tell_states(struct story *s, struct story_event *e) {
  const struct event_line *line = e->line;
  struct story_thread *row = row_of(s, line->thread);
  if (row == NULL) return false;
  bool begins = event_infos[line->kind].role == ROLE_BEGIN, ends = event_ends(line->kind);
  bool starts = line->kind == EVENT_THREAD_STARTED, dies = line->kind == EVENT_THREAD_ENDED;
  e->before = e->after = STORY_NONE;
  if (!begins && !ends && !starts && !dies) return true;
  e->before = starts ? (unsigned)STORY_NEW : state_of(row);
  if (begins) begin_call(row, line->kind);
  if (ends) end_call(row, event_begin(line->kind));
  if (starts || dies) row->num = 0;
  e->after = dies ? (unsigned)STORY_ENDED : state_of(row);
  return true;
}

/* --- events -------------------------------------------------------------------------------- */

/* Calls of a method are told apart by their stack. */
static bool tell_method(struct story *s, struct story_event *e, stack_id_t stack) {
  const struct event_line *line = e->line;
  bool enters = line->kind == EVENT_METHOD_ENTRY;
  size_t depth;
  if (!enters && line->kind != EVENT_METHOD_EXIT) return true;
  const struct frame *frames = stacks_frames(&s->stacks, stack, &depth);
  uint64_t *began = hashmap_at(&s->calls, (uint64_t)line->thread << 32 | stack);
  if (began == NULL) return false;
  e->method = depth == 0 ? 0 : frames[0].method;
  e->ends_pair = !enters && *began != 0;
  if (e->ends_pair) e->took = line->time - *began;
  *began = enters ? line->time : 0;
  return true;
}

static bool tell_pair(struct story *s, struct story_event *e) {
  struct event_line owned = *e->line;
  struct pair pair;
  struct wake wake;
  if (!wakes_event(&s->wakes, e->line, 0, &wake)) return false;
  owned.owner = e->owner = holders_owner(&s->holders, e->line);
  enum pairs_answer answer = pairs_feed(&s->pairs, &owned, 0, &pair);
  e->ends_pair = answer == PAIRS_DONE;
  if (!e->ends_pair) return answer != PAIRS_NO_MEMORY;
  e->took = pair.end - pair.begin;
  e->woken_by = wake.woken ? wake.by.thread : 0;
  return true;
}

static bool needs_stack(const struct story *s, const struct event_line *line) {
  return event_infos[line->kind].group == GROUP_METHOD || matcher_needs_stacks(&s->matcher);
}

static bool tell(struct story *s, struct story_event *e, stack_id_t *out_stack) {
  const struct event_line *line = e->line;
  bool left;
  ticks_t held;
  *out_stack = 0;
  if (needs_stack(s, line) && !stacks_intern_event(&s->stacks, s->dump, line, out_stack)) {
    return false;
  }
  return threads_event(&s->threads, line, true) && tell_states(s, e) && tell_pair(s, e) &&
         tell_method(s, e, *out_stack) &&
         holders_event(&s->holders, s->dump, line, 0, &left, &held);
}

bool story_tell(struct story *s, bool (*take)(void *to, const struct story_event *e), void *to) {
  struct stream *stream = dump_stream(s->dump, DUMP_EVENTS);
  struct event_line line;
  bool good = true, more = true;
  while (good && more && stream_event(stream, &line)) {
    struct story_event e = {.line = &line};
    stack_id_t stack;
    if (line.time > s->matcher.filter.to) break;
    s->num_events++;
    good = tell(s, &e, &stack);
    bool meant = good && matcher_event(&s->matcher, &s->stacks, &line, stack);
    if (!meant || !matcher_has_time(&s->matcher, line.time)) continue;
    s->num_shown++;
    more = take(to, &e);
  }
  stream_close(stream);
  return good && !s->matcher.failed;
}

void story_free(struct story *s) {
  matcher_free(&s->matcher);
  threads_free(&s->threads);
  stacks_free(&s->stacks);
  pairs_free(&s->pairs);
  holders_free(&s->holders);
  wakes_free(&s->wakes);
  hashmap_free(&s->calls);
  hashmap_free(&s->states);
  free(s->rows);
  *s = (struct story){0};
}
