#include "tools/orca/model/threads.h"

#include <stdlib.h>
#include <string.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* Returns the row of a thread, and extends its lifetime to `now`. Returns NULL when memory ran out.
 */
static struct thread *find_or_add_thread(struct threads *t, uint32_t hash, ticks_t now) {
  bool is_new = false;
  if (t->num == 0 || t->rows[t->last].hash != hash) {
    size_t number =
        rows_number(&t->ids, hash, &t->rows, &t->num, &t->capacity, sizeof *t->rows, &is_new);
    if (number == 0) return NULL;
    t->last = number - 1;
  }
  struct thread *row = &t->rows[t->last];
  if (is_new) *row = (struct thread){.hash = hash, .alive = true, .first = now};
  if (now < row->first) row->first = now;
  /* Lines of samples can follow the end of the thread. */
  if (now > row->last && !(row->life.ended && !row->alive)) row->last = now;
  return row;
}

/* --- states ------------------------------------------------------------------------------- */

static bool add_part(void *arg, void *to, const struct life_part *part) {
  const struct threads *t = arg;
  struct thread *row = to;
  row->in_activity[part->activity] += part->end - part->begin;
  if (part->begin <= t->moment) {
    if (row->activity != part->activity || row->activity_stack != part->stack)
      row->since = part->begin;
    row->activity = part->activity;
    row->activity_stack = part->stack;
  }
  return t->spending == NULL || !row->matches || spending_add(t->spending, row->hash, part);
}

void threads_start(struct threads *t, const struct dump *d, ticks_t from, ticks_t to) {
  life_clock_start(&t->clock, d, from, to);
  t->moment = UINT64_MAX;
  t->clock.put = add_part;
  t->clock.arg = t;
}

bool threads_live(struct threads *t, const struct step *step) {
  if (!life_clock_take(&t->clock, step)) return true;
  uint32_t hash = step->event != NULL ? step->event->thread : step->sample->thread;
  uint64_t at = t->last + 1;
  if (t->num == 0 || t->rows[t->last].hash != hash) hashmap_get(&t->ids, hash, &at);
  struct thread *row = &t->rows[at - 1];
  return life_take(&row->life, &t->clock, step, row);
}

/* --- lines -------------------------------------------------------------------------------- */

bool threads_site(struct threads *t, uint32_t hash, place_t place) {
  return hashmap_put(&t->sites, hash, place) &&
         (t->dump == NULL || virtual_names_start(&t->virtual_names, t->dump, hash, place));
}

place_t threads_started_at(const struct threads *t, uint32_t hash) {
  uint64_t place = 0;
  hashmap_get(&t->sites, hash, &place);
  return place;
}

/* The JVM starts the thread "SIGTERM handler" when the signal TERM comes that ends it. */
static bool is_handler_of_end(const struct dump *d, const char *name) {
  static const char by_signal[] = "signal ", start[] = "SIG", tail[] = " handler";
  size_t before = strlen(by_signal);
  struct span reason;
  bool is_handler = d != NULL && strncmp(name, start, strlen(start)) == 0 &&
                    dump_info(d, INFO_END_REASON, &reason) && span_starts(reason, by_signal);
  if (!is_handler) return false;
  struct span signal = {reason.data + before, reason.len - before};
  name += strlen(start);
  return strncmp(name, signal.data, signal.len) == 0 && strcmp(name + signal.len, tail) == 0;
}

bool threads_event(struct threads *t, const struct event_line *line, bool matches) {
  struct thread *row = find_or_add_thread(t, line->thread, line->time);
  if (row == NULL) return false;
  row->matches |= matches;
  row->signals += matches && wake_event_signals(line->kind);
  if (line->kind == EVENT_THREAD_ENDED) row->alive = false;
  if (line->kind != EVENT_THREAD_STARTED) return true;
  row->lives++;
  row->alive = true;
  struct builder b = {0};
  text_plain(&b, line->name);
  bool is_nameless = b.len == 0 && t->dump != NULL;
  b.failed |= is_nameless && !virtual_names_put(&t->virtual_names, t->dump, line->thread, &b);
  builder_char(&b, '\0');
  free(row->name);
  row->name = b.failed ? NULL : b.data;
  if (b.failed) builder_free(&b);
  if (row->name != NULL && is_handler_of_end(t->dump, row->name)) t->moment = line->time;
  return row->name != NULL;
}

bool threads_pair(struct threads *t, const struct pair *pair) {
  struct thread *row = find_or_add_thread(t, pair->thread, pair->end);
  if (row == NULL) return false;
  enum event_group group = event_infos[pair->kind].group;
  row->matches = true;
  row->pairs[group]++;
  row->pairs_time[group] += pair->end - pair->begin;
  return true;
}

