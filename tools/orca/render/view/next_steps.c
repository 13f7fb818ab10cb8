#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define FEW_SAMPLES 10 /* fewer samples say nothing about methods */
#define LONGEST_COMMAND (sizeof "deadlocks" - 1)

bool view_has_deadlock(const struct model *m) { return m->deadlocks.num_rings > 0; }

bool view_has_only_inversion(const struct model *m) {
  return !view_has_deadlock(m) && m->orders.num_rings > 0;
}

bool view_has_blocked(const struct model *m) {
  return locks_blocked(&m->locks) > recording_time(&m->recording) / 100;
}

bool view_has_cpu(const struct model *m) { return m->cpu.num_samples >= FEW_SAMPLES; }

static bool has_neither(const struct model *m) { return !view_has_blocked(m) && !view_has_cpu(m); }

/* The commands. The answers are short, so that no terminal breaks them. NULL as `is_useful`: for
   every recording. */
static const struct next_step {
  const char *command, *answer;
  bool (*is_useful)(const struct model *m);
} steps[] = {
    {"deadlocks", "who waits for whom", view_has_deadlock},
    {"deadlocks", "lock orders that can deadlock", view_has_only_inversion},
    {"locks", "who waited, who held", view_has_blocked},
    {"hot", "methods by CPU time", view_has_cpu},
    {"threads", "time of each thread", has_neither},
    {"html", "a page for a browser", NULL},
    {"report", "the whole report", NULL},
};

/* Nothing is ever cut: the user may copy the command, and an answer has whole words. */
static void put_step(struct builder *b, const struct next_step *step,
                     const struct view_next *next) {
  size_t padding = LONGEST_COMMAND - strlen(step->command);
  builder_format(b, "  %s %s %s%*s  %s", next->program, step->command, next->prefix, (int)padding,
                 "", step->answer);
  if (strcmp(step->command, "report") == 0 && next->more > 0) {
    builder_string(b, ", ");
    unit_many(b, next->more, "more sentence", "more sentences");
  }
  builder_char(b, '\n');
}

void view_next_steps(struct builder *b, const struct model *m, const struct style *style,
                     const struct view_next *next) {
  style_heading(b, style, "What to do next");
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const struct next_step *step = &steps[i];
    if (step->is_useful == NULL || step->is_useful(m)) put_step(b, step, next);
  }
}
