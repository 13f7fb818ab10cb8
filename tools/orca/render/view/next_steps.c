#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"
#include "tools/orca/render/width.h"

#define FEW_SAMPLES 10 /* fewer samples say nothing about methods */
#define LONGEST_COMMAND (sizeof "deadlocks" - 1)
#define LEAST_ANSWER 24 /* columns */

static bool has_deadlock(const struct model *m) { return m->deadlocks.num_rings > 0; }

static bool has_blocked(const struct model *m) {
  return locks_blocked(&m->locks) > recording_time(&m->recording) / 100;
}

static bool has_cpu(const struct model *m) { return m->cpu.num_samples >= FEW_SAMPLES; }

static bool has_neither(const struct model *m) { return !has_blocked(m) && !has_cpu(m); }

/* The commands. NULL as `is_useful`: for every recording. */
static const struct next_step {
  const char *command, *answer;
  bool (*is_useful)(const struct model *m);
} steps[] = {
    {"deadlocks", "who waits for whom", has_deadlock},
    {"locks", "who waited for which lock, who held it", has_blocked},
    {"hot", "methods by CPU time; also --tree", has_cpu},
    {"threads", "what each thread did with its time", has_neither},
    {"html", "a page for a browser", NULL},
    {"report", "the whole report", NULL},
};

/* The command is never cut, because the user may copy it. */
static void put_step(struct builder *b, const struct next_step *step, const struct style *style,
                     const struct view_next *next) {
  struct builder command = {0}, answer = {0};
  size_t padding = LONGEST_COMMAND - strlen(step->command);
  builder_format(&command, "  %s %s %s%*s  ", next->program, step->command, next->prefix,
                 (int)padding, "");
  builder_string(&answer, step->answer);
  if (strcmp(step->command, "report") == 0 && next->more > 0) {
    builder_string(&answer, " with ");
    unit_many(&answer, next->more, "more sentence", "more sentences");
  }
  size_t width = width_measure((struct span){command.data, command.len});
  builder_bytes(b, command.data, command.len);
  width_cut_end(b, (struct span){answer.data, answer.len},
                width + LEAST_ANSWER < style->width ? style->width - width : LEAST_ANSWER);
  builder_char(b, '\n');
  b->failed |= command.failed || answer.failed;
  builder_free(&command);
  builder_free(&answer);
}

void view_next_steps(struct builder *b, const struct model *m, const struct style *style,
                     const struct view_next *next) {
  style_heading(b, style, "What to do next");
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const struct next_step *step = &steps[i];
    if (step->is_useful == NULL || step->is_useful(m)) put_step(b, step, style, next);
  }
}
