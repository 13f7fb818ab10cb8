/* Names of calls that wait, sleep, are parked or in I/O, and of the pools that wait in them. */
#include "tools/orca/answer/find.h"

#include <string.h>

#include "tools/orca/model/names.h"

static const char *find_method_words(const struct dump *d, uint32_t id) {
  static const struct {
    const char *class_signature, *method, *words;
  } calls[] = {
#define IO_CALL(class_signature, method, words) {class_signature, method, words},
#include "tools/orca/answer/io_call.def"
  };
  const struct method_line *method = dump_method(d, id);
  const struct class_line *class = method == NULL ? NULL : dump_class(d, method->class_id);
  for (size_t i = 0; class != NULL && i < sizeof calls / sizeof *calls; i++) {
    if (span_is(method->name, calls[i].method) &&
        span_is(class->signature, calls[i].class_signature)) {
      return calls[i].words;
    }
  }
  return NULL;
}

/* "a socket read (Net.poll)"; without the method if it is also the place. The innermost method of
   the stack that io_call.def has decides what it is. */
static void put_io(struct builder *b, const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  const char *words = NULL;
  if (depth == 0) return;
  for (size_t i = 0; i < depth && words == NULL; i++) {
    words = find_method_words(m->dump, frames[i].method);
  }
  bool is_place = place_method(stacks_place(&m->stacks, stack)) == frames[0].method;
  if (words != NULL) builder_string(b, words);
  if (is_place) return;
  if (words != NULL) builder_string(b, " (");
  names_method(b, m->dump, frames[0].method);
  if (words != NULL) builder_char(b, ')');
}

uint32_t find_called(const struct model *m, stack_id_t stack) {
  size_t depth = 0, i = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  while (i < depth && place_is_platform(m->dump, frames[i].method)) i++;
  return i == 0 || i == depth ? 0 : frames[i - 1].method;
}

const char *name_called(const struct finder *f, stack_id_t stack) {
  struct builder b = {0};
  const struct model *m = f->m;
  uint32_t called = find_called(m, stack);
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  bool has_words = false;
  for (size_t i = 0; i < depth && called != 0 && !has_words; i++) {
    has_words = find_method_words(m->dump, frames[i].method) != NULL;
  }
  if (has_words) {
    put_io(&b, m, stack);
  } else if (called != 0) {
    names_method(&b, m->dump, called);
  }
  return findings_text(f->out, &b);
}

/* The program may have called another method, which made the call: Process.waitFor waits in
   Object.wait, CompletableFuture.join in "Future.get or join". */
static void put_java_call(struct builder *b, const struct model *m, enum event_kind call,
                          stack_id_t stack) {
  const char *name = names_call(call), *dot = strrchr(name, '.');
  uint32_t called = find_called(m, stack);
  const struct method_line *method = called == 0 ? NULL : dump_method(m->dump, called);
  if (method == NULL || dot == NULL || span_is(method->name, dot + 1)) {
    builder_string(b, name);
  } else {
    names_method(b, m->dump, called);
  }
}

const char *name_call(const struct finder *f, int call, stack_id_t stack) {
  struct builder b = {0};
  bool is_named = call >= 0 && call != EVENT_THREAD_SLEEP && call != EVENT_THREAD_PARK;
  uint32_t called = call == CALL_OF_PROGRAM ? find_called(f->m, stack) : 0;
  if (call == CALL_IO) put_io(&b, f->m, stack);
  if (called != 0) names_method(&b, f->m->dump, called);
  if (is_named) put_java_call(&b, f->m, (enum event_kind)call, stack);
  return findings_text(f->out, &b);
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

uint64_t count_pool_workers(const struct finder *f, const struct tally *threads, uint32_t group,
                            int call) {
  bool is_future = call >= 0 && event_infos[call].group == GROUP_FUTURE;
  bool waits = is_future || call == CALL_IO;
  return waits && is_whole_pool(f->m, threads, group) ? count_threads(threads, group) : 0;
}

ticks_t find_cpu_wait(const struct model *m, uint32_t row_id) {
  size_t num;
  const struct tally_row *threads = tally_of(&m->spending.threads, row_id, &num);
  uint64_t waited = 0, ns;
  for (size_t i = 0; i < num; i++) {
    if (process_wait(&m->process, (uint32_t)threads[i].key, &ns)) waited += ns;
  }
  return waited * TICKS_PER_NS;
}

static int rank_call(int call) {
  bool joins = call >= 0 && event_joins((enum event_kind)call);
  return call == CALL_IO ? 0 : joins ? 2 : 1;
}

int compare_calls(int left, int right) { return rank_call(left) - rank_call(right); }
