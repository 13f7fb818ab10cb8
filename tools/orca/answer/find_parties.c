/* Who is missing where threads wait: the threads that did before what they wait for, and what has
   become of these; and the exceptions that ended others. */
#include "tools/orca/answer/find_parties.h"

#include <string.h>

#include "agent/base/text.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"

#define LIVING_TOLD 2   /* parties that live */
#define FAILED_TOLD 3   /* those that an exception ended */
#define MOST_FAILURES 3 /* more tasks that exceptions ended are nothing special */
/* Threads that ended earlier waits at the place: so many waits, and so few threads that each may be
   the one that is missing. */
#define LEAST_ENDED 3
#define MOST_ENDERS 2
/* Users of a pool of objects: so many wait at once, and so many waits ended by one of them. */
#define LEAST_USERS 2
#define LEAST_HANDED 10
/* A thread that waits for work so soon after its task has done nothing else. */
#define SOON_TICKS (TICKS_PER_S / 100)
#define TOLD_TASKS 1 /* the group of `told` whose failed tasks are told */

/* --- exceptions ----------------------------------------------------------------------------- */

/* "NullPointerException" for java.lang.NullPointerException. */
static const char *name_exception(const struct finder *f, uint32_t object) {
  const struct dump_object *found = dump_objects(f->m->dump, object);
  const char *name = found == NULL ? NULL : name_class(f, found->line.class_id);
  const char *dot = name == NULL ? NULL : strrchr(name, '.');
  return dot == NULL ? name : dot + 1;
}

/* "Cart.add (Cart.java:7)" for "com.acme.Cart.add (Cart.java:7)". */
static const char *name_thrower(const struct finder *f, struct span thrower) {
  struct builder b = {0};
  const char *blank = thrower.len == 0 ? NULL : memchr(thrower.data, ' ', thrower.len);
  size_t end = blank == NULL ? thrower.len : (size_t)(blank - thrower.data), dots = 0, from = end;
  while (from > 0 && dots < 2) dots += thrower.data[--from] == '.';
  if (dots == 2) from++;
  text_plain(&b, (struct span){thrower.data + from, thrower.len - from});
  return findings_text(f->out, &b);
}

static bool is_told(const struct tally *told, uint64_t thread) {
  for (size_t i = 0; i < told->num; i++) {
    if (told->rows[i].key == thread) return true;
  }
  return false;
}

static bool is_task_told(const struct finder *f, const struct tally *told,
                         const struct failure *failure) {
  const struct failure *last = failures_last_task(&f->m->failures, failure->thread);
  bool is_last = last != NULL && last->time == failure->time;
  for (size_t i = 0; is_last && i < told->num; i++) {
    if (told->rows[i].group == TOLD_TASKS && told->rows[i].key == failure->thread) return true;
  }
  return false;
}

static void add_failure(const struct finder *f, const struct failure *failure, bool of_task,
                        struct found_rows *out) {
  ticks_t moment = f->m->hang.moment;
  struct found_failure *part = FINDINGS_PART(f->out, out, failure);
  if (part == NULL) return;
  *part =
      (struct found_failure){.thread = name_thread(f, failure->thread),
                             .of_task = of_task,
                             .exception = name_exception(f, failure->exception),
                             .thrower = name_thrower(f, failure->thrower),
                             .age = found_ns(moment > failure->time ? moment - failure->time : 0)};
}

void find_failure(const struct finder *f, uint32_t thread, struct found_rows *out) {
  const struct failure *failure = failures_find(&f->m->failures, thread);
  if (failure != NULL) add_failure(f, failure, false, out);
}

