#include "tools/orca/render/view/whatif.h"

#include <stdio.h>

#include "tools/orca/causal/whatif/missing.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"

#define LEAST_MISSING 0.01 /* of the recorded time: shorter waits are not mentioned */

static const struct model *model_of(const struct view_whatif *v) { return v->whatif->trace.model; }

/* --- names -------------------------------------------------------------------------------- */

static void put_locks(struct builder *b, const struct model *m, const struct edit *e) {
  if (e->num_locks > 1) {
    unit_many(b, e->num_locks, "lock", "locks");
    builder_format(b, " that match %s", e->lock);
  } else {
    view_the_lock(b, m, e->object);
  }
}

static const char *lock_noun(const struct model *m, const struct edit *e) {
  return e->num_locks > 1 || titles_has(&m->titles, e->object) ? "" : "the lock ";
}

/* "6 threads in the pool worker-… instead of 3" */
static void put_pool(struct builder *b, const struct whatif *w, const struct edit *e) {
  if (e->num_pools > 1) {
    builder_format(b, e->is_factor ? "%g times the threads" : "%g threads", e->amount);
    builder_format(b, " in each of the %s pools that match %s", UNIT_COUNT(e->num_pools), e->pool);
    return;
  }
  const struct script_pool *pool = &w->script.pools[e->pool_row];
  unit_many(b, e->threads, "thread", "threads");
  builder_format(b, " in the pool %s instead of %s", pool->title, UNIT_COUNT(pool->threads));
}

/* "without the lock com.acme.Cart@0A1B2C3D" */
static void put_edit(struct builder *b, const struct view_whatif *v, const struct edit *e) {
  const struct model *m = model_of(v);
  builder_string(b, edit_infos[e->kind].words);
  if (e->kind == EDIT_OUTSIDE) builder_format(b, "%s moved out of ", e->method);
  if (e->lock != NULL) {
    builder_string(b, lock_noun(m, e));
    put_locks(b, m, e);
  }
  switch (e->kind) {
    case EDIT_SHRINK:
      builder_format(b, " (%g %% less)", e->amount * 100);
      break;
    case EDIT_SPLIT:
      builder_format(b, " split into %g", e->amount);
      break;
    case EDIT_READERS:
      builder_string(b, e->method == NULL ? ", all its acquisitions being reads"
                                          : ", its acquisitions being reads below ");
      if (e->method != NULL) builder_string(b, e->method);
      break;
    case EDIT_UNFAIR:
      builder_string(b, " unfair");
      break;
    case EDIT_FASTER:
      builder_format(b, "%s (%g %% less time)", e->method, e->amount * 100);
      break;
    case EDIT_CPUS:
      builder_format(b, e->amount == 1 ? "%g CPU" : "%g CPUs", e->amount);
      break;
    case EDIT_POOL:
      put_pool(b, v->whatif, e);
      break;
    default:
      break;
  }
}

static void put_edits(struct builder *b, const struct view_whatif *v) {
  size_t start = b->len;
  for (size_t i = 0; i < v->num_edits; i++) {
    if (i > 0) builder_string(b, i + 1 == v->num_edits ? " and " : ", ");
    put_edit(b, v, &v->edits[i]);
  }
  if (b->len > start) b->data[start] = (char)(b->data[start] - 'a' + 'A');
}

/* --- times -------------------------------------------------------------------------------- */

static void put_seconds(struct builder *b, double ticks) { unit_ticks(b, (ticks_t)(ticks + 0.5)); }

/* "1.9 to 2.2 times as fast (6.12 s -> 2.91 s)" */
static void put_gain(struct builder *b, const struct whatif *w, const struct prediction *p) {
  if (gain_is_none(&p->gain)) {
    builder_string(b, "no gain");
  } else {
    gain_write(b, &p->gain);
  }
  builder_string(b, " (");
  put_seconds(b, w->recorded);
  builder_string(b, " -> ");
  put_seconds(b, p->time);
  builder_char(b, ')');
}

