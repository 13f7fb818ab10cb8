/* What happened over time: the states of the threads, the process, and the critical path. */
#include <stdlib.h>

#include "tools/orca/causal/path/path.h"
#include "tools/orca/html/data.h"

/* --- states of threads ---------------------------------------------------------------------- */

static void put_states(struct data *d) {
  json_key(d->j, "states");
  json_begin_array(d->j);
  for (int state = 0; state < NUM_ACTIVITIES; state++) {
    json_begin_array(d->j);
    json_text(d->j, activity_names[state]);
    json_text(d->j, activity_meanings[state]);
    json_end_array(d->j);
  }
  json_end_array(d->j);
}

static void put_state_times(struct data *d, const struct timeline_mix *mix) {
  for (int state = 0; state < NUM_ACTIVITIES; state++) data_ticks(d, mix->times[state]);
}

/* `shown`: new numbers of calls. `mixes`: number of mixes of the rows before. */
static void put_timeline_row(struct data *d, const struct timeline_row *row, const uint32_t *shown,
                             size_t mixes) {
  json_begin_object(d->j);
  json_key(d->j, "thread");
  data_thread(d, row->thread);
  json_key(d->j, "sums");
  json_begin_array(d->j);
  put_state_times(d, &row->sum);
  json_end_array(d->j);
  json_key(d->j, "step");
  data_ticks(d, row->step);
  json_key(d->j, "spans");
  json_begin_array(d->j);
  /* Both ends are rounded to nanoseconds, so that adjacent spans are adjacent on the page. */
  ticks_t before = d->g->timeline.start / TICKS_PER_NS;
  for (size_t i = 0; i < row->num; i++) {
    const struct timeline_span *span = &row->spans[i];
    ticks_t begin = span->begin / TICKS_PER_NS, end = span->end / TICKS_PER_NS;
    json_unsigned(d->j, begin - before);
    json_unsigned(d->j, end - begin);
    json_unsigned(d->j, span->state);
    bool is_mixed = span->state == TIMELINE_MIXED;
    json_unsigned(d->j, is_mixed ? mixes + span->detail : shown[span->detail]);
    before = end;
  }
  json_end_array(d->j);
  json_end_object(d->j);
}

static void put_call(struct data *d, const struct life_call *call) {
  json_unsigned(d->j, call->kind);
  data_object(d, call->object);
  data_thread(d, call->owner);
  data_stack(d, call->stack);
}

static void put_arrow(struct data *d, const struct pair *pair) {
  data_thread(d, pair->thread);
  data_thread(d, pair->owner);
  data_time(d, pair->begin);
  data_ticks(d, pair->end - pair->begin);
  data_object(d, pair->object);
  data_stack(d, pair->stack);
}

/* Most calls of a busy thread are part of a step, where the page does not show them. Returns a new
   number for each `detail`, without gaps, in the order of the calls; 0: no span has it. The caller
   frees it. NULL: memory ran out. */
static uint32_t *number_shown_calls(const struct timeline *t) {
  uint32_t *shown = calloc(t->num_calls + 1, sizeof *shown);
  for (size_t i = 0; i < t->num && shown != NULL; i++) {
    for (size_t k = 0; k < t->rows[i].num; k++) {
      const struct timeline_span *span = &t->rows[i].spans[k];
      if (span->state != TIMELINE_MIXED && span->detail > 0) shown[span->detail] = 1;
    }
  }
  uint32_t num = 0;
  for (size_t i = 1; i <= t->num_calls && shown != NULL; i++) {
    if (shown[i] > 0) shown[i] = ++num;
  }
  return shown;
}

