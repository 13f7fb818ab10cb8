/* The table of runs: one row, the figures of the whole recording. */
#include "tools/orca/export/program.h"
#include "tools/orca/export/tsv.h"

static void put_info(struct tsv *t, enum info_key key) {
  struct span value = {"", 0};
  if (dump_info(t->job->dump, key, &value)) text_plain(&t->text, value);
  tsv_put_text(t);
}

static void put_info_number(struct tsv *t, enum info_key key) {
  struct span value;
  int64_t n = 0;
  if (!dump_info(t->job->dump, key, &value) || !text_parse_decimal(value, &n) || n < 0) n = 0;
  tsv_put_number(t, (uint64_t)n);
}

bool tsv_write_runs(struct tsv *t) {
  const struct model *m = t->job->model;
  const struct recording *r = &m->recording;
  tsv_begin_row(t);
  tsv_put_time(t, r->from);
  tsv_put_time(t, r->to);
  tsv_put_ticks(t, recording_time(r));
  program_put_name(&t->text, t->job->dump);
  tsv_put_text(t);
  put_info(t, INFO_JAVA_VERSION);
  put_info_number(t, INFO_PID);
  put_info(t, INFO_END_REASON);
  tsv_put_number(t, m->threads.num);
  tsv_put_number(t, r->num_events);
  put_info_number(t, INFO_EVENTS_DROPPED);
  tsv_put_number(t, m->cpu.total_ns);
  tsv_put_ticks(t, locks_blocked(&m->locks));
  tsv_put_number(t, m->deadlocks.num_rings);
  return tsv_end_row(t);
}