static const char *goal_phrase(const struct script *s) {
  switch (s->goal) {
    case GOAL_MAIN:
      return "until the end of the thread main";
    case GOAL_CALLS:
      return "from the first call to the end of the last one";
    default:
      return "for the work of the recording";
  }
}

/* --- limits ------------------------------------------------------------------------------- */

/* Whether edits change how many threads there are. */
static bool has_pool_edit(const struct view_whatif *v) {
  bool has = false;
  for (size_t i = 0; i < v->num_edits; i++) has |= v->edits[i].kind == EDIT_POOL;
  for (size_t i = 0; v->plan != NULL && i < v->plan->num; i++) {
    has |= v->plan->steps[i].edit.kind == EDIT_POOL;
  }
  return has;
}

static bool has_several_threads(const struct view_whatif *v, uint32_t group) {
  return v->whatif->script.groups[group].num_threads > 1;
}

static void put_group(struct builder *b, const struct view_whatif *v, uint32_t group) {
  const struct whatif *w = v->whatif;
  const struct script_group *g = &w->script.groups[group];
  if (g->num_threads > 1 && has_pool_edit(v)) {
    builder_format(b, "the threads %s…", g->name);
  } else if (g->num_threads > 1) {
    builder_format(b, "the %zu threads %s…", g->num_threads, g->name);
  } else {
    builder_string(b, "the thread ");
    for (size_t i = 0; i < w->script.num_threads; i++) {
      if (w->script.threads[i].group != group) continue;
      names_thread(b, &w->trace.model->threads, w->script.threads[i].hash);
      return;
    }
  }
}

static void put_place(struct builder *b, const struct whatif *w, const struct limit *l,
                      const char *before) {
  if (l->place == 0) return;
  builder_string(b, before);
  names_short_place(b, w->trace.model->dump, l->place);
}

static void put_cpu_limit(struct builder *b, const struct whatif *w, const struct limit *l) {
  if (capacity_is_shared(&w->script.capacity)) {
    builder_string(b, "the CPUs, which others use too");
  } else {
    builder_string(b, "all CPUs are full"); /* how many there are may be an edit */
  }
  put_place(b, w, l, ", mostly with ");
}

static void put_limit(struct builder *b, const struct view_whatif *v, const struct limit *l) {
  const struct whatif *w = v->whatif;
  const struct model *m = w->trace.model;
  switch (l->kind) {
    case LIMIT_LOCK:
      if (!titles_has(&m->titles, l->lock)) builder_string(b, "the lock ");
      view_the_lock(b, m, l->lock);
      break;
    case LIMIT_CPU:
      put_cpu_limit(b, w, l);
      break;
    case LIMIT_METHOD:
      builder_string(b, "what ");
      put_group(b, v, l->group);
      builder_string(b, has_several_threads(v, l->group) ? " compute" : " computes");
      put_place(b, w, l, ", mostly in ");
      break;
    case LIMIT_SLEEP:
      builder_string(b, "how long ");
      put_group(b, v, l->group);
      builder_string(b, has_several_threads(v, l->group) ? " sleep" : " sleeps");
      put_place(b, w, l, ", mostly in ");
      break;
    case LIMIT_GC:
      builder_string(b, "pauses of the garbage collector");
      break;
    default:
      builder_string(b, limit_words[LIMIT_NONE]);
      break;
  }
}

/* --- refusals ----------------------------------------------------------------------------- */

static void put_missing_row(struct builder *b, const struct whatif *w,
                            const struct missing_row *row) {
  builder_format(b, "%s ", names_call(row->event));
  if (row->object != 0) {
    builder_char(b, '(');
    names_short_object(b, w->trace.model->dump, row->object);
    builder_string(b, ") ");
  }
  unit_ticks(b, row->time);
  const char *option = missing_option(&w->trace, row->event);
  if (option != NULL) builder_format(b, " (recorded with %s)", option);
}