static bool end_wall_time(struct threads *t, struct thread *row, ticks_t now) {
  ticks_t time = row->seen != 0 && now > row->seen ? now - row->seen : 0;
  row->seen = 0;
  return time == 0 || t->profile == NULL ||
         profile_add(t->profile, row->hash, row->stack, PROFILE_WALL, time);
}

bool threads_sample(struct threads *t, const struct sample_line *line, stack_id_t stack,
                    bool matches) {
  struct thread *row = find_or_add_thread(t, line->thread, line->time);
  if (row == NULL || !end_wall_time(t, row, line->time)) return false;
  if (line->state == STATE_TERMINATED) row->alive = false;
  if (line->time <= t->moment) {
    row->state = line->state;
    row->state_time = line->time;
  }
  if (!matches) return true;
  row->matches = true;
  row->samples++;
  if (line->cpu_ns > 0) row->cpu_ns += (uint64_t)line->cpu_ns;
  if (line->state != STATE_TERMINATED) {
    row->seen = line->time;
    row->stack = stack;
  }
  return true;
}

bool threads_note_alive(struct threads *t, uint32_t hash, ticks_t time, bool matches) {
  struct thread *row = find_or_add_thread(t, hash, time);
  if (row == NULL) return false;
  row->matches |= matches;
  return true;
}

void threads_forget_cpu(struct threads *t) {
  for (size_t i = 0; i < t->num; i++) t->rows[i].cpu_ns = 0;
}

void threads_add_cpu(struct threads *t, uint32_t hash, uint64_t ns) {
  uint64_t at;
  if (hashmap_get(&t->ids, hash, &at)) t->rows[at - 1].cpu_ns += ns;
}

static ticks_t sum_pair_times(const struct thread *row) {
  ticks_t sum = 0;
  for (int group = 0; group < NUM_GROUPS; group++) sum += row->pairs_time[group];
  return sum;
}

static int compare_threads(const void *left, const void *right) {
  const struct thread *a = left, *b = right;
  if (a->matches != b->matches) return a->matches ? -1 : 1;
  if (a->cpu_ns != b->cpu_ns) return compare_numbers(b->cpu_ns, a->cpu_ns);
  if (sum_pair_times(a) != sum_pair_times(b))
    return compare_numbers(sum_pair_times(b), sum_pair_times(a));
  return compare_numbers(a->hash, b->hash);
}

/* The sampler of an idle program makes a round every second, and a last one when the recording
   ends. Without rounds nothing is known of the end. */
#define MAX_SINCE_ROUND (2 * TICKS_PER_S)

/* Notes the thread if it stands in I/O. */
static void note_io(struct threads *t, struct thread *row, ticks_t end) {
  const struct life *life = &row->life;
  if (life->io_since == 0 || !row->matches || t->spending == NULL) return;
  if (end > t->clock.tick + MAX_SINCE_ROUND || spending_is_idle(t->spending, life->stack)) return;
  row->io_since = life->io_since;
  row->io_stack = life->stack;
  spending_stand(t->spending, row->io_since, end);
}

bool threads_end(struct threads *t, ticks_t end, bool clipped) {
  t->num_all = t->num;
  t->num = 0;
  for (size_t i = 0; i < t->num_all; i++) {
    struct thread *row = &t->rows[i];
    if (!end_wall_time(t, row, row->alive ? end : row->last)) return false;
    if (!life_end(&row->life, &t->clock, end, row)) return false;
    note_io(t, row, end);
    if (row->alive && end > row->last) row->last = end;
    if (clipped && row->first >= row->last) row->matches = false;
    if (!row->matches) continue;
    t->num++;
    t->unnamed += row->name == NULL;
    t->unsampled += row->samples == 0;
    if (row->lives > 1) t->shared += row->lives - 1;
  }
  if (t->num_all > 0) qsort(t->rows, t->num_all, sizeof *t->rows, compare_threads);
  for (size_t i = 0; i < t->num_all; i++) *hashmap_at(&t->ids, t->rows[i].hash) = i + 1;
  return true;
}

const struct thread *threads_find(const struct threads *t, uint32_t hash) {
  uint64_t at;
  return hashmap_get(&t->ids, hash, &at) ? &t->rows[at - 1] : NULL;
}

void threads_free(struct threads *t) {
  size_t num = t->num > t->num_all ? t->num : t->num_all;
  for (size_t i = 0; i < num; i++) free(t->rows[i].name);
  hashmap_free(&t->ids);
  virtual_names_free(&t->virtual_names);
  hashmap_free(&t->sites);
  free(t->rows);
  *t = (struct threads){0};
}
