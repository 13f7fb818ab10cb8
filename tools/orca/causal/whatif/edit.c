#include "tools/orca/causal/whatif/edit.h"

#include <math.h>
#include <stdlib.h>

#include "tools/orca/causal/whatif/method_part.h"
#include "tools/orca/model/base/near.h"
#include "tools/orca/model/unmatched.h"

/* --- texts -------------------------------------------------------------------------------- */

const struct edit_info edit_infos[NUM_EDIT_KINDS] = {
#define EDIT(id, key, value, parts, amount, form, words, help) {key, parts, amount, form, words},
#include "tools/orca/causal/whatif/edit.def"
};

#define MOST 1024
#define MOST_THREADS 100000 /* of a pool after an edit */

/* Parses "50%" as 0.5, "2x" as a factor, or a number. */
static bool parse_amount(struct edit *e, char form, const char *text, double *out) {
  char *end;
  double n = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : -1;
  if (n < 0) return false;
  if (form == '%') {
    *out = n / 100;
    return end[0] == '%' && end[1] == '\0' && n > 0 && n <= 100;
  }
  *out = n;
  e->is_factor = form == 'x' && end[0] == 'x';
  if (e->is_factor) return end[1] == '\0' && n > 0 && n <= MOST;
  double least = e->kind == EDIT_SPLIT ? 2 : 1;
  bool is_whole = n <= MOST && n == (double)(unsigned)n;
  return end[0] == '\0' && n >= least && n <= MOST && (is_whole || e->kind == EDIT_CPUS);
}

static char *copy(const char *text, size_t length) {
  return length == 0 ? NULL : strndup(text, length);
}

/* A title of a lock contains colons: "monitor in Cart.add:12 (Object@0A1B2C3D)". So the method
   follows the last colon, and no colon that digits follow. */
static const char *find_method(const char *text, const char *end) {
  for (const char *at = end; at > text; at--) {
    bool is_line = at[0] >= '0' && at[0] <= '9';
    if (at[-1] == ':' && at < end && !is_line) return at;
  }
  return NULL;
}

bool edit_parse(struct edit *e, enum edit_kind kind, const char *text) {
  const struct edit_info *info = &edit_infos[kind];
  bool has_lock = (info->parts & NAMES_LOCK) != 0, has_pool = (info->parts & NAMES_POOL) != 0;
  bool has_method = (info->parts & (NAMES_METHOD | MAY_NAME_METHOD)) != 0;
  *e = (struct edit){.kind = kind, .text = text};
  if (info->amount != 0 && info->parts == 0) {
    return parse_amount(e, info->amount, text, &e->amount);
  }
  const char *end = text + strlen(text), *equals = info->amount == 0 ? NULL : strrchr(text, '=');
  if (info->amount != 0) {
    if (equals == NULL || !parse_amount(e, info->amount, equals + 1, &e->amount)) return false;
    end = equals;
  }
  if (has_pool) {
    e->pool = copy(text, (size_t)(end - text));
    return e->pool != NULL;
  }
  const char *method = !has_lock ? text : has_method ? find_method(text, end) : NULL;
  if (method != NULL) e->method = copy(method, (size_t)(end - method));
  if (has_lock) e->lock = copy(text, (size_t)((method == NULL ? end : method - 1) - text));
  return (!has_lock || e->lock != NULL) && ((info->parts & NAMES_METHOD) == 0 || e->method != NULL);
}

void edit_free(struct edit *e) {
  free(e->lock);
  free(e->method);
  free(e->pool);
  e->lock = e->method = e->pool = NULL;
}

/* --- locks -------------------------------------------------------------------------------- */

static bool find_locks(struct edit *e, const struct script *s, bool *is_match,
                       struct builder *why) {
  const struct model *m = s->trace->model;
  struct near near = {.pattern = e->lock};
  struct builder title = {0};
  bool has_signal = false;
  for (size_t i = 0; i < s->num_locks; i++) {
    is_match[i] = filter_matches_object(e->lock, m->dump, s->locks[i].object);
    has_signal |= is_match[i] && s->locks[i].is_signal;
    is_match[i] &= !s->locks[i].is_signal;
    if (is_match[i] && e->num_locks++ == 0) e->object = s->locks[i].object;
    if (s->locks[i].waits == 0 || s->locks[i].is_signal) continue;
    title.len = 0;
    titles_write(&title, &m->titles, m->dump, s->locks[i].object);
    if (!title.failed) near_add(&near, (struct span){title.data, title.len});
  }
  builder_free(&title);
  if (e->num_locks > 0) return true;
  if (has_signal) {
    builder_format(why, "%s is no lock: threads wait for a signal by Semaphore.release", e->lock);
    return false;
  }
  builder_format(why, "no lock is %s", e->lock);
  builder_string(why, near.num > 0 ? "; there are " : "; no thread waited for a lock");
  near_write(why, &near);
  return false;
}

