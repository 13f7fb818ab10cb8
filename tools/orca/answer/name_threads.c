#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"

#define MAIN_SHARE 0.9 /* of the group's time: that of the threads that are its main ones */
#define NAMED 3        /* threads that are named one by one */
#define LISTED 4       /* the same, of a series of numbers with gaps */
#define WIDEST 1000    /* such a series */

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

/* --- one by one -------------------------------------------------------------------------- */

/* Threads with the same name are one. */
struct same_name {
  const char *name; /* of the row `first` */
  size_t first, num;
};

static const char *find_name(const struct model *m, const struct tally_row *row) {
  const struct thread *thread = threads_find(&m->threads, (uint32_t)row->key);
  bool is_known = thread != NULL && thread->name != NULL && thread->name[0] != '\0';
  return is_known ? thread->name : NULL;
}

/* Fills in the first NAMED + 1 different names. Returns their number. */
static size_t find_names(const struct model *m, const struct tally_row *rows, size_t num,
                         struct same_name *names) {
  size_t found = 0;
  for (size_t i = 0; i < num; i++) {
    const char *name = find_name(m, &rows[i]);
    size_t at = 0;
    while (at < found &&
           (name == NULL || names[at].name == NULL || strcmp(name, names[at].name) != 0)) {
      at++;
    }
    if (at < found) {
      names[at].num++;
    } else if (found <= NAMED) {
      names[found++] = (struct same_name){name, i, 1};
    }
  }
  return found;
}

/* "main", "a and b", "a, b and 5 more", "2 threads worker" */
static void put_names(struct builder *b, const struct model *m, const struct tally_row *rows,
                      size_t num) {
  struct same_name names[NAMED + 1];
  size_t found = find_names(m, rows, num, names), told = 0;
  size_t named = found <= NAMED ? found : NAMED - 1;
  for (size_t i = 0; i < named; i++) {
    if (i > 0) builder_string(b, i + 1 == found ? " and " : ", ");
    if (names[i].num > 1) builder_format(b, "%s threads ", UNIT_COUNT(names[i].num));
    names_thread(b, &m->threads, (uint32_t)rows[names[i].first].key);
    told += names[i].num;
  }
  if (told < num) builder_format(b, " and %s more", UNIT_COUNT(num - told));
}

/* --- all names ---------------------------------------------------------------------------- */

static void put_number(struct builder *b, const struct series *s, uint64_t number) {
  builder_format(b, "%.*s%" PRIu64 "%s", (int)s->first.stem, s->first.name, number, s->first.tail);
}

static bool has_number(const struct model *m, const struct tally_row *rows, size_t num,
                       uint64_t number) {
  struct numbered n;
  for (size_t i = 0; i < num; i++) {
    const char *name = find_name(m, &rows[i]);
    if (name != NULL && split_name(name, &n) && n.number == number) return true;
  }
  return false;
}

/* "worker-1…4"; with gaps "worker-1, worker-3 and worker-9", or "7 of worker-1…19". */
static void put_series(struct builder *b, const struct model *m, const struct tally_row *rows,
                       size_t num, const struct series *s) {
  bool has_gaps = s->largest - s->least + 1 != num;
  if (has_gaps && num <= LISTED && s->largest - s->least < WIDEST) {
    size_t told = 0;
    for (uint64_t n = s->least; n <= s->largest; n++) {
      if (!has_number(m, rows, num, n)) continue;
      if (told > 0) builder_string(b, told + 1 == num ? " and " : ", ");
      put_number(b, s, n);
      told++;
    }
    return;
  }
  if (has_gaps) builder_format(b, "%s of ", UNIT_COUNT(num));
  builder_format(b, "%.*s%" PRIu64 "…%" PRIu64 "%s", (int)s->first.stem, s->first.name, s->least,
                 s->largest, s->first.tail);
}

const char *name_threads(const struct finder *f, const struct tally *tally, uint32_t group) {
  size_t num;
  const struct tally_row *rows = tally_of(tally, group, &num);
  size_t most = count_most(rows, num);
  struct series s = {0};
  struct builder b = {0};
  if (most < num) builder_string(&b, "threads, mostly ");
  if (most > 2 && is_series(f->m, rows, most, &s)) {
    put_series(&b, f->m, rows, most, &s);
  } else {
    put_names(&b, f->m, rows, most);
  }
  if (most < num) builder_char(&b, ',');
  return findings_text(f->out, &b);
}

size_t count_threads(const struct tally *threads, uint32_t group) {
  size_t num;
  tally_of(threads, group, &num);
  return num;
}
