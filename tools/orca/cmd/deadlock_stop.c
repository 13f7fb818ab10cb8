#include "tools/orca/cmd/deadlock_stop.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/follow.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/run/new_dumps.h"

#define MIN_TIMES 2 /* the owner of a lock may be told a little later than its wait */
#define QUIET_LOOKS 8

static bool is_known(const struct deadlock_stop *s, const char *prefix) {
  for (size_t i = 0; i < s->num; i++) {
    if (strcmp(s->rows[i].prefix, prefix) == 0) return true;
  }
  return false;
}

/* The agent makes .info first. */
static bool has_events(const char *prefix) {
  struct builder path = {0};
  builder_format(&path, "%s%s%c", prefix, dump_suffixes[DUMP_EVENTS], '\0');
  bool has = !path.failed && access(path.data, R_OK) == 0;
  builder_free(&path);
  return has;
}

static struct follow *open_recording(const char *prefix) {
  struct follow *f = calloc(1, sizeof *f);
  if (f == NULL || follow_open(f, "run", prefix) == DONE) return f;
  free(f);
  return NULL;
}

/* Without memory the recording is tried again in the next look. */
static void add_recording(struct deadlock_stop *s, const char *prefix) {
  struct followed *rows = grow(s->rows, s->num, &s->capacity, sizeof *rows);
  if (rows == NULL) return;
  s->rows = rows;
  char *copy = strdup(prefix);
  if (copy == NULL) return;
  s->rows[s->num++] = (struct followed){.prefix = copy, .follow = open_recording(prefix)};
}

static void find_recordings(struct deadlock_stop *s) {
  struct new_dumps dumps = {0};
  new_dumps_find(&dumps, s->prefix, s->run);
  for (size_t i = 0; i < dumps.num; i++) {
    const char *prefix = dumps.prefixes[i];
    if (!is_known(s, prefix) && has_events(prefix)) add_recording(s, prefix);
  }
  new_dumps_free(&dumps);
}

/* Returns whether the recording up to now has a deadlock of any kind. */
static bool has_deadlock_in_all(const char *prefix) {
  struct builder why = {0};
  struct model model = {0};
  struct dump *d = dump_open(prefix, &why);
  bool is_found = d != NULL && model_read(&model, d, NULL, ANALYSES(DEADLOCKS)) &&
                  model.deadlocks.num_rings > 0;
  if (d != NULL) {
    model_free(&model);
    dump_close(d);
  }
  builder_free(&why);
  return is_found;
}

/* The passes become rare, so a program that only waits for work costs little. */
static bool is_time_for_pass(const struct followed *r) {
  bool is_power_of_2 = (r->quiet & (r->quiet - 1)) == 0;
  return r->quiet >= QUIET_LOOKS && is_power_of_2;
}

static bool has_quiet_deadlock(struct followed *r) {
  uint64_t events = r->follow->live.model.recording.num_events;
  bool is_quiet = events == r->events;
  r->events = events;
  r->quiet = is_quiet ? r->quiet + 1 : 0;
  if (!is_quiet) r->quiet_times = 0;
  if (!is_time_for_pass(r)) return false;
  r->quiet_times = has_deadlock_in_all(r->prefix) ? r->quiet_times + 1 : 0;
  return r->quiet_times >= MIN_TIMES;
}

static bool has_deadlock(struct followed *r) {
  struct deadlocks found = {0};
  if (r->follow == NULL || follow_step(r->follow) != FOLLOW_GROWS) return false;
  if (has_quiet_deadlock(r)) return true;
  bool is_found = live_deadlocks(&r->follow->live, &found) && found.num_rings > 0;
  deadlocks_free(&found);
  r->times = is_found ? r->times + 1 : 0;
  return r->times >= MIN_TIMES;
}

bool deadlock_stop_look(void *arg) {
  struct deadlock_stop *s = arg;
  s->found = NULL;
  find_recordings(s);
  for (size_t i = 0; i < s->num; i++) {
    if (has_deadlock(&s->rows[i])) s->found = s->rows[i].prefix;
  }
  return s->found != NULL;
}

void deadlock_stop_free(struct deadlock_stop *s) {
  for (size_t i = 0; i < s->num; i++) {
    free(s->rows[i].prefix);
    if (s->rows[i].follow == NULL) continue;
    follow_close(s->rows[i].follow);
    free(s->rows[i].follow);
  }
  free(s->rows);
  *s = (struct deadlock_stop){0};
}
