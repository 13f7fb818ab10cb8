#include "tools/orca/cmd/dump_command.h"

#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/render/progress.h"

#define FAULTS_SAID 3 /* kinds of them */

static void say_why(const struct builder *why) {
  if (why->failed) {
    log_line("there is not enough memory");
  } else {
    log_line("%.*s", (int)why->len, why->data);
  }
}

/* No bytes: a file is read to its end, and something may be printed now. */
static void read_bytes(void *progress, uint64_t bytes) {
  if (bytes > 0) {
    progress_add(progress, bytes);
  } else {
    progress_hide(progress);
  }
}

int dump_command(const char *name, int (*run)(struct dump *d, const void *arg), const void *arg) {
  struct builder why = {0};
  struct dump *d = dump_open(name, &why);
  struct progress progress;
  int status = MISUSED;
  if (d != NULL) {
    progress_start(&progress, STDERR_FILENO, dump_bytes(d));
    dump_set_read_callback(d, (struct read_callback){read_bytes, &progress});
    status = run(d, arg);
  } else {
    say_why(&why);
  }
  dump_close(d);
  builder_free(&why);
  return status;
}

/* --- the end -------------------------------------------------------------------------- */

static void say_fault(const char *command, const struct dump *d, const struct fault *fault) {
  struct builder text = {0};
  fault_write(&text, dump_prefix(d), fault);
  if (!text.failed) log_line("%s: %.*s", command, (int)text.len - 1, text.data);
  builder_free(&text);
}

int dump_command_end(const char *command, struct dump *d, int status) {
  struct faults *faults = dump_faults(d);
  if (status == MISUSED || (faults->num == 0 && !faults->failed)) return status;
  faults_sort(faults);
  for (size_t i = 0; i < faults->num && i < FAULTS_SAID; i++) {
    say_fault(command, d, &faults->rows[i]);
  }
  if (faults->num > FAULTS_SAID || faults->failed) {
    log_line("%s: and more in the files is broken; see orca check %s", command, dump_prefix(d));
  }
  return WRONG;
}
