#include "agent/files/short_lines.h"

#include <stdlib.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/record/stack.h"

#define OBJECT_SETS 256 /* 2,048 rows */
#define STACK_SETS 64
/* Lines by object that are written at most each time. With those by stack and by kind alone, they
   are about 100 KB: for weeks, at most 150 MB a day. */
#define MOST_OBJECTS 256

#define TAKE_NS NS_PER_S /* between two looks at the sums of the threads */

/* The files get a line for each row after a pause that is this part of the recording so far, within
   these limits. A killed JVM loses as much. */
#define PAUSES_IN_RECORDING 8
#define SHORTEST_PAUSE_NS NS_PER_S
#define LONGEST_PAUSE_NS (60 * NS_PER_S)

bool short_lines_start(struct short_lines *s, struct short_calls *calls, uint32_t recording,
                       uint64_t now_ns) {
  struct short_sum *rows = memory_new_zeroed(1, short_sums_bytes(OBJECT_SETS, STACK_SETS));
  *s = (struct short_lines){.calls = calls, .recording = recording};
  s->start_ns = s->taken_ns = s->written_ns = now_ns;
  if (rows != NULL) short_sums_init(&s->sums, rows, OBJECT_SETS, STACK_SETS);
  return rows != NULL;
}

void short_lines_end(struct short_lines *s) {
  free(s->sums.rows);
  *s = (struct short_lines){0};
}

static void take_sum(void *arg, struct short_sum *sum) {
  struct short_lines *s = arg;
  s->num_of_threads += sum->calls;
  if (event_begins_span(sum->key.kind)) s->pairs_of_threads += sum->calls;
  if (event_infos[sum->key.kind].group == GROUP_LOCK) s->lock_ns += sum->total_ns;
  short_sums_add(&s->sums, sum);
}

void short_lines_take(struct short_lines *s, uint64_t now_ns) {
  s->taken_ns = now_ns;
  if (s->calls != NULL) short_calls_take(s->calls, s->recording, take_sum, s);
}

void short_lines_look(struct short_lines *s, uint64_t now_ns) {
  if (now_ns - s->taken_ns >= TAKE_NS) short_lines_take(s, now_ns);
}

/* A stack that is not shared is freed with its records. */
static struct stack *find_lasting(struct stack *stack) {
  if (stack == NULL || stack->uses != 0) return NULL;
  struct stack *near = __atomic_load_n(&stack->near, __ATOMIC_ACQUIRE);
  return near != NULL ? near : stack;
}

void short_lines_add(struct short_lines *s, enum event_kind kind, uint32_t object,
                     struct stack *stack, uint64_t ns) {
  struct short_key key = {.object = object, .stack = find_lasting(stack), .kind = kind};
  struct short_sum sum = {.key = key, .calls = 1, .total_ns = ns, .longest_ns = ns};
  short_sums_add(&s->sums, &sum);
}

bool short_lines_is_due(const struct short_lines *s, uint64_t now_ns) {
  uint64_t pause_ns = (now_ns - s->start_ns) / PAUSES_IN_RECORDING;
  if (pause_ns < SHORTEST_PAUSE_NS) pause_ns = SHORTEST_PAUSE_NS;
  if (pause_ns > LONGEST_PAUSE_NS) pause_ns = LONGEST_PAUSE_NS;
  return now_ns - s->written_ns >= pause_ns;
}

void short_lines_write(struct short_lines *s, uint64_t now_ns,
                       void (*write)(void *arg, struct short_sum *sum), void *arg) {
  s->written_ns = now_ns;
  short_sums_keep_objects(&s->sums, MOST_OBJECTS);
  short_sums_take(&s->sums, write, arg);
}
