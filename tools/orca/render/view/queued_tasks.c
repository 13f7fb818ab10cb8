#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static const struct column columns[] = {
    {.key = "count", COLUMN_RAW(struct queued_tasks, num)},
    {.key = "total_ns", COLUMN_TICKS(struct queued_tasks, total)},
    {.key = "longest_ns", COLUMN_TICKS(struct queued_tasks, longest)},
    {.key = "long_count", COLUMN_RAW(struct queued_tasks, long_num)},
    {.key = "long_total_ns", COLUMN_TICKS(struct queued_tasks, long_total)}};

/* "Tasks were in queues of executors 1,234 times for 97.1 s in total (longest 1.20 s; 12 times for
   10ms or longer, 2.88 s)." */
static void put_sentence(struct builder *b, const struct model *m) {
  const struct queued_tasks *q = &m->queued_tasks;
  builder_string(b, "Tasks were in queues of executors ");
  unit_many(b, q->num, "time", "times");
  builder_format(b, " for %s in total (", UNIT_TICKS(q->total));
  builder_format(b, "longest %s; ", UNIT_TICKS(q->longest));
  view_put_long_times(b, m->dump, q->long_num, q->long_total);
  builder_string(b, ").");
}

void view_queued_tasks(struct page *p, const struct model *m) {
  if (m->queued_tasks.short_calls.num == 0) return;
  if (!page_is_text(p)) {
    struct table *t = TABLE_NEW(columns);
    table_add(t, m, &m->queued_tasks);
    page_table(p, "queued_tasks", "", t, 0);
    return;
  }
  struct builder s = {0};
  put_sentence(&s, m);
  view_put_paragraph(p, &s);
}