/* Whether threads waited long for locks whose releases have no lines. */
static bool lacks_holds(const struct whatif *w) {
  double waited = 0;
  for (size_t i = 0; i < w->trace.num_locks; i++) {
    if (!w->trace.locks[i].has_releases) waited += (double)w->trace.locks[i].waited;
  }
  return waited > LEAST_MISSING * w->recorded;
}

static void put_missing(struct builder *b, const struct whatif *w) {
  struct missing_row rows[MISSING_ROWS];
  size_t num, shown = 0;
  if (!missing_find(&w->script, rows, &num)) b->failed = true;
  for (size_t i = 0; i < num; i++) {
    if ((double)rows[i].time < LEAST_MISSING * w->recorded) continue;
    builder_string(b, shown++ == 0 ? " Waits whose end has no known cause: " : "; ");
    put_missing_row(b, w, &rows[i]);
  }
  if (shown > 0) builder_char(b, '.');
  if (lacks_holds(w)) {
    builder_string(b,
                   " Holds of locks are known only as far as other threads waited; locks=all and "
                   "monitors=all,filter=CLASSES record them.");
  }
}

static void put_refusal(struct builder *b, const struct whatif *w, enum whatif_refusal refusal) {
  switch (refusal) {
    case REFUSAL_TOO_LONG:
      builder_format(b, "the recording has more than %s operations; record a shorter time",
                     UNIT_COUNT(w->trace.max_ops));
      break;
    case REFUSAL_LOSSY:
      builder_string(b, "lines of the recording are missing; record with overflow=wait");
      break;
    case REFUSAL_THRESHOLD:
      builder_format(
          b, "short waits were %s; record without the option threshold",
          w->trace.model->recording.short_calls.num > 0 ? "recorded only as sums" : "not recorded");
      break;
    case REFUSAL_EMPTY:
      builder_string(b, "the recording has no work whose end can be predicted");
      break;
    case REFUSAL_COSTLY:
      builder_format(
          b,
          "recording took about %.0f %% of the CPU time of the threads, so the recording "
          "says little about the program without it; record fewer locks (a narrower "
          "filter), or only waits for them (neither locks=all nor monitors=all)",
          w->cost * 100);
      break;
    case REFUSAL_STUCK:
      builder_string(b, "in the simulation all threads wait for each other");
      break;
    case REFUSAL_ENDLESS:
      builder_string(b, "the simulation does not end");
      break;
    case REFUSAL_INACCURATE:
      builder_string(b, "without edits the simulation takes ");
      put_seconds(b, w->baseline);
      builder_string(b, ", but the recording ");
      put_seconds(b, w->recorded);
      builder_format(b, "; they are %.0f %% apart, and more than 10 %% are too much",
                     w->error * 100);
      break;
    case REFUSAL_NONE:
      break;
  }
}

/* Appends the sentence that there is no prediction, without a line feed. */
static void put_no_prediction(struct builder *b, const struct view_whatif *v,
                              enum whatif_refusal refusal) {
  builder_string(b, "No prediction: ");
  put_refusal(b, v->whatif, refusal);
  builder_char(b, '.');
  bool is_baseline = refusal == v->whatif->refusal;
  if (is_baseline && refusal >= REFUSAL_STUCK) put_missing(b, v->whatif);
}

/* --- text --------------------------------------------------------------------------------- */

static void put_paragraph(struct page *p, struct builder *text, const char *first) {
  p->out.failed |= text->failed;
  if (!text->failed) style_wrap(&p->out, &p->style, first, (struct span){text->data, text->len});
  builder_free(text);
}

static void put_baseline(struct page *p, const struct whatif *w) {
  struct builder b = {0};
  builder_string(&b, "Recorded ");
  put_seconds(&b, w->recorded);
  builder_format(&b, " %s. The simulation without edits takes ", goal_phrase(&w->script));
  put_seconds(&b, w->baseline);
  builder_format(&b, ", an error of %.1f %%.", w->error * 100);
  put_paragraph(p, &b, "");
}

