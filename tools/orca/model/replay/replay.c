#include "tools/orca/model/replay/replay.h"

void replay_start(struct pass *p, struct model *m) {
  pass_start(p, m->dump, &m->matcher, &m->stacks);
}

bool replay_run(struct pass *p, const struct model *m) {
  bool good = pass_read(p) && pass_end(p, m->recording.end);
  pass_free(p);
  return good;
}

bool replay(struct model *m, unsigned lines, bool (*take)(void *arg, const struct step *step),
            void *arg) {
  const struct listener row = {.name = "replay", .lines = lines, .take = take};
  struct pass p;
  replay_start(&p, m);
  pass_add(&p, &row, arg);
  return replay_run(&p, m);
}