static void change_lock(struct lock_change *c, const struct edit *e, const float *is_read) {
  switch (e->kind) {
    case EDIT_DROP:
      c->is_dropped = true;
      break;
    case EDIT_SHRINK:
      c->shorter = e->amount;
      break;
    case EDIT_SPLIT:
      c->stripes = (uint32_t)e->amount;
      break;
    case EDIT_READERS:
      c->is_all_read = is_read == NULL;
      c->is_read = is_read;
      break;
    case EDIT_UNFAIR:
      c->is_unfair = true;
      break;
    case EDIT_OUTSIDE:
      c->has_moved = true;
      break;
    default:
      break;
  }
}

/* --- methods ------------------------------------------------------------------------------ */

static void add_part(float *to, const float *part, size_t num, double amount) {
  for (size_t i = 0; i < num; i++) {
    to[i] = (float)(1 - (1 - (double)to[i]) * (1 - (double)part[i] * amount));
  }
}

static bool make_arrays(const struct script *s, float **sites, float **stacks) {
  if (*sites == NULL) *sites = calloc(s->num_sites + 1, sizeof **sites);
  if (*stacks == NULL) *stacks = calloc(s->trace->model->stacks.num + 1, sizeof **stacks);
  return *sites != NULL && *stacks != NULL;
}

static bool add_faster(struct edited *d, const struct script *s, const struct edit *e,
                       const struct method_part *p) {
  if (p->tracked != 0) {
    d->changes.tracked_method = p->tracked;
    d->changes.tracked_less = e->amount;
    return true;
  }
  if (!make_arrays(s, &d->site_less, &d->stack_less)) return false;
  add_part(d->site_less, p->of_site, s->num_sites, e->amount);
  add_part(d->stack_less, p->of_stack, s->trace->model->stacks.num + 1, e->amount);
  d->changes.site_less = d->site_less;
  d->changes.stack_less = d->stack_less;
  return true;
}

static bool add_outside(struct edited *d, const struct script *s, const struct method_part *p) {
  d->changes.moved_method = p->tracked;
  if (!make_arrays(s, &d->site_moved, &d->stack_moved)) return false;
  add_part(d->site_moved, p->of_site, s->num_sites, 1);
  add_part(d->stack_moved, p->of_stack, s->trace->model->stacks.num + 1, 1);
  d->changes.site_moved = d->site_moved;
  d->changes.stack_moved = d->stack_moved;
  return true;
}

/* Keeps the stacks below a method. Returns NULL when memory ran out. */
static const float *keep_stacks(struct edited *d, struct method_part *p) {
  float **all = realloc(d->stacks_read, (d->num_stacks_read + 1) * sizeof *all);
  if (all == NULL) return NULL;
  d->stacks_read = all;
  all[d->num_stacks_read++] = p->of_stack;
  p->of_stack = NULL;
  return all[d->num_stacks_read - 1];
}

/* `*out_read`: the stacks whose acquisitions are reads; NULL: all. */
static enum edit_result add_method(struct edited *d, const struct script *s, struct edit *e,
                                   const float **out_read, struct builder *why) {
  struct method_part part = {0};
  bool good = method_part_read(&part, s, e->method);
  bool is_found = part.is_found;
  if (good && !is_found) {
    size_t before = why->len;
    unmatched_write_method(why, s->trace->model->dump, e->method);
    if (why->len == before) {
      builder_format(why, "no sample and no event is below the method %s", e->method);
    }
  } else if (good && e->kind == EDIT_FASTER) {
    good = add_faster(d, s, e, &part);
  } else if (good && e->kind == EDIT_OUTSIDE) {
    good = add_outside(d, s, &part);
  } else if (good) {
    *out_read = keep_stacks(d, &part);
    good = *out_read != NULL;
  }
  method_part_free(&part);
  if (!good) return EDIT_NO_MEMORY;
  return is_found ? EDIT_DONE : EDIT_NO_MATCH;
}

