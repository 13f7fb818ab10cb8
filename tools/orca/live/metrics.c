#include "tools/orca/live/metrics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"

/* --- the figures --------------------------------------------------------------------------- */

static struct metric *find_metric(struct metrics *m, enum metric_family family, uint32_t id,
                                  place_t place) {
  bool is_new;
  uint64_t *number = hashmap_at(&m->places, place);
  if (number == NULL) return NULL;
  if (*number == 0) *number = ++m->num_places;
  struct metric *row = rows_at(&m->ids[family], (uint64_t)id << 32 | *number, &m->rows, &m->num,
                               &m->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct metric){.family = family, .id = id, .place = place};
  return row;
}

static bool add_waits(struct metrics *m, enum metric_family family, uint32_t class_id,
                      place_t place, const struct live_sum *sum) {
  struct metric *row = find_metric(m, family, class_id, place);
  if (row == NULL) return false;
  row->time += (ticks_t)live_clamp_time(sum->time) + sum->short_waits.total;
  row->count += sum->count + sum->short_waits.num;
  return true;
}

static bool add_site(struct metrics *m, const struct live *l, const struct live_sum *sum) {
  const struct lock *lock = &l->model.locks.rows[sum->number >> 32];
  if (lock_is_signal(lock)) return true;
  uint32_t class_id =
      lock->is_several ? SHORT_SEVERAL_CLASS : locks_class(l->model.dump, lock->object);
  place_t place = stacks_place(&l->model.stacks, (stack_id_t)sum->number);
  return add_waits(m, METRIC_LOCK_SITES, class_id, place, sum) &&
         add_waits(m, METRIC_LOCK_CLASSES, class_id, 0, sum);
}

/* The CPU time of the methods, as in `orca hot`. */
static bool add_methods(struct metrics *m, const struct live *l) {
  struct cpu cpu = {0};
  bool good = true;
  for (size_t i = 0; good && i < l->model.cpu.num_stacks; i++)
    good = cpu_add(&cpu, 0, l->model.cpu.stack_ns[i], (stack_id_t)i);
  good = good && cpu_rank(&cpu, &l->model.stacks, l->model.dump);
  for (size_t i = 0; good && i < cpu.num_methods; i++) {
    struct metric *row = find_metric(m, METRIC_METHODS, cpu.methods[i].method, 0);
    good = row != NULL;
    if (good) row->time = cpu.methods[i].self_ns * TICKS_PER_NS;
  }
  cpu_free(&cpu);
  return good;
}

static bool add_figures(struct metrics *m, const struct live *l) {
  for (size_t i = 0; i < m->num; i++) {
    m->rows[i].time = 0;
    m->rows[i].count = 0;
  }
  for (size_t i = 0; i < l->num_sums; i++) {
    if (l->sums[i].subject == LIVE_SITE && !add_site(m, l, &l->sums[i])) return false;
  }
  return add_methods(m, l);
}

static int compare_metrics(const void *left, const void *right) {
  const struct metric *a = *(const struct metric *const *)left,
                      *b = *(const struct metric *const *)right;
  if (a->time != b->time) return compare_numbers(b->time, a->time);
  return compare_numbers((uintptr_t)a, (uintptr_t)b);
}

/* These waits make those of each class a least number, so they are never summed up as others. */
static bool is_several_locks(const struct metric *row) {
  return row->family == METRIC_LOCK_CLASSES && row->id == SHORT_SEVERAL_CLASS;
}

/* Names the largest rows that have no name yet, as far as there is room. */
static bool name_rows(struct metrics *m) {
  const struct metric **order = malloc((m->num + 1) * sizeof *order);
  if (order == NULL) return false;
  for (size_t i = 0; i < m->num; i++) order[i] = &m->rows[i];
  qsort(order, m->num, sizeof *order, compare_metrics);
  for (size_t i = 0; i < m->num; i++) {
    struct metric *row = &m->rows[order[i] - m->rows];
    bool is_any = row->time > 0 || row->count > 0;
    bool has_room = is_several_locks(row) || m->num_named[row->family] < m->top;
    if (row->is_named || !is_any || !has_room) continue;
    row->is_named = true;
    m->num_named[row->family] += !is_several_locks(row);
  }
  free(order);
  return true;
}

/* What a later line took back is written once it is there again: a counter never falls. */
static void tell(struct metric *row) {
  if (row->time > row->told_time) row->told_time = row->time;
  if (row->count > row->told_count) row->told_count = row->count;
}

