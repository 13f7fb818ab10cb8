#include "tools/orca/model/queued_tasks.h"

static void add_task(struct queued_tasks *q, ticks_t took) {
  q->num++;
  q->total += took;
  if (took > q->longest) q->longest = took;
  if (took < q->threshold) return;
  q->long_num++;
  q->long_total += took;
}

bool queued_tasks_event(struct queued_tasks *q, const struct event_line *line, bool counts) {
  if (line->kind == EVENT_TASK_QUEUED) return hashmap_put(&q->since, line->object, line->time + 1);
  uint64_t since = 0;
  bool is_known = hashmap_get(&q->since, line->object, &since) && since > 0;
  if (line->kind != EVENT_TASK_TAKEN || !is_known) return true;
  if (counts && line->time + 1 >= since) add_task(q, line->time + 1 - since);
  return hashmap_put(&q->since, line->object, 0);
}

void queued_tasks_short_calls(struct queued_tasks *q, const struct count_line *line) {
  if (line->kind != EVENT_TASK_QUEUED) return;
  struct short_calls calls = short_calls_read(line);
  short_calls_add(&q->short_calls, &calls);
  q->num += calls.num;
  q->total += calls.total;
  if (calls.longest > q->longest) q->longest = calls.longest;
}

void queued_tasks_free(struct queued_tasks *q) {
  hashmap_free(&q->since);
  *q = (struct queued_tasks){0};
}
