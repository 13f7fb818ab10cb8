#include "tools/orca/cmd/dump_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"

#define MAX_FAULTS 3 /* kinds of faults to print */

/* 0 bytes: the stream was closed, and the command may print now. */
static void update_progress(void *progress, uint64_t bytes) {
  if (bytes > 0) {
    progress_add(progress, bytes);
  } else {
    progress_hide(progress);
  }
}

/* Unpacks the file into a temporary folder, which dump_command_close removes. */
static struct dump *open_pack(struct open_dump *o, const char *name, struct builder *why) {
  if (!unpacked_open(&o->unpacked, name, why)) return NULL;
  char *prefix = strndup(name, unpacked_stem_len(name));
  struct dump *d = prefix == NULL ? NULL : dump_open_pack(o->unpacked.prefix, name, prefix, why);
  if (prefix == NULL) builder_string(why, "out of memory");
  if (d == NULL) unpacked_remove(&o->unpacked);
  free(prefix);
  return d;
}

bool dump_command_open(struct open_dump *o, const char *name) {
  struct builder why = {0};
  o->unpacked = (struct unpacked){0};
  o->dump = unpacked_is_pack(name) ? open_pack(o, name, &why) : dump_open(name, &why);
  if (o->dump != NULL) {
    progress_start(&o->progress, STDERR_FILENO, dump_bytes(o->dump));
    dump_set_read_callback(o->dump, (struct read_callback){update_progress, &o->progress});
  } else if (why.failed) {
    log_line("out of memory");
  } else {
    log_line("%.*s", (int)why.len, why.data);
  }
  builder_free(&why);
  return o->dump != NULL;
}

void dump_command_close(struct open_dump *o) {
  dump_close(o->dump);
  o->dump = NULL;
  unpacked_remove(&o->unpacked);
}

int dump_command_run(const char *name, int (*run)(struct dump *d, const void *arg),
                     const void *arg) {
  struct open_dump o;
  int status = dump_command_open(&o, name) ? run(o.dump, arg) : MISUSED;
  dump_command_close(&o);
  return status;
}

/* --- the end -------------------------------------------------------------------------- */

int dump_command_end(const char *command, struct dump *d, int status) {
  struct faults *faults = dump_faults(d);
  if (status == MISUSED || (faults->num == 0 && !faults->failed)) return status;
  faults_sort(faults);
  for (size_t i = 0; i < faults->num && i < MAX_FAULTS; i++) {
    struct builder text = {0};
    fault_write(&text, dump_prefix(d), &faults->rows[i]);
    if (!text.failed) log_line("%s: %.*s", command, (int)text.len - 1, text.data);
    builder_free(&text);
  }
  if (faults->num > MAX_FAULTS || faults->failed) {
    log_line("%s: the files have more faults; see orca check %s", command, dump_prefix(d));
  }
  return WRONG;
}
