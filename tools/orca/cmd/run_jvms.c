#include "tools/orca/cmd/run_jvms.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/model.h"
#include "tools/orca/render/view/view.h"
#include "tools/orca/run/launch.h"
#include "tools/orca/run/shown_path.h"

static void quote_path(struct builder *out, const char *path) {
  struct builder shown = {0};
  shown_path(&shown, path);
  builder_char(&shown, '\0');
  launch_quote(out, shown.failed ? path : shown.data);
  builder_char(out, '\0');
  builder_free(&shown);
}

/* The report of the first one says why its recording cannot be read. */
static void read_jvm(struct run_jvm *jvm, const char *path) {
  struct builder why = {0};
  struct model model = {0};
  jvm->path = path;
  quote_path(&jvm->quoted, path);
  struct dump *d = dump_open(path, &why);
  if (d != NULL && model_read(&model, d, NULL, ANALYSES(PROCESS))) {
    jvm->cpu_ns = model.process.known ? model.process.cpu_ns : model.cpu.total_ns;
    jvm->time = recording_time(&model.recording);
    view_command_line(&jvm->command, &model);
  }
  if (d != NULL) {
    model_free(&model);
    dump_close(d);
  }
  builder_free(&why);
}

static int compare_work(const void *left, const void *right) {
  const struct run_jvm *a = left, *b = right;
  if (a->cpu_ns != b->cpu_ns) return a->cpu_ns < b->cpu_ns ? 1 : -1;
  if (a->time != b->time) return a->time < b->time ? 1 : -1;
  return strcmp(a->path, b->path);
}

bool run_jvms_read(struct run_jvms *out, const struct new_dumps *dumps) {
  *out = (struct run_jvms){.rows = calloc(dumps->num, sizeof *out->rows)};
  if (out->rows == NULL) return false;
  bool ok = true;
  for (; out->num < dumps->num; out->num++) {
    read_jvm(&out->rows[out->num], dumps->prefixes[out->num]);
    ok &= !out->rows[out->num].quoted.failed;
  }
  qsort(out->rows, out->num, sizeof *out->rows, compare_work);
  if (!ok) run_jvms_free(out);
  return ok;
}

void run_jvms_free(struct run_jvms *jvms) {
  for (size_t i = 0; i < jvms->num; i++) {
    builder_free(&jvms->rows[i].quoted);
    builder_free(&jvms->rows[i].command);
  }
  free(jvms->rows);
  *jvms = (struct run_jvms){0};
}
