#include "agent/tracked/tracked.h"

#include <string.h>

const struct tracked tracked[] = {
#define TRACKED(class, name, descriptor, about, entry, exit) \
  {class, name, descriptor, ABOUT_##about, EVENT_##entry, ENDS_##exit, BRIEF_NOT},
#define LOCKED(class, name, descriptor, about, entry, exit, brief) \
  {class, name, descriptor, ABOUT_##about, EVENT_##entry, ENDS_##exit, BRIEF_##brief},
#include "agent/tracked/tracked.def"
};

const int num_tracked = sizeof tracked / sizeof *tracked;

enum tracked_way tracked_way(const struct tracked *t, const struct options *o) {
  static const enum tracked_way ways[] = {[BRIEF_NOT] = WAY_RECORD,
                                          [BRIEF_TRY] = WAY_TRY,
                                          [BRIEF_COUNT] = WAY_COUNT,
                                          [BRIEF_WAIT] = WAY_RECORD,
                                          [BRIEF_SKIP] = WAY_NONE};
  /* What these calls hide may be of any group. */
  if (t->exit == ENDS_COVER || t->exit == ENDS_HIDDEN) {
    return o->events == 0 ? WAY_NONE : WAY_RECORD;
  }
  if ((o->events >> event_infos[t->entry].group & 1) == 0) return WAY_NONE;
  if (t->exit == ENDS_MADE) return o->threshold > 0 ? WAY_NONE : WAY_MADE;
  if (o->locks == LOCKS_WAITS) return ways[t->brief];
  return t->brief == BRIEF_WAIT ? WAY_NONE : WAY_RECORD;
}

/* Is `signature` the signature of the class `name`: "L" name ";"? */
static bool is_signature_of(const char *signature, const char *name) {
  size_t len = strlen(name);
  return signature[0] == 'L' && strncmp(signature + 1, name, len) == 0 &&
         strcmp(signature + 1 + len, ";") == 0;
}

bool tracked_is_closed(const struct tracked *t) {
  switch (event_infos[t->entry].group) {
    case GROUP_WAIT:
    case GROUP_SLEEP:
    case GROUP_SEMAPHORE:
    case GROUP_LATCH:
    case GROUP_LOCK:
      return true;
    case GROUP_PARK:
      return t->exit == ENDS_PAIR;
    case GROUP_FUTURE:
      return strcmp(t->class_name, "java/util/concurrent/FutureTask") == 0;
    default:
      return false;
  }
}

bool tracked_has_class(const char *class_signature) {
  const char *last_name = NULL; /* most rows of a class are next to each other */
  for (int row = 0; row < num_tracked; row++) {
    const char *name = tracked[row].class_name;
    if (name != last_name && is_signature_of(class_signature, name)) return true;
    last_name = name;
  }
  return false;
}

int tracked_find(const char *class_signature, const char *name, const char *descriptor) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked *t = &tracked[row];
    if (strcmp(t->name, name) == 0 && strcmp(t->descriptor, descriptor) == 0 &&
        is_signature_of(class_signature, t->class_name)) {
      return row;
    }
  }
  return -1;
}

void tracked_print(struct builder *b, int row) {
  for (const char *c = tracked[row].class_name; *c != '\0'; c++)
    builder_char(b, *c == '/' ? '.' : *c);
  builder_char(b, '.');
  builder_string(b, tracked[row].name);
  builder_string(b, tracked[row].descriptor);
}