void find_failures(const struct finder *f, const struct tally *told, struct found_rows *out) {
  const struct failures *failures = &f->m->failures;
  for (size_t i = 0; failures->num <= MOST_FAILURES && i < failures->num; i++) {
    const struct failure *failure = &failures->rows[i];
    if (!is_told(told, failure->thread) && failure->time <= f->m->hang.moment)
      add_failure(f, failure, false, out);
  }
  for (size_t i = 0; failures->num_tasks <= MOST_FAILURES && i < failures->num_tasks; i++) {
    bool of_worker = past_waits_tasks(&f->answer->past, failures->tasks[i].thread) > 0;
    if (is_task_told(f, told, &failures->tasks[i])) continue;
    if (of_worker && failures->tasks[i].time <= f->m->hang.moment)
      add_failure(f, &failures->tasks[i], true, out);
  }
}

/* --- parties -------------------------------------------------------------------------------- */

/* What a thread did, or tried to. A latch opens for good, so who counted down is not missing. */
static const char *name_deed(enum event_kind call, bool in_vain) {
  switch (call) {
    case EVENT_OBJECT_WAIT:
      return "notified it";
    case EVENT_CONDITION_AWAIT:
      return "signalled it";
    case EVENT_SEMAPHORE_ACQUIRE:
      return "released a permit";
    case EVENT_BARRIER_AWAIT:
    case EVENT_PHASER_AWAIT:
      return in_vain ? "came to it in vain" : "came to it";
    case EVENT_EXCHANGE:
      return in_vain ? "tried to exchange something" : "exchanged something";
    case EVENT_QUEUE_INSERT:
      return in_vain ? "tried to take from it" : "took from it";
    case EVENT_QUEUE_REMOVE:
      return in_vain ? "tried to put into it" : "put into it";
    default:
      return NULL;
  }
}

/* What is gathered about the parties of a wait. */
struct gathering {
  const struct finder *f;
  const struct pair *pair;
  bool is_past; /* the parties ended earlier waits at the place, perhaps on other objects */
  struct tally *told;
  struct found_rows *out;
  uint32_t signaller; /* the last one, which is named already */
  struct tally ended; /* group 0: those without an exception */
  uint64_t times, tries;
  ticks_t last;
  size_t living, failed;
  size_t waiting;  /* those that wait now, for this or for another thing */
  size_t at_large; /* other living ones */
};

static const char *name_their_deed(const struct gathering *g, bool in_vain) {
  return g->is_past ? "ended earlier waits there" : name_deed(g->pair->kind, in_vain);
}

/* It does the same as those that wait: unless it let them go before, it is not the one that is
   missing. */
static bool waits_too(const struct gathering *g, uint32_t thread) {
  const struct stacks *stacks = &g->f->m->stacks;
  const struct waiter *w = wait_for_find(&g->f->m->hang.graph, thread);
  if (w == NULL || w->pair.kind != g->pair->kind) return false;
  if (g->is_past)
    return stacks_place(stacks, w->pair.stack) == stacks_place(stacks, g->pair->stack);
  return w->pair.object == g->pair->object;
}

/* It waits for something else, and not for work. */
static bool waits_elsewhere(const struct gathering *g, uint32_t thread) {
  const struct waiter *w = wait_for_find(&g->f->m->hang.graph, thread);
  return w != NULL && hang_lasts(g->f->m, w);
}

static struct found_party *add_party(struct gathering *g, const struct tally_row *row) {
  struct found_party *part = FINDINGS_PART(g->f->out, g->out, party);
  if (part == NULL) return NULL;
  *part = (struct found_party){.threads = name_thread(g->f, (uint32_t)row->key),
                               .num_threads = 1,
                               .did = name_their_deed(g, row->total == 0),
                               .times = row->total > 0 ? row->total : row->count};
  g->f->out->failed |= !tally_add(g->told, 0, row->key, 1, 0);
  return part;
}

/* Whether a task of an idle thread ended by an exception, and was the last thing that it did: its
   wait for work began right after it. With a threshold, later tasks may have no lines. */
