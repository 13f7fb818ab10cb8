/* The sentences about quiet time, in which no thread did anything, and about threads that stand. */
#include <stdlib.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/stall_words.h"

#define SHOWN 3          /* rows that a sentence names */
#define QUIET_PERCENT 50 /* of the recording: then it is a quiet program */
#define PAUSE_PERCENT 25 /* of the recording: then quiet time is one of the reasons */
#define STOOD_PERCENT 10 /* of the recording */
#define AT_ONCE_PERCENT 10

/* Did all threads of a row wait at the same time, for long? */
static bool waited_at_once(const struct model *m, const struct spending_row *row) {
  size_t num = view_num_threads(&m->spending.threads, row->id);
  ticks_t time = spending_at_once(&m->spending, row, num);
  return time * 100 >= recording_time(&m->recording) * AT_ONCE_PERCENT && time > 0;
}

/* --- quiet time ----------------------------------------------------------------------------- */

/* "main slept 2.98 s at Idle.rest (Idle.java:15)" */
static void put_quiet_row(struct builder *b, const struct model *m,
                          const struct spending_row *row) {
  const struct tally *threads = &m->spending.threads;
  view_main_threads(b, m, threads, row->id);
  const char *verb = row->activity == ACTIVITY_SLEEPS ? "slept" : "waited";
  if (row->activity == ACTIVITY_PARKED) verb = "was parked";
  bool are_several = view_num_threads(threads, row->id) > 1;
  if (are_several && row->activity == ACTIVITY_PARKED) verb = "were parked";
  builder_format(b, " %s %s%s", verb, UNIT_TICKS(row->total), are_several ? " in total" : "");
  view_put_call(b, m, row->call, row->stack);
  if (row->place != 0) view_put_at(b, m, row->place);
  if (waited_at_once(m, row)) view_put_pool_note(b, m, threads, row->id, row->call);
}

static int compare_quiet(const void *left, const void *right) {
  const struct spending_row *const *a = left, *const *b = right;
  int calls = view_compare_calls((*a)->call, (*b)->call);
  if (calls != 0) return calls;
  if ((*a)->quiet != (*b)->quiet) return (*a)->quiet < (*b)->quiet ? 1 : -1;
  return (*a)->id < (*b)->id ? -1 : 1;
}

/* Returns the rows with quiet time, the largest first; their number is at most SHOWN. */
static size_t find_quiet_rows(const struct spending *s, const struct spending_row *out[SHOWN + 1]) {
  size_t num = 0;
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    bool rests = row->activity == ACTIVITY_WAITS || row->activity == ACTIVITY_SLEEPS ||
                 row->activity == ACTIVITY_PARKED;
    /* Short rests are left out, so that the sentence names what matters. */
    if (!rests || row->is_idle || row->quiet < s->quiet / 10) continue;
    out[num++] = row;
    qsort(out, num, sizeof *out, compare_quiet);
    if (num > SHOWN) num = SHOWN;
  }
  return num;
}

static void say_quiet(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending_row *rows[SHOWN + 1];
  struct builder s = {0};
  size_t num = find_quiet_rows(&m->spending, rows);
  builder_format(&s, "The program was idle for %s of %s", UNIT_TICKS(m->spending.quiet),
                 UNIT_TICKS(recording_time(&m->recording)));
  if (num == 0) builder_string(&s, ": its threads waited for work");
  for (size_t i = 0; i < num; i++) {
    builder_string(&s, i == 0 ? ": " : "; ");
    put_quiet_row(&s, m, rows[i]);
  }
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

/* With patterns the threads that do something may be left out. */
static bool has_all_threads(const struct model *m) {
  return !filter_has_patterns(&m->matcher.filter);
}

bool view_is_quiet(const struct model *m) {
  return has_all_threads(m) &&
         m->spending.quiet * 100 >= recording_time(&m->recording) * QUIET_PERCENT &&
         m->spending.quiet > 0;
}

void view_quiet_verdict(struct builder *b, const struct model *m, const struct style *style) {
  if (!has_all_threads(m)) return;
  if (view_standstill_verdict(b, m, style)) return;
  if (view_is_quiet(m)) say_quiet(b, m, style);
}

ticks_t view_pause_time(const struct model *m) {
  const struct spending_row *rows[SHOWN + 1];
  bool is_told = !has_all_threads(m) || view_is_quiet(m) || view_is_still(m);
  bool matters = m->spending.quiet * 100 >= recording_time(&m->recording) * PAUSE_PERCENT;
  return !is_told && matters && find_quiet_rows(&m->spending, rows) > 0 ? m->spending.quiet : 0;
}

void view_pause_verdict(struct builder *b, const struct model *m, const struct style *style) {
  if (view_pause_time(m) > 0) say_quiet(b, m, style);
}

/* --- threads that stand ----------------------------------------------------------------------- */

/* The JVM calls a thread runnable while it waits for another thread to initialize a class. The
   kernel knows that such a thread neither used a CPU nor waited for one. Returns how long the
   threads of the row stood at least; 0: it does not matter, or is not certain. */
static ticks_t find_stood_time(const struct model *m, const struct spending_row *row) {
  ticks_t waited = row == NULL ? 0 : view_cpu_wait(m, row->id);
  if (row == NULL || !m->process.wait_known || waited >= row->total / 2) return 0;
  ticks_t stood = row->total - waited;
  return stood * 100 >= recording_time(&m->recording) * STOOD_PERCENT ? stood : 0;
}

ticks_t view_stood_time(const struct model *m) {
  return find_stood_time(m, spending_largest(&m->spending, ACTIVITY_RUNNABLE));
}

/* Returns the class whose static initializer is on the stack; 0: none. */
static uint32_t find_initialized(const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *method = dump_method(m->dump, frames[i].method);
    if (method != NULL && span_is(method->name, "<clinit>")) return method->class_id;
  }
  return 0;
}

/* Another thread that was in a static initializer for most of that time. */
static void put_initializer(struct builder *b, const struct model *m,
                            const struct spending_row *stood) {
  const struct spending *s = &m->spending;
  ticks_t each = stood->total / view_num_threads(&s->threads, stood->id);
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    uint32_t class_id = row == stood ? 0 : find_initialized(m, row->stack);
    if (class_id == 0 || spending_overlap(stood, row) < each / 2) continue;
    builder_string(b, ". Meanwhile ");
    view_main_threads(b, m, &s->threads, row->id);
    builder_format(b, " was in the static initializer of ");
    names_class(b, m->dump, class_id);
    if (row->place != 0) view_put_at(b, m, row->place);
    builder_format(b, " for %s: a thread that needs the class waits for that",
                   UNIT_TICKS(row->total));
    return;
  }
}

void view_stood_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending_row *row = spending_largest(&m->spending, ACTIVITY_RUNNABLE);
  ticks_t time = find_stood_time(m, row);
  if (time == 0) return;
  struct builder text = {0};
  view_main_threads(&text, m, &m->spending.threads, row->id);
  builder_format(&text, " stood for %s%s", UNIT_TICKS(time),
                 view_num_threads(&m->spending.threads, row->id) > 1 ? " in total" : "");
  if (row->place != 0) view_put_at(&text, m, row->place);
  builder_string(&text, ", without using a CPU or waiting for one");
  put_initializer(&text, m, row);
  builder_char(&text, '.');
  view_put_sentence(b, style, &text);
}
