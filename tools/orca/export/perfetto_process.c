#include "tools/orca/export/perfetto_process.h"

#include "tools/orca/model/replay/machine.h"

/* In longer recordings adjacent spells are merged, and the shortest pauses are left out. */
#define MAX_SPELLS 100000
#define MAX_PAUSES 100000

#define PAUSES_ROW 1 /* the one row of the group */

/* The number of busy CPUs, with three decimals. */
static void put_busy_cpus(struct trace *t, const char *key, uint64_t ns, ticks_t length) {
  json_key(&t->json, key);
  json_decimal(&t->json, (int64_t)((double)ns * TICKS_PER_NS * 1000 / (double)length), 3);
}

/* A counter's value holds until its next value, that is from the begin of a spell to the next one.
 */
static bool put_spell(struct trace *t, const struct machine_spell *spell) {
  ticks_t length = spell->end - spell->begin;
  if (length == 0) return true;
  trace_begin(t, "C", TRACE_PROCESS, 0, spell->begin);
  json_text_member(&t->json, "name", "CPUs busy");
  json_key(&t->json, "args");
  json_begin_object(&t->json);
  put_busy_cpus(t, "JIT compiler", spell->jit_ns, length);
  put_busy_cpus(t, "garbage collector", spell->gc_ns, length);
  put_busy_cpus(t, "whole process", spell->process_ns, length);
  json_end_object(&t->json);
  return trace_end(t);
}

bool perfetto_process(struct trace *t) {
  struct machine_times times;
  bool is_good = machine_times_read(&times, t->job->model, MAX_SPELLS, MAX_PAUSES);
  for (size_t i = 0; i < times.num && is_good; i++) is_good = put_spell(t, &times.spells[i]);
  for (size_t i = 0; i < times.pauses.num && is_good; i++) {
    const struct pair *pause = &times.pauses.rows[i];
    trace_begin(t, "X", TRACE_PROCESS, PAUSES_ROW, pause->begin);
    trace_put_duration(t, pause->begin, pause->end);
    json_text_member(&t->json, "name", "GC pause");
    json_text_member(&t->json, "cat", "pause");
    is_good = trace_end(t);
  }
  machine_times_free(&times);
  return is_good;
}