/* Whether an edit changes holds of a lock that are known only in part. */
static bool has_partial_holds(const struct view_whatif *v) {
  const struct trace *t = &v->whatif->trace;
  for (size_t i = 0; i < v->num_edits; i++) {
    const struct edit *e = &v->edits[i];
    if (e->kind != EDIT_SHRINK && e->kind != EDIT_OUTSIDE && e->kind != EDIT_SPLIT) continue;
    for (size_t at = 0; at < t->num_locks; at++) {
      if (t->locks[at].object == e->object && !t->locks[at].has_releases) return true;
    }
  }
  return false;
}

static void put_prediction(struct page *p, const struct view_whatif *v) {
  const struct prediction *prediction = v->prediction;
  struct builder b = {0};
  if (prediction->refusal != REFUSAL_NONE) {
    put_no_prediction(&b, v, prediction->refusal);
  } else {
    put_edits(&b, v);
    if (v->num_edits > 0) {
      builder_string(&b, ": ");
      put_gain(&b, v->whatif, prediction);
      builder_string(&b, ". Then the limit is: ");
    } else {
      builder_string(&b, "The limit is: ");
    }
    put_limit(&b, v, &prediction->next);
    builder_char(&b, '.');
    if (has_partial_holds(v)) {
      builder_string(
          &b,
          " The holds of this lock are known only as far as other threads waited; locks=all "
          "and monitors=all record them.");
    }
  }
  put_paragraph(p, &b, "");
}

static void put_plan(struct page *p, const struct view_whatif *v) {
  const struct plan *plan = v->plan;
  for (size_t i = 0; i < plan->num; i++) {
    const struct plan_step *step = &plan->steps[i];
    struct builder b = {0};
    char number[24];
    snprintf(number, sizeof number, "%zu. ", i + 1);
    size_t start = b.len;
    put_edit(&b, v, &step->edit);
    if (b.len > start) b.data[start] = (char)(b.data[start] - 'a' + 'A');
    builder_string(&b, ": ");
    put_gain(&b, v->whatif, &step->prediction);
    builder_string(&b, i == 0 ? "" : ", together with the edits above");
    if (i + 1 == plan->num) {
      builder_string(&b, ". Then the limit is: ");
      put_limit(&b, v, &step->prediction.next);
    }
    builder_char(&b, '.');
    put_paragraph(p, &b, number);
  }
  if (plan->num == 0) {
    builder_string(&p->out,
                   "No single edit of those that were tried gains 3 %: locks dropped, the hottest "
                   "methods twice as fast, twice as many CPUs, twice the threads of a "
                   "pool.\n");
  }
}

static void put_text(struct page *p, const struct view_whatif *v) {
  const struct whatif *w = v->whatif;
  if (w->refusal != REFUSAL_NONE) {
    struct builder b = {0};
    put_no_prediction(&b, v, w->refusal);
    put_paragraph(p, &b, "");
    return;
  }
  put_baseline(p, w);
  if (v->plan != NULL) {
    put_plan(p, v);
  } else {
    put_prediction(p, v);
  }
}

/* --- JSON and CSV ------------------------------------------------------------------------- */

static void put_decimal(struct json *j, const char *key, double value) {
  json_key(j, key);
  json_decimal(j, (int64_t)(value * 10000 + (value < 0 ? -0.5 : 0.5)), 4);
}

static void put_known(struct json *j, const char *key, double value, bool is_known) {
  if (is_known) {
    put_decimal(j, key, value);
  } else {
    json_key(j, key);
    json_null(j);
  }
}

static bool has_recorded(const struct whatif *w) { return w->recorded > 0; }

/* A simulation that was refused earlier, or did not end, says nothing. */
static bool has_baseline(const struct whatif *w) {
  return w->refusal == REFUSAL_NONE || w->refusal == REFUSAL_INACCURATE;
}

