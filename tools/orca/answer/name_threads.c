#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"

#define MAIN_SHARE 0.9 /* of the group's time: that of the threads that are its main ones */
#define NAMED 3        /* threads that are named one by one */

static uint64_t read_weight(const struct tally_row *row, bool by_time) {
  return by_time ? row->total : row->count;
}

/* The number of first rows that together have most of the group's time or count. Rows with equal
   weights belong together. */
static size_t count_most(const struct tally_row *rows, size_t num) {
  bool by_time = num > 0 && rows[0].total > 0;
  double whole = 0, sum = 0;
  size_t most = 0;
  for (size_t i = 0; i < num; i++) whole += (double)read_weight(&rows[i], by_time);
  while (most < num && (sum < MAIN_SHARE * whole || read_weight(&rows[most], by_time) ==
                                                        read_weight(&rows[most - 1], by_time))) {
    sum += (double)read_weight(&rows[most++], by_time);
  }
  return most;
}

/* --- numbered names --------------------------------------------------------------------- */

#define VIRTUAL "virtual thread " /* virtual_names.h: the number follows */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct numbered {
  const char *name, *tail; /* the whole name; the part after the number */
  size_t stem;             /* length of the part before the number */
  uint64_t number;
};

/* Splits "worker-12" and "virtual thread 12 of Cart.add:7" at the number 12. */
static bool split_name(const char *name, struct numbered *out) {
  bool is_virtual = strncmp(name, VIRTUAL, sizeof VIRTUAL - 1) == 0;
  size_t stem = is_virtual ? sizeof VIRTUAL - 1 : strlen(name), end = stem;
  if (is_virtual) {
    while (is_digit(name[end])) end++;
  } else {
    while (stem > 0 && is_digit(name[stem - 1])) stem--;
  }
  size_t digits = end - stem;
  if (stem == 0 || digits == 0 || digits > 9 || (name[stem] == '0' && digits > 1)) return false;
  *out = (struct numbered){name, name + end, stem, strtoul(name + stem, NULL, 10)};
  return true;
}

struct series {
  struct numbered first;
  uint64_t least, largest;
};

static bool is_series(const struct model *m, const struct tally_row *rows, size_t num,
                      struct series *out) {
  struct numbered n;
  for (size_t i = 0; i < num; i++) {
    const struct thread *thread = threads_find(&m->threads, (uint32_t)rows[i].key);
    if (thread == NULL || thread->name == NULL || !split_name(thread->name, &n)) return false;
    if (i == 0) *out = (struct series){n, n.number, n.number};
    if (n.stem != out->first.stem || memcmp(n.name, out->first.name, n.stem) != 0 ||
        strcmp(n.tail, out->first.tail) != 0) {
      return false;
    }
    if (n.number < out->least) out->least = n.number;
    if (n.number > out->largest) out->largest = n.number;
  }
  return out->largest - out->least >= num - 1; /* otherwise two threads have the same name */
}

/* --- all names ---------------------------------------------------------------------------- */

const char *name_threads(const struct finder *f, const struct tally *tally, uint32_t group) {
  size_t num;
  const struct tally_row *rows = tally_of(tally, group, &num);
  size_t most = count_most(rows, num);
  struct series s = {0};
  struct builder b = {0};
  if (most < num) builder_string(&b, "threads, mostly ");
  if (most > 2 && is_series(f->m, rows, most, &s)) {
    /* "worker-1…4", "7 of worker-1…19", "virtual thread 1…20 of Cart.add:7" */
    if (s.largest - s.least + 1 != most) builder_format(&b, "%s of ", UNIT_COUNT(most));
    builder_format(&b, "%.*s%" PRIu64 "…%" PRIu64 "%s", (int)s.first.stem, s.first.name, s.least,
                   s.largest, s.first.tail);
  } else {
    /* "main", "a and b", "a, b and 5 more" */
    size_t named = most <= NAMED ? most : NAMED - 1;
    for (size_t i = 0; i < named; i++) {
      if (i > 0) builder_string(&b, i + 1 == most ? " and " : ", ");
      names_thread(&b, &f->m->threads, (uint32_t)rows[i].key);
    }
    if (named < most) builder_format(&b, " and %s more", UNIT_COUNT(most - named));
  }
  if (most < num) builder_char(&b, ',');
  return findings_text(f->out, &b);
}

size_t count_threads(const struct tally *threads, uint32_t group) {
  size_t num;
  tally_of(threads, group, &num);
  return num;
}