static void put_rows(struct data *d, const struct timeline *t, const uint32_t *shown) {
  size_t mixes = 0;
  json_key(d->j, "rows");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num; i++) {
    put_timeline_row(d, &t->rows[i], shown, mixes);
    mixes += t->rows[i].num_mixes;
  }
  json_end_array(d->j);
  json_key(d->j, "calls");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num_calls; i++) {
    if (shown[i + 1] > 0) put_call(d, &t->calls[i]);
  }
  json_end_array(d->j);
  json_key(d->j, "mixes");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num; i++) {
    const struct timeline_row *row = &t->rows[i];
    for (size_t k = 0; k < row->num_mixes; k++) put_state_times(d, &row->mixes[k]);
  }
  json_end_array(d->j);
}

void data_timeline(struct data *d) {
  const struct timeline *t = &d->g->timeline;
  const struct longest *arrows = &d->g->arrows;
  uint32_t *shown = number_shown_calls(t);
  d->failed |= shown == NULL;
  if (shown == NULL) return;
  json_key(d->j, "timeline");
  json_begin_object(d->j);
  put_states(d);
  put_rows(d, t, shown);
  free(shown);
  json_key(d->j, "arrows");
  json_begin_array(d->j);
  for (size_t i = 0; i < arrows->num; i++) put_arrow(d, &arrows->rows[i]);
  json_end_array(d->j);
  json_unsigned_member(d->j, "arrowsLeft", arrows->seen - arrows->num);
  json_unsigned_member(d->j, "left", t->left_out);
  json_end_object(d->j);
}

/* --- the process ---------------------------------------------------------------------------- */

static void put_owners(struct data *d) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  process_shares(&d->m->process, d->m->cpu.total_ns, shares);
  json_key(d->j, "owners");
  json_begin_array(d->j);
  for (int owner = 0; owner < NUM_PROCESS_OWNERS; owner++) {
    json_begin_array(d->j);
    json_text(d->j, process_owner_names[owner]);
    json_unsigned(d->j, shares[owner].cpu_ns);
    json_end_array(d->j);
  }
  json_end_array(d->j);
}

void data_process(struct data *d) {
  const struct machine_times *t = &d->g->machine;
  json_key(d->j, "process");
  if (!d->m->process.known) {
    json_null(d->j);
    return;
  }
  json_begin_object(d->j);
  put_owners(d);
  json_key(d->j, "spells");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num; i++) {
    data_time(d, t->spells[i].begin);
    data_ticks(d, t->spells[i].end - t->spells[i].begin);
    json_unsigned(d->j, t->spells[i].process_ns);
    json_unsigned(d->j, t->spells[i].jit_ns);
    json_unsigned(d->j, t->spells[i].gc_ns);
  }
  json_end_array(d->j);
  json_key(d->j, "pauses");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->pauses.num; i++) {
    data_time(d, t->pauses.rows[i].begin);
    data_ticks(d, t->pauses.rows[i].end - t->pauses.rows[i].begin);
  }
  json_end_array(d->j);
  json_unsigned_member(d->j, "pausesLeft", t->pauses.seen - t->pauses.num);
  json_end_object(d->j);
}

/* --- the critical path ---------------------------------------------------------------------- */

static void put_reasons(struct data *d) {
  json_key(d->j, "reasons");
  json_begin_array(d->j);
  for (int i = 0; i < NUM_PATH_REASONS; i++) json_text(d->j, path_reason_words[i]);
  json_end_array(d->j);
}

void data_path(struct data *d) {
  const struct bounds *b = &d->g->answer.bounds;
  json_key(d->j, "path");
  if (!b->known || b->num_stretches == 0) {
    json_null(d->j);
    return;
  }
  json_begin_object(d->j);
  put_reasons(d);
  json_key(d->j, "stretches");
  json_begin_array(d->j);
  for (size_t i = 0; i < b->num_stretches; i++) {
    const struct bounds_stretch *s = &b->stretches[i];
    data_time(d, s->begin);
    data_ticks(d, s->end - s->begin);
    data_thread(d, s->thread);
    json_integer(d->j, s->reason);
    data_object(d, s->lock);
    data_stack(d, s->stack);
  }
  json_end_array(d->j);
  json_key(d->j, "work");
  data_ticks(d, b->work);
  json_end_object(d->j);
}
