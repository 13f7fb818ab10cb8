#include "tools/orca/causal/path/path_clock.h"

#include <stdlib.h>

#include "agent/base/text.h"
#include "tools/orca/model/base/grow.h"

/* --- loops ----------------------------------------------------------------------------------- */

struct loop {
  uint32_t method, from, to;
};

struct loops {
  struct loop *rows;
  size_t num, capacity;
};

/* "00000063;0000005B;00000070" */
static bool read_loop(struct span text, struct loop *out) {
  uint32_t *parts[] = {&out->method, &out->from, &out->to};
  struct span part;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!span_cut(&text, ';', &part) || !text_parse_hash(part, parts[i])) return false;
  }
  return text.data == NULL;
}

static bool read_loops(struct loops *l, const struct dump *d) {
  struct span rest = {NULL, 0}, text;
  struct loop loop;
  if (!dump_info(d, INFO_CLOCK_LOOPS, &rest)) return true;
  while (span_cut(&rest, ',', &text)) {
    if (!read_loop(text, &loop)) continue;
    struct loop *rows = grow(l->rows, l->num, &l->capacity, sizeof *rows);
    if (rows == NULL) return false;
    l->rows = rows;
    rows[l->num++] = loop;
  }
  return true;
}

static bool has_frame(const struct loops *l, struct frame frame) {
  for (size_t i = 0; i < l->num; i++) {
    const struct loop *loop = &l->rows[i];
    bool is_in = frame.location >= loop->from && frame.location <= loop->to;
    if (frame.method == loop->method && is_in) return true;
  }
  return false;
}

static bool is_in_loop(const struct loops *l, const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    if (has_frame(l, frames[i])) return true;
  }
  return false;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* How often a thread was seen, in samples and in calls, and how often of that in a loop. */
struct seen {
  uint64_t all, in_loop;
};

static void add_stack(struct seen *s, const struct loops *l, const struct model *m,
                      stack_id_t stack) {
  if (stack == 0) return;
  s->all++;
  s->in_loop += is_in_loop(l, m, stack);
}

static double sum_in_loops(const struct path *p, const struct seen *seen) {
  double sum = 0;
  for (size_t i = 0; i < p->num_pieces; i++) {
    const struct path_piece *piece = &p->pieces[i];
    const struct seen *s = &seen[piece->thread];
    if (s->all == 0) continue;
    sum += (double)(piece->end - piece->begin) * (double)s->in_loop / (double)s->all;
  }
  return sum;
}

static ticks_t get_length(const struct path *p) {
  ticks_t sum = 0;
  for (size_t i = 0; i < p->num_pieces; i++) sum += p->pieces[i].end - p->pieces[i].begin;
  return sum;
}

bool path_is_timed(const struct path *p, bool *out) {
  const struct trace *t = p->trace;
  struct loops loops = {0};
  struct seen *seen = calloc(t->num_threads + 1, sizeof *seen);
  bool good = seen != NULL && read_loops(&loops, t->model->dump);
  *out = false;
  if (good && loops.num > 0) {
    for (size_t i = 0; i < t->num_samples; i++) {
      const struct trace_sample *sample = &t->samples[i];
      add_stack(&seen[sample->thread], &loops, t->model, sample->stack);
    }
    for (size_t i = 0; i < t->num_ops; i++) {
      add_stack(&seen[t->ops[i].thread], &loops, t->model, t->ops[i].stack);
    }
    *out = sum_in_loops(p, seen) > (double)get_length(p) / 2;
  }
  free(loops.rows);
  free(seen);
  return good;
}
