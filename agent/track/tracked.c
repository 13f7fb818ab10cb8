#include "agent/track/tracked.h"

#include <string.h>

#define SINGLE false
#define PAIR true

const struct tracked tracked[] = {
#define TRACKED(class, name, descriptor, about, entry, exit) \
  {"L" class ";", name, descriptor, ABOUT_##about, EVENT_##entry, exit},
#include "agent/track/tracked.def"
};

const int num_tracked = sizeof tracked / sizeof *tracked;

bool tracked_has_class(const char *class_signature) {
  for (int row = 0; row < num_tracked; row++) {
    if (strcmp(tracked[row].class_signature, class_signature) == 0) return true;
  }
  return false;
}

int tracked_find(const char *class_signature, const char *name, const char *descriptor) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked *t = &tracked[row];
    if (strcmp(t->name, name) == 0 && strcmp(t->descriptor, descriptor) == 0 &&
        strcmp(t->class_signature, class_signature) == 0) {
      return row;
    }
  }
  return -1;
}
