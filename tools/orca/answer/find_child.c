/* Threads that wait for the end of a child process. */
#include "tools/orca/answer/find.h"

#define LEAST_PERCENT 25 /* of the recording: the wait, and those of others meanwhile */

bool waits_for_child(const struct model *m, stack_id_t stack) {
  static const char *const classes[] = {"java/lang/Process", "java/lang/ProcessImpl",
                                        "java/lang/UNIXProcess"};
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth && place_is_platform(m->dump, frames[i].method); i++) {
    const struct method_line *method = dump_method(m->dump, frames[i].method);
    const struct class_line *class = method == NULL ? NULL : dump_class(m->dump, method->class_id);
    if (class == NULL || !span_is(method->name, "waitFor")) continue;
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
      if (place_is_class(class->signature, classes[k])) return true;
    }
  }
  return false;
}

static bool is_long(const struct model *m, const struct spending_row *row) {
  return row->total * 100 >= recording_time(&m->recording) * LEAST_PERCENT;
}

/* The row with most time, which is first. */
static const struct spending_row *find_wait(const struct model *m) {
  const struct spending *s = &m->spending;
  for (size_t i = 0; i < s->num && is_long(m, &s->rows[i]); i++) {
    const struct spending_row *row = &s->rows[i];
    if (row->activity == ACTIVITY_WAITS && waits_for_child(m, row->stack)) return row;
  }
  return NULL;
}

/* Adds the threads that still wait so when the recording ends, and for how long they have. */
static bool add_open(const struct model *m, place_t place, struct tally *out, ticks_t *out_time) {
  struct pair pair;
  bool matches, good = true;
  for (size_t cursor = 0; good && model_next_open(m, &cursor, &pair, &matches);) {
    bool counts =
        matches && stacks_place(&m->stacks, pair.stack) == place && waits_for_child(m, pair.stack);
    ticks_t time = pair.end - pair.begin;
    if (counts) *out_time += time;
    if (counts) good = tally_add(out, 0, pair.thread, 1, time);
  }
  tally_sort(out);
  return good;
}

/* Threads that waited for a result or for the end of a thread meanwhile. */
static const struct spending_row *find_other_wait(const struct model *m,
                                                  const struct spending_row *child) {
  const struct spending *s = &m->spending;
  for (size_t i = 0; i < s->num && is_long(m, &s->rows[i]); i++) {
    const struct spending_row *row = &s->rows[i];
    enum event_kind call = row->call < 0 ? NUM_EVENTS : (enum event_kind)row->call;
    bool is_result =
        call != NUM_EVENTS && (event_infos[call].group == GROUP_FUTURE || event_joins(call));
    if (is_result && !row->is_idle && spending_overlap(row, child) * 2 >= row->total) return row;
  }
  return NULL;
}

static void add_rest(const struct finder *f, const struct spending_row *row,
                     struct found_rows *out) {
  struct found_rest *rest = row == NULL ? NULL : FINDINGS_PART(f->out, out, rest);
  if (rest != NULL) *rest = find_rest(f, row);
}

/* Waits that have not ended say more. */
static void add_wait(const struct finder *f, const struct spending_row *row,
                     struct found_child *out) {
  struct tally open = {0};
  ticks_t time = 0;
  add_rest(f, row, &out->waits);
  f->out->failed |= !add_open(f->m, row->place, &open, &time);
  struct found_rest *rest = out->waits.rows;
  if (rest != NULL && time > 0 && time * 2 >= row->total) {
    rest->threads = name_threads(f, &open, 0);
    rest->num_threads = out->open = count_threads(&open, 0);
    rest->total = found_ns(time);
  }
  tally_free(&open);
}

void find_child(const struct finder *f) {
  const struct spending_row *row = find_wait(f->m);
  struct found_child out = {0};
  if (row == NULL || filter_has_patterns(&f->m->matcher.filter)) return;
  add_wait(f, row, &out);
  add_rest(f, find_other_wait(f->m, row), &out.others);
  FINDINGS_ADD(f->out, child, row->total, &out);
}