static void tell_rows(struct metrics *m) {
  for (int f = 0; f < NUM_METRIC_FAMILIES; f++) m->others[f].time = m->others[f].count = 0;
  for (size_t i = 0; i < m->num; i++) {
    struct metric *row = &m->rows[i];
    if (row->is_named) {
      tell(row);
    } else {
      m->others[row->family].time += row->time;
      m->others[row->family].count += row->count;
    }
  }
  for (int f = 0; f < NUM_METRIC_FAMILIES; f++) tell(&m->others[f]);
}

/* --- the text -------------------------------------------------------------------------------- */

void metrics_label(struct builder *b, const char *key, struct span value) {
  builder_format(b, "%s=\"", key);
  for (size_t i = 0; i < value.len; i++) {
    char c = value.data[i];
    if (c == '\\' || c == '"') builder_char(b, '\\');
    if (c == '\n') builder_string(b, "\\n");
    if (c != '\n') builder_char(b, c);
  }
  builder_char(b, '"');
}

static void put_type(struct builder *b, const char *name, const char *type, const char *unit,
                     const char *help) {
  builder_format(b, "# TYPE %s %s\n", name, type);
  if (unit != NULL) builder_format(b, "# UNIT %s %s\n", name, unit);
  builder_format(b, "# HELP %s %s\n", name, help);
}

