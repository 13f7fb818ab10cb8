#include "tools/orca/model/replay/machine.h"

#include <stdlib.h>

struct machine_reading {
  struct machine_times *times;
  const struct matcher *matcher;
  struct machine_spell now; /* since the last Process line */
};

/* Makes room: merges spells in pairs. */
static void merge_neighbors(struct machine_times *t) {
  for (size_t i = 0; i < t->num / 2; i++) {
    struct machine_spell *to = &t->spells[i];
    const struct machine_spell *a = &t->spells[2 * i], *b = a + 1;
    *to = (struct machine_spell){a->begin, b->end, a->jit_ns + b->jit_ns, a->gc_ns + b->gc_ns,
                                 a->process_ns + b->process_ns};
  }
  if (t->num % 2 == 1) t->spells[t->num / 2] = t->spells[t->num - 1];
  t->num = (t->num + 1) / 2;
}

/* The sampler writes a Process line after the lines of the tasks. */
static void end_spell(struct machine_reading *r, const struct sample_line *line) {
  struct machine_times *t = r->times;
  struct machine_spell *spell = &r->now;
  spell->process_ns = (uint64_t)line->cpu_ns;
  spell->end = line->time;
  if (spell->end > spell->begin && matcher_has_time(r->matcher, line->time)) {
    spell->begin = matcher_clip(r->matcher, spell->begin);
    if (t->num == t->max) merge_neighbors(t);
    t->spells[t->num++] = *spell;
  }
  *spell = (struct machine_spell){.begin = line->time};
}

bool machine_times_read(struct machine_times *t, struct model *m, size_t max_spells,
                        size_t max_pauses) {
  struct machine_reading r = {t, &m->matcher, {.begin = m->recording.start}};
  struct sample_line line;
  *t = (struct machine_times){.max = max_spells};
  if (!m->process.known) return true;
  t->spells = calloc(max_spells, sizeof *t->spells);
  if (t->spells == NULL || !longest_start(&t->pauses, max_pauses)) return false;
  struct stream *s = dump_stream(m->dump, DUMP_SAMPLES);
  while (stream_sample(s, &line)) {
    if (line.kind == SAMPLE_PROCESS) end_spell(&r, &line);
    if (line.kind == SAMPLE_TASK) {
      if (line.task_kind == TASK_KIND_JIT) r.now.jit_ns += (uint64_t)line.cpu_ns;
      if (line.task_kind == TASK_KIND_GC) r.now.gc_ns += (uint64_t)line.cpu_ns;
    }
    if (line.kind == SAMPLE_PAUSE) {
      ticks_t length = (ticks_t)line.pause_ns * TICKS_PER_NS;
      struct pair pause = {.begin = line.time > length ? line.time - length : 0, .end = line.time};
      if (matcher_clip_pair(r.matcher, &pause)) longest_add(&t->pauses, &pause);
    }
  }
  stream_close(s);
  longest_sort(&t->pauses);
  return true;
}

void machine_times_free(struct machine_times *t) {
  free(t->spells);
  longest_free(&t->pauses);
  *t = (struct machine_times){0};
}
