#include "tools/orca/digest/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------- */

/* Reads the file, but at most one byte more than a digest may have. */
static bool read_text(const char *name, struct builder *text, struct builder *why) {
  char block[4096];
  size_t len;
  FILE *file = fopen(name, "re");
  if (file == NULL) {
    builder_format(why, "cannot read %s: %s", name, strerror(errno));
    return false;
  }
  while (text->len <= DIGEST_MOST_BYTES && (len = fread(block, 1, sizeof block, file)) > 0) {
    builder_bytes(text, block, len);
  }
  bool good = !ferror(file);
  if (!good) builder_format(why, "cannot read %s: %s", name, strerror(errno));
  fclose(file);
  why->failed |= text->failed;
  return good && !text->failed;
}

static bool read_digest(struct digest_file *out, const char *name, struct builder *why) {
  struct builder text = {0}, reason = {0};
  bool good = read_text(name, &text, why);
  if (good) {
    good = digest_parse((struct span){text.len == 0 ? "" : text.data, text.len}, out, &reason);
    if (!good)
      builder_format(why, "%s: %.*s", name, (int)reason.len, reason.len == 0 ? "" : reason.data);
  }
  why->failed |= reason.failed;
  builder_free(&reason);
  builder_free(&text);
  return good;
}

/* --- the dump --------------------------------------------------------------------------- */

static bool write_table(const struct unpacked *u, enum dump_file file, const struct builder *text,
                        struct builder *why) {
  struct builder path = {0};
  builder_format(&path, "%s%s%c", u->prefix, dump_suffixes[file], '\0');
  FILE *out = path.failed ? NULL : fopen(path.data, "wxe");
  bool good =
      out != NULL && fwrite(text->data == NULL ? "" : text->data, 1, text->len, out) == text->len;
  if (out != NULL && fclose(out) != 0) good = false;
  if (!good) builder_format(why, "cannot write into the temporary folder: %s", strerror(errno));
  builder_free(&path);
  return good;
}

bool digest_open(struct digest_file *out, struct unpacked *u, const char *name,
                 struct builder *why) {
  *u = (struct unpacked){0};
  bool good = read_digest(out, name, why) && temporary_make(&u->temporary, why);
  if (good) {
    size_t len = strlen(u->temporary.folder) + sizeof "/digest";
    u->prefix = malloc(len);
    if (u->prefix != NULL) snprintf(u->prefix, len, "%s/digest", u->temporary.folder);
    good = u->prefix != NULL;
    why->failed |= !good;
  }
  for (int file = 0; good && file < NUM_DUMP_FILES; file++) {
    good = write_table(u, (enum dump_file)file, &out->tables[file], why);
  }
  if (good) return true;
  unpacked_remove(u);
  digest_file_free(out);
  return false;
}

/* --- the model -------------------------------------------------------------------------- */

static bool fill_tasks(struct process *p, const struct digest_file *f) {
  p->tasks = calloc(NUM_TASK_KINDS, sizeof *p->tasks);
  if (p->tasks == NULL) return false;
  p->tasks_capacity = NUM_TASK_KINDS;
  for (int kind = 0; kind < NUM_TASK_KINDS; kind++) {
    const struct digest_task *task = &f->tasks[kind];
    if (!task->is_known) continue;
    p->tasks[p->num_tasks++] = (struct process_task){.kind = (enum task_kind)kind,
                                                     .cpu_ns = task->cpu_ns,
                                                     .wait_ns = task->wait_ns,
                                                     .wait_known = p->wait_known};
  }
  return true;
}

bool digest_fill(struct model *m, struct dump *d, struct digest_file *f) {
  const struct model *values = &f->values;
  *m = (struct model){.dump = d};
  matcher_start(&m->matcher, NULL, d);
  recording_start(&m->recording, d);
#define VALUE(key, member, most) m->member = values->member;
#include "tools/orca/digest/value.def"
  m->recording.all_events = m->recording.num_events; /* a digest has no filter */
  m->recording.all_samples = m->recording.samples;
  m->recording.all_cpu_samples = m->recording.cpu_samples;
  recording_end(&m->recording, d, 0, UINT64_MAX);
  m->sums = f->sums;
  f->sums = (struct sums){0};
  return fill_tasks(&m->process, f);
}
