#include "tools/orca/model/miss.h"

#include <string.h>

#include "tools/orca/model/base/near.h"
#include "tools/orca/model/names.h"

struct looking {
  const struct dump *dump;
  const struct threads *threads;
};

/* --- what there is --------------------------------------------------------------------- */

static bool thread_is(const struct looking *l, const char *pattern, uint32_t i) {
  const struct thread *thread = &l->threads->rows[i];
  return filter_means_thread(pattern, thread->hash, thread->name);
}

static bool object_is(const struct looking *l, const char *pattern, uint32_t hash) {
  return filter_means_object(pattern, l->dump, hash);
}

static bool class_is(const struct looking *l, const char *pattern, uint32_t class_id) {
  return filter_means_class(pattern, l->dump, class_id);
}

static bool next_thread(const struct looking *l, size_t *cursor, uint32_t *out) {
  const struct threads *t = l->threads;
  *out = (uint32_t)*cursor;
  return (*cursor)++ < (t->num_all > t->num ? t->num_all : t->num);
}

static bool next_object(const struct looking *l, size_t *cursor, uint32_t *out) {
  return dump_next_object(l->dump, cursor, out);
}

static bool next_class(const struct looking *l, size_t *cursor, uint32_t *out) {
  return dump_next_class(l->dump, cursor, out);
}

static void name_thread(struct builder *b, const struct looking *l, uint32_t i) {
  if (l->threads->rows[i].name != NULL) builder_string(b, l->threads->rows[i].name);
}

static void name_object(struct builder *b, const struct looking *l, uint32_t hash) {
  names_object(b, l->dump, hash);
}

static void name_class(struct builder *b, const struct looking *l, uint32_t class_id) {
  names_class(b, l->dump, class_id);
}

static bool method_is(const struct looking *l, const char *pattern, uint32_t method) {
  return names_method_is(l->dump, method, pattern);
}

static bool next_method(const struct looking *l, size_t *cursor, uint32_t *out) {
  return dump_next_method(l->dump, cursor, out);
}

static void name_method(struct builder *b, const struct looking *l, uint32_t method) {
  names_method(b, l->dump, method);
}

static const struct sort {
  const char *none;
  bool (*next)(const struct looking *l, size_t *cursor, uint32_t *out);
  bool (*is)(const struct looking *l, const char *pattern, uint32_t id);
  void (*name)(struct builder *b, const struct looking *l, uint32_t id);
} threads_sort = {"no thread is ", next_thread, thread_is, name_thread},
  objects_sort = {"no object is ", next_object, object_is, name_object},
  classes_sort = {"no class is ", next_class, class_is, name_class},
  methods_sort = {"no method is ", next_method, method_is, name_method};

/* --- what there is not ------------------------------------------------------------------ */

static bool means_something(const struct looking *l, const struct sort *sort, const char *pattern) {
  uint32_t id;
  for (size_t cursor = 0; sort->next(l, &cursor, &id);) {
    if (sort->is(l, pattern, id)) return true;
  }
  return false;
}

static void put_near(struct builder *b, const struct looking *l, const struct sort *sort,
                     const char *pattern) {
  struct near n = {.pattern = pattern};
  struct builder name = {0};
  uint32_t id;
  for (size_t cursor = 0; sort->next(l, &cursor, &id);) {
    name.len = 0;
    sort->name(&name, l, id);
    if (!name.failed) near_add(&n, (struct span){name.data, name.len});
  }
  if (n.num > 0) builder_string(b, "; there are ");
  near_write(b, &n);
  builder_free(&name);
}

/* One pattern that found something is what was found. */
static bool put_missing(struct builder *b, const struct looking *l, const struct sort *sort,
                        const struct filter_patterns *p, bool found) {
  for (size_t i = 0; i < p->num && !(found && p->num == 1); i++) {
    if (means_something(l, sort, p->texts[i])) continue;
    builder_string(b, sort->none);
    builder_string(b, p->texts[i]);
    put_near(b, l, sort, p->texts[i]);
    return true;
  }
  return false;
}

void miss_write_method(struct builder *b, const struct dump *d, const char *pattern) {
  put_missing(b, &(struct looking){d, NULL}, &methods_sort, &(struct filter_patterns){{pattern}, 1},
              false);
}

static void put_patterns(struct builder *b, const char *option, const struct filter_patterns *p) {
  for (size_t i = 0; i < p->num; i++) {
    builder_string(b, option);
    builder_string(b, p->texts[i]);
  }
}

static void put_nothing(struct builder *b, const struct filter *f) {
  builder_string(b, "nothing in the recording matches");
  put_patterns(b, " --thread ", &f->threads);
  put_patterns(b, " --lock ", &f->locks);
  put_patterns(b, " --event ", &f->events);
  put_patterns(b, " --class ", &f->classes);
  if (f->from > 0 || f->to != FILTER_NO_END) builder_string(b, " in the time asked for");
}

void miss_write(struct builder *b, const struct matcher *m, const struct threads *threads,
                bool found) {
  const struct filter *f = &m->filter;
  struct looking l = {m->dump, threads};
  if (put_missing(b, &l, &threads_sort, &f->threads, found) ||
      put_missing(b, &l, &objects_sort, &f->locks, found) ||
      put_missing(b, &l, &classes_sort, &f->classes, found) || found) {
    return;
  }
  put_nothing(b, f);
}
