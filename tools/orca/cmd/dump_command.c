#include "tools/orca/cmd/dump_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/digest/digest.h"
#include "tools/orca/pack/located.h"
#include "tools/orca/pack/zipped.h"

#define MAX_FAULTS 3 /* kinds of faults to print */

/* 0 bytes: the stream was closed, and the command may print now. */
static void update_progress(void *progress, uint64_t bytes) {
  if (bytes > 0) {
    progress_add(progress, bytes);
  } else {
    progress_hide(progress);
  }
}

/* Opens what was unpacked from the file `pack`. `name` is what the dump is called: for each file
   that a command makes by default, and in messages. */
static struct dump *open_unpacked(struct open_dump *o, const char *pack, struct builder *name,
                                  struct builder *why) {
  builder_char(name, '\0');
  struct dump *d = name->failed ? NULL : dump_open_pack(o->unpacked.prefix, pack, name->data, why);
  if (name->failed) builder_string(why, "out of memory");
  if (d == NULL) unpacked_remove(&o->unpacked);
  return d;
}

/* Unpacks the file into a temporary folder, which dump_command_close removes. */
static struct dump *open_pack(struct open_dump *o, const char *pack, struct builder *why) {
  struct builder name = {0};
  if (!unpacked_open(&o->unpacked, pack, why)) return NULL;
  builder_bytes(&name, pack, unpacked_stem_len(pack));
  struct dump *d = open_unpacked(o, pack, &name, why);
  builder_free(&name);
  return d;
}

/* The recording "a/shop" in "outputs/x.zip" is called "outputs/shop". */
static struct dump *open_zip(struct open_dump *o, const struct located *l, struct builder *why) {
  struct builder name = {0}, stem = {0};
  const char *zip = l->path.data, *slash = strrchr(zip, '/');
  if (!zipped_open(&o->unpacked, zip, l->recording, &stem, why)) return NULL;
  const char *last = stem.failed ? NULL : strrchr(stem.data, '/');
  if (slash != NULL) builder_bytes(&name, zip, (size_t)(slash + 1 - zip));
  if (!stem.failed) builder_string(&name, last == NULL ? stem.data : last + 1);
  name.failed |= stem.failed;
  struct dump *d = open_unpacked(o, zip, &name, why);
  builder_free(&name);
  builder_free(&stem);
  return d;
}

/* A digest has no events, so only commands that take one can use it. */
static struct dump *open_digest(struct open_dump *o, const char *file, struct builder *why) {
  struct builder name = {0};
  if (!o->takes_digest) {
    builder_format(
        why, "%s is a digest, which only orca diff and orca budget read; give the recording", file);
    return NULL;
  }
  o->digest = calloc(1, sizeof *o->digest);
  if (o->digest == NULL || !digest_open(o->digest, &o->unpacked, file, why)) {
    why->failed |= o->digest == NULL;
    return NULL;
  }
  builder_string(&name, file);
  struct dump *d = open_unpacked(o, file, &name, why);
  builder_free(&name);
  return d;
}

static struct dump *open_named(struct open_dump *o, const char *name, struct builder *why) {
  struct located l;
  struct dump *d = NULL;
  if (digest_is_file(name)) return open_digest(o, name, why);
  if (located_find(&l, name, why)) {
    d = l.kind == LOCATED_ZIP    ? open_zip(o, &l, why)
        : l.kind == LOCATED_PACK ? open_pack(o, l.path.data, why)
                                 : dump_open(l.path.data, why);
  }
  located_free(&l);
  return d;
}

static void free_digest(struct open_dump *o) {
  if (o->digest != NULL) digest_file_free(o->digest);
  free(o->digest);
  o->digest = NULL;
}

bool dump_command_open(struct open_dump *o, const char *name) {
  struct builder why = {0};
  o->unpacked = (struct unpacked){0};
  o->digest = NULL;
  o->dump = open_named(o, name, &why);
  if (o->dump != NULL) {
    progress_start(&o->progress, STDERR_FILENO, dump_bytes(o->dump));
    dump_set_read_callback(o->dump, (struct read_callback){update_progress, &o->progress});
  } else if (why.failed) {
    log_line("out of memory");
  } else {
    log_line("%.*s", (int)why.len, why.data);
  }
  builder_free(&why);
  if (o->dump == NULL) free_digest(o);
  return o->dump != NULL;
}

void dump_command_close(struct open_dump *o) {
  dump_close(o->dump);
  o->dump = NULL;
  unpacked_remove(&o->unpacked);
  free_digest(o);
}

int dump_command_run(const char *name, int (*run)(struct dump *d, const void *arg),
                     const void *arg) {
  struct open_dump o = {.takes_digest = false};
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