static double seconds(double ticks) { return ticks / (double)TICKS_PER_S; }

static void put_text_member(struct json *j, const char *key, struct builder *text) {
  json_key(j, key);
  json_string(j, (struct span){text->data, text->len});
  j->out->failed |= text->failed;
  builder_free(text);
}

static void put_limit_object(struct json *j, const struct whatif *w, const struct limit *l) {
  struct builder name = {0}, place = {0};
  json_key(j, "next");
  if (l->kind == LIMIT_NONE) {
    json_null(j);
    return;
  }
  json_begin_object(j);
  json_text_member(j, "kind", limit_keys[l->kind]);
  if (l->kind == LIMIT_LOCK) {
    titles_write(&name, &w->trace.model->titles, w->trace.model->dump, l->lock);
  } else if (l->kind == LIMIT_METHOD && l->place != 0) {
    names_method(&name, w->trace.model->dump, place_method(l->place));
  } else if (l->kind != LIMIT_CPU && l->kind != LIMIT_GC) {
    builder_string(&name, w->script.groups[l->group].name);
  }
  if (l->place != 0) names_place(&place, w->trace.model->dump, l->place);
  put_text_member(j, "name", &name);
  put_text_member(j, "place", &place);
  put_decimal(j, "elasticity", l->elasticity);
  json_end_object(j);
}

static void put_refused(struct json *j, const struct view_whatif *v, enum whatif_refusal refusal) {
  struct builder b = {0};
  if (refusal == REFUSAL_NONE) {
    json_key(j, "refused");
    json_null(j);
    return;
  }
  put_refusal(&b, v->whatif, refusal);
  if (refusal >= REFUSAL_STUCK && refusal == v->whatif->refusal) {
    builder_char(&b, '.');
    put_missing(&b, v->whatif);
  }
  put_text_member(j, "refused", &b);
}

static void put_edit_objects(struct json *j, const struct edit *edits, size_t num) {
  json_key(j, "edits");
  json_begin_array(j);
  for (size_t i = 0; i < num; i++) {
    json_begin_object(j);
    json_text_member(j, "kind", edit_infos[edits[i].kind].key);
    json_text_member(j, "text", edits[i].text);
    json_end_object(j);
  }
  json_end_array(j);
}

static void put_prediction_members(struct json *j, const struct whatif *w,
                                   const struct prediction *p) {
  put_decimal(j, "predicted_s", seconds(p->time));
  put_decimal(j, "gain", p->gain.middle);
  put_decimal(j, "gain_low", p->gain.least);
  put_decimal(j, "gain_high", p->gain.most);
  put_limit_object(j, w, &p->next);
}

static void put_json(struct page *p, const struct view_whatif *v) {
  struct json *j = &p->json;
  const struct whatif *w = v->whatif;
  enum whatif_refusal refusal = w->refusal;
  if (refusal == REFUSAL_NONE && v->prediction != NULL) refusal = v->prediction->refusal;
  put_known(j, "recorded_s", seconds(w->recorded), has_recorded(w));
  put_known(j, "baseline_s", seconds(w->baseline), has_baseline(w));
  put_known(j, "baseline_error", w->error, has_baseline(w));
  put_refused(j, v, refusal);
  if (v->plan == NULL) put_edit_objects(j, v->edits, v->num_edits);
  if (refusal != REFUSAL_NONE) return;
  if (v->prediction != NULL) put_prediction_members(j, w, v->prediction);
  if (v->plan == NULL) return;
  json_key(j, "plan");
  json_begin_array(j);
  for (size_t i = 0; i < v->plan->num; i++) {
    json_begin_object(j);
    put_edit_objects(j, &v->plan->steps[i].edit, 1);
    put_prediction_members(j, w, &v->plan->steps[i].prediction);
    json_end_object(j);
  }
  json_end_array(j);
}