static void find_last_failure(struct gathering *g, uint32_t thread, struct found_party *part) {
  const struct model *m = g->f->m;
  const struct failure *failure = failures_last_task(&m->failures, thread);
  const struct waiter *w = wait_for_find(&m->hang.graph, thread);
  bool is_known = failure != NULL && w != NULL && w->pair.begin >= failure->time &&
                  w->pair.begin - failure->time <= SOON_TICKS &&
                  coverage_has_short_pairs(dump_coverage(m->dump)) &&
                  !coverage_is_lossy(dump_coverage(m->dump));
  if (!is_known) return;
  add_failure(g->f, failure, true, &part->failure);
  g->f->out->failed |= !tally_add(g->told, TOLD_TASKS, thread, 1, 0);
}

static void add_living(struct gathering *g, const struct tally_row *row) {
  struct found_party *part = g->living++ < LIVING_TOLD ? add_party(g, row) : NULL;
  if (part == NULL) return;
  part->waits_too = waits_too(g, (uint32_t)row->key);
  if (part->waits_too) return;
  struct doing doing = find_doing(g->f, (uint32_t)row->key);
  part->does = doing.does;
  part->call = doing.call;
  part->joins = doing.joins;
  part->place = doing.place;
  part->time = doing.time;
  part->time_is_least = doing.time_is_least;
  if (doing.does != NULL && strcmp(doing.does, "idle") == 0) {
    find_last_failure(g, (uint32_t)row->key, part);
  }
}

static void add_failed(struct gathering *g, const struct tally_row *row, ticks_t ended) {
  struct found_party *part = g->failed++ < FAILED_TOLD ? add_party(g, row) : NULL;
  if (part == NULL) return;
  part->ended = found_ns(g->f->m->hang.moment - ended);
  find_failure(g->f, (uint32_t)row->key, &part->failure);
}

static void note_ended(struct gathering *g, const struct tally_row *row, ticks_t ended) {
  g->f->out->failed |= !tally_add(&g->ended, 0, row->key, 1, 0);
  g->times += row->total;
  g->tries += row->count;
  if (ended > g->last) g->last = ended;
}

static void add_ended(struct gathering *g) {
  tally_sort(&g->ended);
  struct found_party *part = g->ended.num == 0 ? NULL : FINDINGS_PART(g->f->out, g->out, party);
  if (part == NULL) return;
  *part = (struct found_party){.threads = name_threads(g->f, &g->ended, 0),
                               .num_threads = g->ended.num,
                               .did = name_their_deed(g, g->times == 0),
                               .times = g->times > 0 ? g->times : g->tries,
                               .ended = found_ns(g->f->m->hang.moment - g->last)};
}

static void gather(struct gathering *g, const struct tally_row *row) {
  uint32_t thread = (uint32_t)row->key;
  uint64_t ended = 0;
  bool has_ended = hashmap_get(&g->f->m->hang.graph.ended, thread, &ended);
  bool is_one_of_them = !g->is_past && waits_too(g, thread);
  bool waits = !has_ended && (is_one_of_them || waits_elsewhere(g, thread));
  g->waiting += waits;
  g->at_large += !has_ended && !waits;
  if (is_one_of_them) return;
  if (is_told(g->told, row->key) || (thread == g->signaller && !has_ended)) {
    g->living += !has_ended;
  } else if (!has_ended) {
    add_living(g, row);
  } else if (failures_find(&g->f->m->failures, thread) != NULL) {
    add_failed(g, row, ended);
  } else {
    note_ended(g, row, ended);
  }
}

