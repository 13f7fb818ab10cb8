#include "agent/writer/trigger_files.h"

#include <stdio.h>
#include <string.h>

#include "agent/writer/snapshot.h"
#include "agent/writer/snapshot_files.h"

#define MAX_NUMBER 99999 /* of the names that are tried */

/* False if the name does not fit. */
static bool make_name(const struct output *o, unsigned number, char *out, size_t size) {
  char prefix[4096];
  set_files_prefix(o->files, prefix, sizeof prefix);
  int len = snprintf(out, size, "%s.trigger-%u", prefix, number);
  return len > 0 && (size_t)len < size;
}

static bool find_free_name(const struct trigger_files *t, const struct output *o,
                           struct snapshot *s, unsigned *number) {
  struct snapshot_files files = {.name = s->name};
  for (*number = t->last + 1; *number <= MAX_NUMBER; ++*number) {
    if (!make_name(o, *number, s->name, sizeof s->name)) break;
    if (!snapshot_files_exist(&files)) return true;
  }
  snprintf(s->error, sizeof s->error, "there is no free name PREFIX.trigger-N");
  return false;
}

/* Deletes the oldest one but the first. */
static void delete_second(struct trigger_files *t, const struct output *o) {
  char name[4096];
  struct snapshot_files files = {.name = name};
  struct kept_files second = t->kept[1];
  t->num--;
  memmove(t->kept + 1, t->kept + 2, (t->num - 1) * sizeof *t->kept);
  if (!make_name(o, second.number, name, sizeof name)) return;
  for (unsigned i = 0; i < second.num_sets; i++) {
    snapshot_files_remove(&files, second.first_set + i);
  }
}

void trigger_files_keep(struct trigger_files *t, struct output *o, char *outcome, size_t size) {
  struct snapshot s = {.last_ns = SNAPSHOT_ALL};
  unsigned number;
  outcome[0] = '\0';
  if (!rotation_is_on(&o->rotation)) return;
  if (!find_free_name(t, o, &s, &number) || !snapshot_make(&s, o)) {
    snprintf(outcome, size, "; the files up to now could not be kept: %s", s.error);
    return;
  }
  if (t->num == TRIGGER_FILES_MAX) delete_second(t, o);
  t->last = number;
  t->kept[t->num++] = (struct kept_files){number, s.first_set, s.num_sets};
  snprintf(outcome, size, "; the files up to now are kept as %s.*", s.name);
}
