#include "tools/orca/cmd/fail_if.h"

#include <string.h>

#include "tools/orca/cmd/commands.h"

bool fail_if_parse(const char *text, void *target) {
  *(bool *)target = true;
  return strcmp(text, "deadlock") == 0;
}

int fail_if_judge(const struct model *m, bool is_asked) {
  return is_asked && m->deadlocks.num_rings > 0 ? DEADLOCKED : DONE;
}