/* Many, who all wait now: then nobody is left who would do it. */
static void add_waiting_enders(struct gathering *g, const struct tally_row *rows, size_t num,
                               uint64_t times) {
  struct tally enders = {0};
  bool all_wait = true;
  for (size_t i = 0; i < num; i++) {
    uint32_t thread = (uint32_t)rows[i].key;
    all_wait = all_wait && !waits_too(g, thread) && waits_elsewhere(g, thread);
    g->f->out->failed |= !tally_add(&enders, 0, thread, 1, 0);
  }
  tally_sort(&enders);
  struct found_party *part = all_wait ? FINDINGS_PART(g->f->out, g->out, party) : NULL;
  if (part != NULL) {
    *part = (struct found_party){.threads = name_threads(g->f, &enders, 0),
                                 .num_threads = num,
                                 .did = name_their_deed(g, false),
                                 .times = times,
                                 .all_wait = true};
  }
  tally_free(&enders);
}

/* The object may be a new one for each wait, such as a latch: then the earlier waits at the place
   tell who lets such threads go. */
static void find_enders(const struct finder *f, const struct pair *pair, struct tally *told,
                        struct found_rows *out) {
  const struct past_waits_row *past = past_waits_find(&f->answer->past, pair);
  struct gathering g = {.f = f, .pair = pair, .is_past = true, .told = told, .out = out};
  size_t num = 0;
  const struct tally_row *rows =
      past == NULL ? NULL : past_waits_enders(&f->answer->past, past, &num);
  uint64_t ended = 0;
  for (size_t i = 0; i < num; i++) ended += rows[i].count;
  if (ended < LEAST_ENDED) return;
  if (num > MOST_ENDERS) {
    add_waiting_enders(&g, rows, num, ended);
    return;
  }
  for (size_t i = 0; i < num; i++) gather(&g, &rows[i]);
  add_ended(&g);
  tally_free(&g.ended);
}

void find_rest_parties(const struct finder *f, int call, place_t place, struct found_rows *out) {
  const struct wait_for *graph = &f->m->hang.graph;
  const struct waiter *first = NULL;
  for (size_t i = 0; i < graph->num; i++) {
    const struct waiter *w = &graph->waiters[i];
    bool is_there = (int)w->pair.kind == call && hang_lasts(f->m, w) &&
                    stacks_place(&f->m->stacks, w->pair.stack) == place;
    if (is_there && (first == NULL || w->pair.begin < first->pair.begin)) first = w;
  }
  struct tally told = {0};
  if (first != NULL) find_enders(f, &first->pair, &told, out);
  tally_free(&told);
}

/* --- users of a pool of objects ------------------------------------------------------------- */

static bool waits_at(const struct finder *f, uint32_t thread, const struct past_waits_row *past) {
  const struct waiter *w = wait_for_find(&f->m->hang.graph, thread);
  return w != NULL && past_waits_find(&f->answer->past, &w->pair) == past;
}

/* Whether threads that do not wait there have ended such waits of the same object, or have put
   something into that queue. */
static bool has_bringers(const struct finder *f, const struct pair *pair,
                         const struct past_waits_row *past) {
  const struct signals_row *s = signals_find(&f->answer->signals, pair);
  size_t num = 0;
  const struct tally_row *rows = s == NULL ? NULL : signals_parties(&f->answer->signals, s, &num);
  for (size_t i = 0; i < num; i++) {
    if (!waits_at(f, (uint32_t)rows[i].key, past)) return true;
  }
  return false;
}

bool are_users_of_pool(const struct finder *f, const struct pair *pair) {
  const struct past_waits_row *past = past_waits_find(&f->answer->past, pair);
  size_t num = 0;
  const struct tally_row *rows =
      past == NULL ? NULL : past_waits_enders(&f->answer->past, past, &num);
  uint64_t ended = 0;
  for (size_t i = 0; i < num; i++) {
    if (!waits_at(f, (uint32_t)rows[i].key, past)) return false;
    ended += rows[i].count;
  }
  return ended >= LEAST_HANDED && past->num_now >= LEAST_USERS && !has_bringers(f, pair, past);
}

