#include "tools/orca/pack/stems.h"

#include <dirent.h>
#include <stdlib.h>

#include "tools/orca/dump/prefix.h"
#include "tools/orca/dump/sets.h"
#include "tools/orca/model/base/grow.h"

#define MAX_NAMES 8 /* in a message */

bool stems_find(struct span file, struct span *out) {
  char *text = span_copy(file);
  size_t len = text == NULL ? file.len : prefix_stem_len(text);
  free(text);
  *out = (struct span){file.data, len < file.len ? sets_stem_len(file.data, len) : 0};
  return out->len > 0 && out->data[out->len - 1] != '/';
}

/* Returns the place of a stem in the order. */
static size_t find_place(const struct stems *s, const char *name) {
  size_t low = 0, high = s->num;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (strcmp(s->names[middle], name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool stems_add(struct stems *s, struct span stem) {
  char *name = span_copy(stem);
  if (name == NULL) return false;
  size_t at = find_place(s, name);
  if (at < s->num && strcmp(s->names[at], name) == 0) {
    free(name);
    return true;
  }
  char **names = grow(s->names, s->num, &s->capacity, sizeof *names);
  if (names == NULL) {
    free(name);
    return false;
  }
  s->names = names;
  memmove(names + at + 1, names + at, (s->num++ - at) * sizeof *names);
  names[at] = name;
  return true;
}

bool stems_read(struct stems *s, const char *folder) {
  DIR *dir = opendir(folder);
  bool ok = true;
  for (struct dirent *entry; ok && dir != NULL && (entry = readdir(dir)) != NULL;) {
    struct span name = {entry->d_name, strlen(entry->d_name)}, stem;
    if (span_ends(name, ".orca") && stems_find(name, &stem)) ok = stems_add(s, stem);
  }
  if (dir != NULL) closedir(dir);
  return ok;
}

/* Replaces control characters, which a terminal would interpret, by '?'. */
static void append_name(struct builder *why, const char *name) {
  for (; *name != '\0'; name++) {
    builder_char(why, (unsigned char)*name < 0x20 || *name == 0x7F ? '?' : *name);
  }
}

void stems_put_choice(const struct stems *s, const char *place, struct builder *why) {
  append_name(why, place);
  if (s->num == 1) {
    builder_string(why, " contains only ");
    append_name(why, s->names[0]);
    return;
  }
  builder_format(why, " contains %zu recordings: ", s->num);
  for (size_t i = 0; i < s->num && i < MAX_NAMES; i++) {
    if (i > 0) builder_string(why, ", ");
    append_name(why, s->names[i]);
  }
  if (s->num > MAX_NAMES) builder_string(why, ", …");
  builder_string(why, "; name one of them, as in ");
  append_name(why, place);
  if (place[strlen(place) - 1] != '/') builder_char(why, '/');
  append_name(why, s->names[0]);
}

void stems_free(struct stems *s) {
  for (size_t i = 0; i < s->num; i++) free(s->names[i]);
  free(s->names);
  *s = (struct stems){0};
}
