#include "agent/track/tracked.h"

#include <string.h>

#define SINGLE false
#define PAIR true

const struct tracked tracked[] = {
#define TRACKED(class, name, descriptor, about, entry, exit) \
  {class, name, descriptor, ABOUT_##about, EVENT_##entry, exit},
#include "agent/track/tracked.def"
};

const int num_tracked = sizeof tracked / sizeof *tracked;

/* Is `signature` that of the class `name`: "L" name ";"? */
static bool is_class(const char *signature, const char *name) {
  size_t len = strlen(name);
  return signature[0] == 'L' && strncmp(signature + 1, name, len) == 0 &&
         strcmp(signature + 1 + len, ";") == 0;
}

bool tracked_has_class(const char *class_signature) {
  for (int row = 0; row < num_tracked; row++) {
    if (is_class(class_signature, tracked[row].class_name)) return true;
  }
  return false;
}

int tracked_find(const char *class_signature, const char *name, const char *descriptor) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked *t = &tracked[row];
    if (strcmp(t->name, name) == 0 && strcmp(t->descriptor, descriptor) == 0 &&
        is_class(class_signature, t->class_name)) {
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