/* A line of CSV: an edit of the plan, or all edits that were asked for. */
struct csv_row {
  const struct view_whatif *v;
  const struct edit *edits;
  size_t num_edits;
  const struct prediction *prediction; /* NULL: none */
};

static void put_csv_edits(const struct cell *c) {
  const struct csv_row *row = c->row;
  for (size_t i = 0; i < row->num_edits; i++) {
    if (i > 0) builder_char(c->text, ' ');
    builder_format(c->text, "%s %s", edit_infos[row->edits[i].kind].key, row->edits[i].text);
  }
}

static void put_csv_recorded(const struct cell *c) {
  const struct whatif *w = ((const struct csv_row *)c->row)->v->whatif;
  if (has_recorded(w)) builder_format(c->text, "%.4f", seconds(w->recorded));
}

static void put_csv_baseline(const struct cell *c) {
  const struct whatif *w = ((const struct csv_row *)c->row)->v->whatif;
  if (has_baseline(w)) builder_format(c->text, "%.4f", seconds(w->baseline));
}

static void put_csv_predicted(const struct cell *c) {
  const struct csv_row *row = c->row;
  if (row->prediction != NULL) builder_format(c->text, "%.4f", seconds(row->prediction->time));
}

static void put_csv_gain(const struct cell *c) {
  const struct csv_row *row = c->row;
  if (row->prediction != NULL) builder_format(c->text, "%.4f", row->prediction->gain.middle);
}

static void put_csv_refused(const struct cell *c) {
  const struct csv_row *row = c->row;
  const struct whatif *w = row->v->whatif;
  enum whatif_refusal refusal = w->refusal;
  if (refusal == REFUSAL_NONE && row->v->prediction != NULL) refusal = row->v->prediction->refusal;
  put_refusal(c->text, w, refusal);
}

static void put_csv_low(const struct cell *c) {
  const struct csv_row *row = c->row;
  if (row->prediction != NULL) builder_format(c->text, "%.4f", row->prediction->gain.least);
}

static void put_csv_high(const struct cell *c) {
  const struct csv_row *row = c->row;
  if (row->prediction != NULL) builder_format(c->text, "%.4f", row->prediction->gain.most);
}

static void put_csv_limit(const struct cell *c) {
  const struct csv_row *row = c->row;
  if (row->prediction != NULL) builder_string(c->text, limit_keys[row->prediction->next.kind]);
}

static void put_csv(struct page *p, const struct view_whatif *v) {
  static const struct column columns[] = {{.key = "edits", .put = put_csv_edits},
                                          {.key = "recorded_s", .put = put_csv_recorded},
                                          {.key = "baseline_s", .put = put_csv_baseline},
                                          {.key = "refused", .put = put_csv_refused},
                                          {.key = "predicted_s", .put = put_csv_predicted},
                                          {.key = "gain", .put = put_csv_gain},
                                          {.key = "gain_low", .put = put_csv_low},
                                          {.key = "gain_high", .put = put_csv_high},
                                          {.key = "next", .put = put_csv_limit}};
  struct table *t = TABLE_NEW(columns);
  bool has_prediction = v->prediction != NULL && v->prediction->refusal == REFUSAL_NONE;
  if (v->plan == NULL) {
    struct csv_row row = {v, v->edits, v->num_edits, has_prediction ? v->prediction : NULL};
    table_add(t, NULL, &row);
  }
  for (size_t i = 0; v->plan != NULL && i < v->plan->num; i++) {
    struct csv_row row = {v, &v->plan->steps[i].edit, 1, &v->plan->steps[i].prediction};
    table_add(t, NULL, &row);
  }
  page_table(p, "whatif", "", t, 0);
}

void view_whatif(struct page *p, const struct view_whatif *v) {
  if (page_is_text(p)) {
    put_text(p, v);
  } else if (page_is_json(p)) {
    put_json(p, v);
  } else {
    put_csv(p, v);
  }
}
