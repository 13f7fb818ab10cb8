#include "tools/orca/render/view/stall_words.h"

#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/model/state/io_call.h"

/* " in a socket read (Net.poll)"; without the method if it is also the place, or without the words
   if there are none. */
static void put_io(struct builder *b, const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  if (depth == 0) return;
  const char *words = io_call_words(m->dump, &m->stacks, stack);
  bool is_place = place_method(stacks_place(&m->stacks, stack)) == frames[0].method;
  if (words != NULL) builder_format(b, " in %s", words);
  if (is_place) return;
  builder_string(b, words == NULL ? " in " : " (");
  names_method(b, m->dump, frames[0].method);
  if (words != NULL) builder_char(b, ')');
}

/* Returns the method of the JDK that the program called; 0: there is no such frame. */
static uint32_t find_called(const struct model *m, stack_id_t stack) {
  size_t depth = 0, i = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  while (i < depth && place_is_platform(m->dump, frames[i].method)) i++;
  return i == 0 || i == depth ? 0 : frames[i - 1].method;
}

/* The program may have called another method, which made the call: Process.waitFor waits in
   Object.wait, CompletableFuture.join in "Future.get or join". */
static void put_java_call(struct builder *b, const struct model *m, enum event_kind call,
                          stack_id_t stack) {
  const char *name = view_call_name(call), *dot = strrchr(name, '.');
  uint32_t called = find_called(m, stack);
  const struct method_line *method = called == 0 ? NULL : dump_method(m->dump, called);
  builder_string(b, " in ");
  if (method == NULL || dot == NULL || span_is(method->name, dot + 1)) {
    builder_string(b, name);
  } else {
    names_method(b, m->dump, called);
  }
}

void view_put_call(struct builder *b, const struct model *m, int call, stack_id_t stack) {
  if (call == CALL_IO) put_io(b, m, stack);
  bool is_told = call >= 0 && call != EVENT_THREAD_SLEEP && call != EVENT_THREAD_PARK;
  if (is_told) put_java_call(b, m, (enum event_kind)call, stack);
}

size_t view_num_threads(const struct tally *threads, uint32_t group) {
  size_t num;
  tally_of(threads, group, &num);
  return num;
}

/* Returns the length of the name of a thread up to its number in a ThreadPoolExecutor; 0: it is in
   none. */
static size_t find_pool_stem(const struct thread *t) {
  const char *end = t == NULL || t->name == NULL ? NULL : strstr(t->name, "-thread-");
  return end == NULL ? 0 : (size_t)(end - t->name) + strlen("-thread-");
}

/* Are the threads of a group all the threads of one ThreadPoolExecutor? */
static bool is_whole_pool(const struct model *m, const struct tally *threads, uint32_t group) {
  size_t num, living = 0;
  const struct tally_row *rows = tally_of(threads, group, &num);
  const struct thread *first = threads_find(&m->threads, (uint32_t)rows[0].key);
  size_t stem = find_pool_stem(first);
  if (stem == 0) return false;
  for (size_t i = 1; i < num; i++) {
    const struct thread *t = threads_find(&m->threads, (uint32_t)rows[i].key);
    if (find_pool_stem(t) != stem || strncmp(t->name, first->name, stem) != 0) return false;
  }
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    living += t->name != NULL && strncmp(t->name, first->name, stem) == 0;
  }
  return living == num;
}

void view_put_pool_note(struct builder *b, const struct model *m, const struct tally *threads,
                        uint32_t group, int call) {
  bool is_future = call >= 0 && event_infos[call].group == GROUP_FUTURE;
  if ((!is_future && call != CALL_IO) || !is_whole_pool(m, threads, group)) return;
  builder_format(
      b, " (%s of %s pool: a task that is queued in it cannot run)",
      view_num_threads(threads, group) == 1 ? "this is the only worker" : "these are all workers",
      view_num_threads(threads, group) == 1 ? "its" : "their");
}

ticks_t view_cpu_wait(const struct model *m, uint32_t row_id) {
  size_t num;
  const struct tally_row *threads = tally_of(&m->spending.threads, row_id, &num);
  uint64_t waited = 0, ns;
  for (size_t i = 0; i < num; i++) {
    if (process_wait(&m->process, (uint32_t)threads[i].key, &ns)) waited += ns;
  }
  return waited * TICKS_PER_NS;
}

static int rank_call(int call) { return call == CALL_IO ? 0 : call == EVENT_THREAD_JOIN ? 2 : 1; }

int view_compare_calls(int left, int right) { return rank_call(left) - rank_call(right); }
