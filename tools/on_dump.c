#include "tools/on_dump.h"

#include "agent/base/log.h"

static void say_why(const struct builder *why) {
  if (why->failed) {
    log_line("there is not enough memory");
  } else {
    log_line("%.*s", (int)why->len, why->data);
  }
}

int on_dump(const char *name, int (*run)(struct dump *d, const void *arg), const void *arg) {
  struct builder why = {0};
  struct dump *d = dump_open(name, &why);
  int status = MISUSED;
  if (d != NULL) {
    status = run(d, arg);
  } else {
    say_why(&why);
  }
  dump_close(d);
  builder_free(&why);
  return status;
}
