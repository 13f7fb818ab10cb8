#include "tools/orca/answer/find_busy_pool.h"

#include <stdlib.h>
#include <string.h>

#include "agent/event/meaning.h"

#define POOL "ForkJoinPool.commonPool"
#define OPTION "java.util.concurrent.ForkJoinPool.common.parallelism="

/* How many workers the pool has: one less than CPUs, if the program does not set it; 0: not known.
 */
static uint64_t find_parallelism(const struct dump *d) {
  struct span command;
  char digits[16] = "";
  bool has_command = dump_info(d, INFO_COMMAND, &command);
  const char *at = has_command ? memmem(command.data, command.len, OPTION, strlen(OPTION)) : NULL;
  if (at != NULL) {
    size_t left = (size_t)(command.data + command.len - at) - strlen(OPTION);
    memcpy(digits, at + strlen(OPTION), left < sizeof digits ? left : sizeof digits - 1);
    return strtoul(digits, NULL, 10);
  }
  uint64_t cpus = (uint64_t)process_cpus(d);
  return cpus > 2 ? cpus - 1 : cpus == 0 ? 0 : 1;
}

/* A worker in a task. */
struct work {
  uint32_t thread;
  place_t place;
  enum activity activity;
  ticks_t since; /* it has been in one wait or call */
};

/* Returns false if the worker is in no task, or may have been in several. */
static bool find_work(const struct finder *f, const struct thread *t, struct work *out) {
  const struct model *m = f->m;
  const struct waiter *w = wait_for_find(&m->hang.graph, t->hash);
  stack_id_t stack = w != NULL ? w->pair.stack : t->activity_stack;
  bool rests = w != NULL || t->activity == ACTIVITY_IO;
  if (!rests || stack == 0 || spending_is_idle(&m->spending, stack) ||
      task_runner_of_stack(&m->stacks, m->dump, stack) != RUNNER_FORK_JOIN)
    return false;
  *out = (struct work){.thread = t->hash,
                       .place = stacks_place(&m->stacks, stack),
                       .activity = t->activity,
                       .since = w != NULL ? w->pair.begin : t->since};
  if (w == NULL && t->io_since != 0) out->since = t->io_since;
  return true;
}

static bool is_worker(const struct model *m, const struct thread *t) {
  static const char start[] = POOL "-worker-";
  return hang_lives(&m->hang, t) && t->name != NULL && strncmp(t->name, start, strlen(start)) == 0;
}

/* Gets all workers, and the one whose work began last. Returns false if one is in no task, or began
   it after `time`, or if the pool may start more. */
static bool find_workers(const struct finder *f, ticks_t time, struct tally *threads,
                         struct work *last, bool *out_alike) {
  const struct threads *all = &f->m->threads;
  size_t num = 0;
  *out_alike = true;
  for (size_t i = 0; i < all->num_all; i++) {
    struct work work;
    if (!is_worker(f->m, &all->rows[i])) continue;
    if (!find_work(f, &all->rows[i], &work) || work.since > time) return false;
    if (num++ > 0) *out_alike &= work.place == last->place && work.activity == last->activity;
    if (num == 1 || work.since > last->since) *last = work;
    f->out->failed |= !tally_add(threads, 0, work.thread, 1, 0);
  }
  uint64_t parallelism = find_parallelism(f->m->dump);
  return num > 0 && parallelism > 0 && num >= parallelism;
}

static void add_party(const struct finder *f, const struct tally *workers, uint32_t last,
                      bool is_alike, struct found_rows *parties) {
  struct doing doing = find_doing(f, last);
  struct found_party *part = doing.does == NULL ? NULL : FINDINGS_PART(f->out, parties, party);
  if (part == NULL) return;
  *part = (struct found_party){.pool = POOL,
                               .pool_workers = count_threads(workers, 0),
                               .is_alike = is_alike,
                               .does = doing.does,
                               .call = doing.call,
                               .joins = doing.joins,
                               .place = doing.place,
                               .time = doing.time,
                               .time_is_least = doing.time_is_least};
  part->time_is_least |= is_alike && part->pool_workers > 1;
  part->threads = is_alike ? name_threads(f, workers, 0) : name_thread(f, last);
  part->num_threads = is_alike ? part->pool_workers : 1;
}

/* The workers may be the ones that wait. */
void find_busy_pool(const struct finder *f, const struct hang_group *row, struct found_wait *out) {
  struct tally workers = {0};
  struct work last = {0};
  bool is_alike, is_future = event_infos[row->first.kind].group == GROUP_FUTURE;
  if (!is_future || out->untaken > 0 || out->parties.num > 0) return;
  ticks_t began = f->m->hang.moment - row->shortest;
  bool is_busy = find_workers(f, began, &workers, &last, &is_alike) && last.place != row->place;
  tally_sort(&workers);
  if (is_busy && !f->out->failed) add_party(f, &workers, last.thread, is_alike, &out->parties);
  tally_free(&workers);
}
