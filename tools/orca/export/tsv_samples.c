/* The table of samples: the Sample and Cpu lines, in the order of the file. */
#include "tools/orca/export/tsv.h"
#include "tools/orca/model/replay/replay.h"

/* If there are Cpu lines, all CPU time comes from them. */
static uint64_t find_cpu_time(const struct tsv *t, const struct sample_line *line) {
  bool counts = line->kind == SAMPLE_CPU || !t->job->model->recording.by_signal;
  return counts && line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
}

static bool write_sample(void *arg, const struct step *step) {
  struct tsv *t = arg;
  const struct sample_line *line = step->sample;
  if (!step_counts(step)) return true;
  bool is_cpu = line->kind == SAMPLE_CPU;
  tsv_begin_row(t);
  tsv_put_time(t, line->time);
  tsv_put_string(t, is_cpu ? "cpu" : "thread");
  tsv_put_thread(t, line->thread);
  tsv_put_hash(t, line->thread);
  tsv_put_string(t, is_cpu ? cpu_place_names[line->place] : activity_names[step->activity]);
  tsv_put_number(t, find_cpu_time(t, line));
  tsv_put_method(t, stack_keys_top(&t->keys, step->stack));
  tsv_put_stack(t, step->stack);
  return tsv_end_row(t);
}

bool tsv_write_samples(struct tsv *t) {
  return replay(t->job->model, PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU), write_sample,
                t);
}
