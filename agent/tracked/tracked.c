#include "agent/tracked/tracked.h"

#include <string.h>

const struct tracked tracked[] = {
#define TRACKED(class, name, descriptor, about, entry, exit) \
  {class, sizeof class - 1, name, descriptor, ABOUT_##about, EVENT_##entry, ENDS_##exit, BRIEF_NOT},
#define LOCKED(class, name, descriptor, about, entry, exit, brief) \
  {class,         sizeof class - 1, name,        descriptor,       \
   ABOUT_##about, EVENT_##entry,    ENDS_##exit, BRIEF_##brief},
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

/* Most classes have another length, and need no comparison of their letters. */
bool tracked_is_of(const struct tracked *t, struct span class_name) {
  return t->class_len == class_name.len &&
         memcmp(t->class_name, class_name.data, t->class_len) == 0;
}

/* Returns the name in the signature of a class, "L" name ";"; an empty one: it has another form. */
static struct span find_name(const char *signature) {
  size_t len = strlen(signature);
  if (len < 2 || signature[0] != 'L' || signature[len - 1] != ';') return (struct span){0};
  return (struct span){signature + 1, len - 2};
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
  struct span name = find_name(class_signature);
  for (int row = 0; row < num_tracked; row++) {
    if (tracked_is_of(&tracked[row], name)) return true;
  }
  return false;
}

int tracked_find(const char *class_signature, const char *name, const char *descriptor) {
  struct span class_name = find_name(class_signature);
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked *t = &tracked[row];
    if (tracked_is_of(t, class_name) && strcmp(t->name, name) == 0 &&
        strcmp(t->descriptor, descriptor) == 0) {
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
