#include "tools/orca/html/data.h"
#include "tools/orca/render/view/locks.h"

static void put_lock_thread(struct data *d, uint64_t hash) { data_thread(d, (uint32_t)hash); }

static void put_lock_name(struct data *d, uint64_t key,
                          void (*write)(struct builder *, const struct model *, uint64_t)) {
  struct builder name = {0};
  write(&name, d->m, key);
  json_string(d->j, (struct span){name.data, name.len});
  d->failed |= name.failed;
  builder_free(&name);
}

static void put_place(struct data *d, uint64_t place) { put_lock_name(d, place, view_place_name); }

static void put_holder_place(struct data *d, uint64_t key) {
  put_lock_name(d, key, view_holder_place);
}

/* [[key, times, duration]], the largest first. If there are more than HTML_KEYS, one further row
   with the key null has the sum of the others. */
static void put_keys(struct data *d, const char *name, const struct tally *tally, uint32_t group,
                     void (*put)(struct data *, uint64_t)) {
  struct tally_row rest = {0};
  size_t num;
  const struct tally_row *rows = tally_of(tally, group, &num);
  json_key(d->j, name);
  json_begin_array(d->j);
  for (size_t i = 0; i < num; i++) {
    rest.count += rows[i].count;
    rest.total += rows[i].total;
    if (i >= HTML_KEYS && i + 1 < num) continue;
    json_begin_array(d->j);
    if (i < HTML_KEYS) {
      put(d, rows[i].key);
    } else {
      json_null(d->j);
    }
    json_unsigned(d->j, rest.count);
    data_ticks(d, rest.total);
    json_end_array(d->j);
    rest = (struct tally_row){0};
  }
  json_end_array(d->j);
}

static void put_lock_ticks(struct data *d, const char *key, ticks_t ticks) {
  json_key(d->j, key);
  data_ticks(d, ticks);
}

static void put_p99(struct data *d, const struct lock *lock) {
  bool is_bound;
  uint64_t ns = locks_quantile(&d->m->locks, lock, 990, &is_bound);
  json_unsigned_member(d->j, "p99", ns);
  if (is_bound) json_unsigned_member(d->j, "p99AtMost", 1);
}

/* Only recordings with sums of short calls have them. */
static void put_short_calls(struct data *d, const struct lock *lock) {
  if (lock->short_waits.num > 0) {
    json_unsigned_member(d->j, "shortWaits", lock->short_waits.num);
    json_unsigned_member(d->j, "longWaits", lock->long_waits);
    put_lock_ticks(d, "longBlocked", lock->long_blocked);
  }
  if (lock->short_others.num > 0) {
    json_unsigned_member(d->j, "shortCalls", lock->short_others.num);
    put_lock_ticks(d, "shortCallTime", lock->short_others.total);
  }
}

/* Numbers that are not known are left out. */
static void put_numbers(struct data *d, const struct lock *lock) {
  json_key(d->j, "object");
  data_object(d, lock->object);
  json_text_member(d->j, "sort", lock_sorts[lock->sort].key);
  if (lock->acquired_known) {
    json_unsigned_member(d->j, "acquired", lock->acquired);
    json_unsigned_member(d->j, "attempts", locks_attempts(lock));
    if (lock->acquired_is_least) json_unsigned_member(d->j, "atLeast", 1);
  }
  json_unsigned_member(d->j, "waited", lock->waited);
  if (lock_has_least_waits(lock)) json_unsigned_member(d->j, "waitedAtLeast", 1);
  if (lock->waited_is_least) json_unsigned_member(d->j, "hasOthers", 1);
  json_unsigned_member(d->j, "failed", lock->failed);
  json_unsigned_member(d->j, "open", lock->open);
  json_unsigned_member(d->j, "owned", lock->known_owners);
  put_lock_ticks(d, "blocked", lock->blocked);
  put_lock_ticks(d, "longest", lock->longest_blocked);
  if (lock->older > 0) json_unsigned_member(d->j, "blockedAtLeast", 1);
  if (locks_has_least_longest(&d->m->locks, lock)) json_unsigned_member(d->j, "longestAtLeast", 1);
  if (lock->waited > 0) put_p99(d, lock);
  put_short_calls(d, lock);
  put_lock_ticks(d, "handoff", contention_time(&d->g->answer.contention.handoffs, lock->id));
  if (lock->holds == 0) return;
  json_unsigned_member(d->j, "holds", lock->holds);
  put_lock_ticks(d, "held", lock->held);
  put_lock_ticks(d, "longestHeld", lock->longest_held);
}

static void put_threshold(struct data *d) {
  struct builder text = {0};
  coverage_put_threshold(&text, dump_coverage(d->m->dump));
  json_key(d->j, "threshold");
  json_string(d->j, (struct span){text.data, text.len});
  d->failed |= text.failed;
  builder_free(&text);
}

/* The name of the rows whose objects are not known. */
static void put_several_name(struct data *d, const struct locks *locks) {
  for (size_t i = 0; i < locks->num; i++) {
    if (!locks->rows[i].is_several) continue;
    json_text_member(d->j, "several", SHORT_SEVERAL_NAME);
    return;
  }
}

void data_locks(struct data *d) {
  const struct locks *locks = &d->m->locks;
  size_t shown = locks->num < HTML_LOCKS ? locks->num : HTML_LOCKS;
  json_key(d->j, "locks");
  json_begin_object(d->j);
  json_key(d->j, "rows");
  json_begin_array(d->j);
  for (size_t i = 0; i < shown; i++) {
    const struct lock *lock = &locks->rows[i];
    json_begin_object(d->j);
    put_numbers(d, lock);
    put_keys(d, "places", &locks->places, lock->id, put_place);
    put_keys(d, "threads", &locks->threads, lock->id, put_lock_thread);
    put_keys(d, "owners", &locks->owners, lock->id, put_lock_thread);
    put_keys(d, "holderPlaces", &d->g->answer.contention.holder_places, lock->id, put_holder_place);
    if (lock->holds > 0) put_keys(d, "holders", &locks->holds, lock->id, put_lock_thread);
    json_end_object(d->j);
  }
  json_end_array(d->j);
  json_unsigned_member(d->j, "left", locks->num - shown);
  if (d->m->recording.short_calls.num > 0) put_threshold(d);
  put_several_name(d, locks);
  json_end_object(d->j);
}