/* --- pools -------------------------------------------------------------------------------- */

/* Why the simulation cannot give a pool more threads. */
static void explain_unknown(struct builder *why, const struct script *s, uint32_t row) {
  const struct trace_pool *pool = &s->found.pools[row];
  builder_format(why, "the number of threads of %s cannot be changed: ", pool->title);
  if (pool->is_timed) {
    builder_string(why, "its tasks have delays (ScheduledThreadPoolExecutor)");
  } else if (s->ignores_pools) {
    builder_string(why,
                   "with tasks that any of its threads may run, the simulation differs too "
                   "much from the recording");
  } else if (!pool->is_in_order) {
    builder_string(why, "its threads do not take the tasks in the order of its queue");
  } else {
    builder_string(why,
                   "the events of its tasks are incomplete; record from the start of the "
                   "program with events=all");
  }
}

static void explain_no_pool(struct builder *why, const struct script *s, const char *pattern) {
  struct near near = {.pattern = pattern};
  for (size_t i = 0; i < s->num_pools; i++) {
    const char *title = s->pools[i].title;
    near_add(&near, (struct span){title, strlen(title)});
  }
  if (near.num > 0) {
    builder_format(why, "no pool is %s; there are ", pattern);
    near_write(why, &near);
    return;
  }
  builder_format(why,
                 "no pool is %s: the recording has no tasks of a ThreadPoolExecutor; events=all "
                 "records them, other pools have no events of their tasks",
                 pattern);
}

static uint32_t count_threads(const struct edit *e, const struct script_pool *pool) {
  double threads = e->is_factor ? ceil(e->amount * (double)pool->threads - 1e-9) : e->amount;
  return threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : (uint32_t)threads;
}

static enum edit_result add_pool(struct edited *d, const struct script *s, struct edit *e,
                                 struct builder *why) {
  uint32_t unknown = 0;
  if (d->pool_threads == NULL) d->pool_threads = calloc(s->num_pools + 1, sizeof *d->pool_threads);
  if (d->pool_threads == NULL) return EDIT_NO_MEMORY;
  for (uint32_t i = 0; i < s->num_pools; i++) {
    if (!trace_pool_matches(&s->found.pools[i], e->pool)) continue;
    if (!s->pools[i].is_known && unknown == 0) unknown = i + 1;
    d->pool_threads[i] = count_threads(e, &s->pools[i]);
    if (e->num_pools++ > 0) continue;
    e->pool_row = i;
    e->threads = d->pool_threads[i];
  }
  d->changes.pool_threads = d->pool_threads;
  if (e->num_pools == 0) explain_no_pool(why, s, e->pool);
  if (unknown != 0) explain_unknown(why, s, unknown - 1);
  return e->num_pools == 0 || unknown != 0 ? EDIT_NO_MATCH : EDIT_DONE;
}

/* --- edits -------------------------------------------------------------------------------- */

bool edited_start(struct edited *d, const struct script *s) {
  d->locks = calloc(s->num_locks + 1, sizeof *d->locks);
  d->changes.locks = d->locks;
  return d->locks != NULL;
}

enum edit_result edited_add(struct edited *d, const struct script *s, struct edit *e,
                            struct builder *why) {
  const float *is_read = NULL;
  enum edit_result result = EDIT_DONE;
  bool *is_match = calloc(s->num_locks + 1, sizeof *is_match);
  if (is_match == NULL) return EDIT_NO_MEMORY;
  if (e->lock != NULL && !find_locks(e, s, is_match, why)) result = EDIT_NO_MATCH;
  if (result == EDIT_DONE && e->method != NULL) result = add_method(d, s, e, &is_read, why);
  for (size_t i = 0; result == EDIT_DONE && e->lock != NULL && i < s->num_locks; i++) {
    if (is_match[i]) change_lock(&d->locks[i], e, is_read);
  }
  if (e->kind == EDIT_CPUS) d->changes.cpus = e->amount;
  if (e->kind == EDIT_POOL) result = add_pool(d, s, e, why);
  free(is_match);
  return result;
}

void edited_free(struct edited *d) {
  for (size_t i = 0; i < d->num_stacks_read; i++) free(d->stacks_read[i]);
  free(d->stacks_read);
  free(d->locks);
  free(d->site_less);
  free(d->stack_less);
  free(d->site_moved);
  free(d->stack_moved);
  free(d->pool_threads);
  *d = (struct edited){0};
}
