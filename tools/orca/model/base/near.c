#include "tools/orca/model/base/near.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static char to_lower_case(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }

static unsigned find_least(unsigned a, unsigned b, unsigned c) {
  unsigned ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Returns the edit distance: the number of letters to insert, delete or change. The case of letters
   is ignored. A `*` in the pattern matches any letters at no cost. */
static unsigned find_distance(const char *pattern, const char *name) {
  unsigned row[NEAR_LENGTH + 1];
  size_t len = strlen(name);
  for (size_t i = 0; i <= len; i++) row[i] = (unsigned)i;
  for (const char *p = pattern; *p != '\0'; p++) {
    unsigned diagonal = row[0], step = *p == '*' ? 0 : 1;
    row[0] += step;
    for (size_t i = 0; i < len; i++) {
      unsigned change = diagonal + (to_lower_case(*p) != to_lower_case(name[i]));
      diagonal = row[i + 1];
      row[i + 1] = find_least(change, row[i + 1] + step, row[i] + step);
    }
  }
  return row[len];
}

/* Returns the distance to the whole name or to its part after the last dot, whichever is less. */
static unsigned find_name_distance(const char *pattern, const char *name) {
  const char *dot = strrchr(name, '.');
  unsigned whole = find_distance(pattern, name);
  unsigned last = dot == NULL ? whole : find_distance(pattern, dot + 1);
  return last < whole ? last : whole;
}

void near_add(struct near *n, struct span name) {
  struct near_name new = {.distance = 0};
  size_t len = name.len < NEAR_LENGTH ? name.len : NEAR_LENGTH;
  if (len > 0) memcpy(new.text, name.data, len);
  if (len == 0) return;
  for (size_t i = 0; i < n->num; i++) {
    if (strcmp(n->names[i].text, new.text) == 0) return;
  }
  new.distance = find_name_distance(n->pattern, new.text);
  size_t at = n->num;
  while (at > 0 && n->names[at - 1].distance > new.distance) at--;
  if (n->num == NEAR_NAMES) n->left_out++;
  if (at == NEAR_NAMES) return;
  if (n->num < NEAR_NAMES) n->num++;
  memmove(&n->names[at + 1], &n->names[at], (n->num - at - 1) * sizeof *n->names);
  n->names[at] = new;
}

void near_write(struct builder *b, const struct near *n) {
  char more[32];
  for (size_t i = 0; i < n->num; i++) {
    if (i > 0) builder_string(b, ", ");
    builder_string(b, n->names[i].text);
  }
  if (n->left_out == 0) return;
  snprintf(more, sizeof more, ", %zu more", n->left_out);
  builder_string(b, more);
}