static void put_seconds(struct builder *b, uint64_t ns) {
  builder_format(b, " %" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void open_labels(struct builder *b, const struct metrics *m, const char *name) {
  builder_format(b, "%s{%s%s", name, m->labels, *m->labels == '\0' ? "" : ",");
}

static void put_number(struct builder *b, const struct metrics *m, const char *name, uint64_t n) {
  builder_string(b, name);
  if (*m->labels != '\0') builder_format(b, "{%s}", m->labels);
  builder_format(b, " %" PRIu64 "\n", n);
}

static void put_named(struct builder *b, const char *key, const struct live *l, uint64_t id,
                      void (*put)(struct builder *, const struct live *, uint64_t)) {
  struct builder text = {0};
  put(&text, l, id);
  metrics_label(b, key, (struct span){text.data, text.len});
  b->failed |= text.failed;
  builder_free(&text);
}

static void put_class(struct builder *b, const struct live *l, uint64_t id) {
  if (id == SHORT_SEVERAL_CLASS) {
    builder_string(b, SHORT_SEVERAL_NAME);
  } else if (id != 0) {
    names_class(b, l->model.dump, (uint32_t)id);
  }
}

static void put_place(struct builder *b, const struct live *l, uint64_t id) {
  if (id != 0) names_short_place(b, l->model.dump, id);
}

static void put_method(struct builder *b, const struct live *l, uint64_t id) {
  names_full_method(b, l->model.dump, (uint32_t)id);
}

/* The labels of a row; NULL: of all others. */
static void put_labels(struct builder *b, const struct metrics *m, const struct live *l,
                       const char *name, enum metric_family family, const struct metric *row) {
  static const struct span other = {"other", 5};
  open_labels(b, m, name);
  if (row == NULL) {
    metrics_label(b, family == METRIC_METHODS ? "method" : "class", other);
    if (family == METRIC_LOCK_SITES) builder_char(b, ',');
    if (family == METRIC_LOCK_SITES) metrics_label(b, "site", other);
  } else if (family == METRIC_METHODS) {
    put_named(b, "method", l, row->id, put_method);
  } else {
    put_named(b, "class", l, row->id, put_class);
    if (family == METRIC_LOCK_SITES) builder_char(b, ',');
    if (family == METRIC_LOCK_SITES) put_named(b, "site", l, row->place, put_place);
  }
  builder_char(b, '}');
}

static void put_family(struct builder *b, const struct metrics *m, const struct live *l,
                       const char *name, enum metric_family family, bool is_count) {
  for (size_t i = 0; i <= m->num; i++) {
    const struct metric *row = i < m->num ? &m->rows[i] : &m->others[family];
    bool is_other = i == m->num;
    if (!is_other && (row->family != family || !row->is_named)) continue;
    if (is_other && row->told_time == 0 && row->told_count == 0) continue;
    put_labels(b, m, l, name, family, is_other ? NULL : row);
    if (is_count) {
      builder_format(b, " %" PRIu64 "\n", row->told_count);
    } else {
      put_seconds(b, row->told_time / TICKS_PER_NS);
    }
  }
}

static void put_states(struct builder *b, const struct metrics *m, const struct live *l) {
  const struct live_second *s = live_second(l, l->num_seconds - 1);
  put_type(b, "orca_threads", "gauge", NULL, "Living Java threads by state.");
  for (int i = 0; i < NUM_ACTIVITIES; i++) {
    open_labels(b, m, "orca_threads");
    metrics_label(b, "state", (struct span){activity_names[i], strlen(activity_names[i])});
    builder_format(b, "} %" PRIu64 "\n", s == NULL ? 0 : s->threads[i]);
  }
  put_type(b, "orca_thread_seconds", "counter", "seconds", "Time of all Java threads by state.");
  for (int i = 0; i < NUM_ACTIVITIES; i++) {
    uint64_t at = 0;
    if (!hashmap_get(&l->sum_ids[LIVE_STATE], (uint64_t)i, &at)) continue;
    open_labels(b, m, "orca_thread_seconds_total");
    metrics_label(b, "state", (struct span){activity_names[i], strlen(activity_names[i])});
    builder_char(b, '}');
    put_seconds(b, (uint64_t)(live_clamp_time(l->sums[at - 1].time) / TICKS_PER_NS));
  }
}

static bool put_now(struct builder *b, const struct metrics *m, const struct live *l) {
  const struct live_second *s = live_second(l, l->num_seconds - 1);
  ticks_t longest = 0;
  struct deadlocks deadlocks = {0};
  for (size_t i = 0; s != NULL && i < s->num_blocked && longest == 0; i++) {
    if (!live_lock_is_signal(l, s->blocked[i].lock)) longest = s->end - s->blocked[i].since;
  }
  put_type(b, "orca_longest_blocked_seconds", "gauge", "seconds",
           "How long the thread that is blocked longest has been; 0: none is.");
  builder_string(b, "orca_longest_blocked_seconds");
  if (*m->labels != '\0') builder_format(b, "{%s}", m->labels);
  put_seconds(b, longest / TICKS_PER_NS);
  bool good = live_deadlocks(l, &deadlocks);
  put_type(b, "orca_deadlocks", "gauge", NULL, "Rings of threads that are blocked for good.");
  put_number(b, m, "orca_deadlocks", deadlocks.num_rings);
  deadlocks_free(&deadlocks);
  return good;
}

static void put_process(struct builder *b, const struct metrics *m, const struct live *l) {
  const char *open = *m->labels == '\0' ? "" : "{", *close = *m->labels == '\0' ? "" : "}";
  put_type(b, "orca_process_cpu_seconds", "counter", "seconds", "CPU time of the process.");
  builder_format(b, "orca_process_cpu_seconds_total%s%s%s", open, m->labels, close);
  put_seconds(b, l->process_ns);
  put_type(b, "orca_gc_pause_seconds", "counter", "seconds", "Pauses of the garbage collector.");
  builder_format(b, "orca_gc_pause_seconds_total%s%s%s", open, m->labels, close);
  put_seconds(b, l->pause_ns);
  put_type(b, "orca_events", "counter", NULL, "Events in the files.");
  put_number(b, m, "orca_events_total", l->events);
}

/* Whether waits of several locks are not told apart. */
static bool has_several_locks(const struct metrics *m) {
  for (size_t i = 0; i < m->num; i++) {
    if (is_several_locks(&m->rows[i]) && m->rows[i].told_count > 0) return true;
  }
  return false;
}

static void put_locks(struct builder *b, const struct metrics *m, const struct live *l) {
  bool has_several = has_several_locks(m);
  put_type(
      b, "orca_lock_blocked_seconds", "counter", "seconds",
      has_several
          ? "Time in which threads were blocked, by the class of the lock and where they were: "
            "at least so long, because some is of " SHORT_SEVERAL_NAME "."
          : "Time in which threads were blocked, by the class of the lock and where they were.");
  put_family(b, m, l, "orca_lock_blocked_seconds_total", METRIC_LOCK_SITES, false);
  put_type(b, "orca_lock_waits", "counter", NULL,
           has_several
               ? "Acquisitions that had to wait and have ended, by the class of the lock: at "
                 "least so many, because some are of " SHORT_SEVERAL_NAME "."
               : "Acquisitions that had to wait and have ended, by the class of the lock.");
  put_family(b, m, l, "orca_lock_waits_total", METRIC_LOCK_CLASSES, true);
}

bool metrics_write(struct metrics *m, const struct live *l, struct builder *out) {
  if (!add_figures(m, l) || !name_rows(m)) return false;
  tell_rows(m);
  put_process(out, m, l);
  put_states(out, m, l);
  put_locks(out, m, l);
  put_type(out, "orca_method_cpu_seconds", "counter", "seconds",
           "CPU time of methods, without those they call.");
  put_family(out, m, l, "orca_method_cpu_seconds_total", METRIC_METHODS, false);
  bool good = put_now(out, m, l);
  builder_string(out, "# EOF\n");
  return good && !out->failed;
}

void metrics_free(struct metrics *m) {
  for (int f = 0; f < NUM_METRIC_FAMILIES; f++) hashmap_free(&m->ids[f]);
  hashmap_free(&m->places);
  free(m->rows);
  *m = (struct metrics){0};
}
