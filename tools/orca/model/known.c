#include "tools/orca/model/known.h"

#include <stdlib.h>

#include "tools/orca/model/base/sorting.h"

/* A row matters if its time is this part of all time of its value, */
#define LEAST_OF_VALUE 20
/* and, if threads wait, this part of the recording. */
#define LEAST_OF_TIME 100

const struct known knowns[] = {
#define KNOWN(class_end, method, value, why, advice, source) \
  {class_end, method, PROFILE_##value, why, advice, source},
#include "tools/orca/model/known.def"
};
const size_t num_knowns = sizeof knowns / sizeof *knowns;

static bool is_method(const struct dump *d, uint32_t id, const struct known *k) {
  const struct method_line *method = dump_method(d, id);
  const struct class_line *class = method == NULL ? NULL : dump_class(d, method->class_id);
  if (class == NULL || !place_is_class(class->signature, k->class_end)) return false;
  return span_is((struct span){k->method, strlen(k->method)}, "*") ||
         span_is(method->name, k->method);
}

/* Returns the method of the stack that the row is about; 0: none. A method of the JDK that called
   code of the program is not slow for what that code does: the function of a computeIfAbsent may
   sleep. */
static uint32_t find_in_stack(const struct model *m, stack_id_t stack, const struct known *k) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  bool is_in_program = false;
  for (size_t i = 0; i < depth; i++) {
    uint32_t method = frames[i].method;
    bool is_platform = place_is_platform(m->dump, method);
    if (is_method(m->dump, method, k)) return is_platform && is_in_program ? 0 : method;
    is_in_program |= !is_platform;
  }
  return 0;
}

static ticks_t value_of(const struct profile_row *row, enum profile_value value) {
  ticks_t waits = value == PROFILE_BLOCKED ? row->costs[PROFILE_WAITS].time : 0;
  return row->costs[value].time + waits;
}

static void add_row(const struct model *m, const struct profile_row *row, struct known_found *f,
                    uint32_t *last_thread) {
  ticks_t time = value_of(row, f->known->value);
  uint32_t method = time == 0 ? 0 : find_in_stack(m, row->stack, f->known);
  if (method == 0) return;
  if (f->method == 0) f->method = method;
  if (f->threads == 0 || *last_thread != row->thread) f->threads++; /* sorted by thread */
  *last_thread = row->thread;
  f->time += time;
}

/* Threads that wait for work would make the whole of the waits too large. */
static ticks_t whole_of(const struct model *m, enum profile_value value) {
  ticks_t whole = 0;
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    if (value == PROFILE_CPU || !spending_is_idle(&m->spending, row->stack)) {
      whole += value_of(row, value);
    }
  }
  return whole;
}

static bool matters(const struct model *m, const struct known_found *f) {
  bool is_long =
      f->known->value == PROFILE_CPU || f->time >= recording_time(&m->recording) / LEAST_OF_TIME;
  return f->threads >= 2 && is_long && f->time >= f->whole / LEAST_OF_VALUE && f->time > 0;
}

static int compare_found(const void *left, const void *right) {
  const struct known_found *a = left, *b = right;
  return a->time != b->time ? compare_numbers(b->time, a->time)
                            : compare_numbers((uintptr_t)a->known, (uintptr_t)b->known);
}

size_t known_find(const struct model *m, struct known_found *out) {
  ticks_t wholes[NUM_PROFILE_VALUES] = {
      [PROFILE_CPU] = whole_of(m, PROFILE_CPU), [PROFILE_BLOCKED] = whole_of(m, PROFILE_BLOCKED)};
  size_t num = 0;
  for (size_t k = 0; k < num_knowns && num < KNOWN_MOST; k++) {
    struct known_found f = {.known = &knowns[k], .whole = wholes[knowns[k].value]};
    uint32_t last_thread = 0;
    for (size_t i = 0; i < m->profile.num; i++) add_row(m, &m->profile.rows[i], &f, &last_thread);
    if (matters(m, &f)) out[num++] = f;
  }
  qsort(out, num, sizeof *out, compare_found);
  return num;
}