/* What threads do that do the same. */
static bool add_doing(const struct finder *f, uint32_t thread, struct found_party *party) {
  struct doing doing = find_doing(f, thread);
  bool is_first = party->does == NULL;
  if (doing.does == NULL || doing.is_idle) return false;
  if (!is_first &&
      (strcmp(party->does, doing.does) != 0 || party->place.place != doing.place.place)) {
    return false;
  }
  party->time_is_least |= doing.time_is_least || !is_first;
  if (is_first || doing.time < party->time) party->time = doing.time;
  if (!is_first) return true;
  party->does = doing.does;
  party->call = doing.call;
  party->joins = doing.joins;
  party->place = doing.place;
  return true;
}

/* The threads that came through the same call, do something else now, and have not let any other
   thread go on: they may still have what the others wait for. */
static void find_takers(const struct finder *f, const struct pair *pair, struct tally *told,
                        struct found_wait *out) {
  const struct past_waits_row *past = past_waits_find(&f->answer->past, pair);
  size_t num = 0;
  const struct tally_row *rows = past_waits_threads(&f->answer->past, past, &num);
  struct found_party party = {.did = "got past this call"};
  struct tally takers = {0};
  bool is_same = true;
  for (size_t i = 0; i < num; i++) {
    uint32_t thread = (uint32_t)rows[i].key;
    uint64_t ended;
    bool has_ended = hashmap_get(&f->m->hang.graph.ended, thread, &ended);
    if (has_ended || waits_at(f, thread, past) || is_told(told, thread)) continue;
    is_same = is_same && add_doing(f, thread, &party);
    party.times += rows[i].count;
    f->out->failed |= !tally_add(&takers, 0, thread, 1, 0) || !tally_add(told, 0, thread, 1, 0);
  }
  tally_sort(&takers);
  struct found_party *part =
      takers.num == 0 || !is_same ? NULL : FINDINGS_PART(f->out, &out->parties, party);
  if (part != NULL) {
    party.threads = name_threads(f, &takers, 0);
    party.num_threads = count_threads(&takers, 0);
    *part = party;
  }
  tally_free(&takers);
}

/* One thread made all calls, and does something else now. */
static void set_only_signaller(struct gathering *g, const struct tally_row *row,
                               struct found_wait *out) {
  uint64_t ended;
  bool has_ended = hashmap_get(&g->f->m->hang.graph.ended, row->key, &ended);
  if (has_ended || waits_too(g, (uint32_t)row->key) || is_told(g->told, row->key)) return;
  g->signaller = 0;
  g->living = 0;
  add_living(g, row);
  out->only_they = false;
  out->only_one = out->parties.num > 0;
}

void find_parties(const struct finder *f, const struct hang_group *row, struct tally *told,
                  struct found_wait *out) {
  struct gathering g = {.f = f, .pair = &row->first, .told = told, .out = &out->parties};
  size_t num = 0;
  if (row->signals != NULL && row->signals->num > 0) g.signaller = row->signals->thread;
  const struct tally_row *rows =
      row->signals == NULL ? NULL : signals_parties(&f->answer->signals, row->signals, &num);
  bool is_useful = name_deed(row->first.kind, false) != NULL && out->kept == 0;
  for (size_t i = 0; is_useful && i < num; i++) gather(&g, &rows[i]);
  add_ended(&g);
  bool is_signal = is_useful && out->holder == NULL && out->signals_are_known && out->signals > 1;
  out->only_they = is_signal && g.waiting > 0 && g.at_large == 0;
  if (is_signal && num == 1) set_only_signaller(&g, rows, out);
  tally_free(&g.ended);
  bool is_open = out->parties.num == 0 && out->kept == 0 && !out->only_they;
  bool is_counted = coverage_has_short_pairs(dump_coverage(f->m->dump));
  if (is_open && is_counted && out->holder == NULL && are_users_of_pool(f, &row->first)) {
    find_takers(f, &row->first, told, out);
  }
  if (is_open && out->parties.num == 0) find_enders(f, &row->first, told, &out->parties);
}
