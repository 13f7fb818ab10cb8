#include "tools/orca/model/unmatched.h"

#include <string.h>

#include "tools/orca/model/base/near.h"
#include "tools/orca/model/names.h"

struct search_input {
  const struct dump *dump;
  const struct threads *threads;
};

/* --- kinds of names ---------------------------------------------------------------------- */

static bool matches_thread(const struct search_input *in, const char *pattern, uint32_t i) {
  const struct thread *thread = &in->threads->rows[i];
  return filter_matches_thread(pattern, thread->hash, thread->name);
}

static bool matches_object(const struct search_input *in, const char *pattern, uint32_t hash) {
  return filter_matches_object(pattern, in->dump, hash);
}

static bool matches_class(const struct search_input *in, const char *pattern, uint32_t class_id) {
  return filter_matches_class(pattern, in->dump, class_id);
}

static bool next_thread(const struct search_input *in, size_t *cursor, uint32_t *out) {
  const struct threads *t = in->threads;
  *out = (uint32_t)*cursor;
  return (*cursor)++ < (t->num_all > t->num ? t->num_all : t->num);
}

static bool next_object(const struct search_input *in, size_t *cursor, uint32_t *out) {
  return dump_next_object(in->dump, cursor, out);
}

static bool next_class(const struct search_input *in, size_t *cursor, uint32_t *out) {
  return dump_next_class(in->dump, cursor, out);
}

static void write_thread_name(struct builder *b, const struct search_input *in, uint32_t i) {
  if (in->threads->rows[i].name != NULL) builder_string(b, in->threads->rows[i].name);
}

static void write_object_name(struct builder *b, const struct search_input *in, uint32_t hash) {
  names_object(b, in->dump, hash);
}

static void write_class_name(struct builder *b, const struct search_input *in, uint32_t class_id) {
  names_class(b, in->dump, class_id);
}

static bool matches_method(const struct search_input *in, const char *pattern, uint32_t method) {
  return names_method_matches(in->dump, method, pattern);
}

static bool next_method(const struct search_input *in, size_t *cursor, uint32_t *out) {
  return dump_next_method(in->dump, cursor, out);
}

static void write_method_name(struct builder *b, const struct search_input *in, uint32_t method) {
  names_method(b, in->dump, method);
}

/* A kind of names that a pattern can match. Threads are identified by their row. */
static const struct name_kind {
  const char *none; /* the start of the message */
  bool (*next)(const struct search_input *in, size_t *cursor, uint32_t *out);
  bool (*matches)(const struct search_input *in, const char *pattern, uint32_t id);
  void (*write_name)(struct builder *b, const struct search_input *in, uint32_t id);
} thread_names = {"no thread is ", next_thread, matches_thread, write_thread_name},
  object_names = {"no object is ", next_object, matches_object, write_object_name},
  class_names = {"no class is ", next_class, matches_class, write_class_name},
  method_names = {"no method is ", next_method, matches_method, write_method_name};

/* --- messages ----------------------------------------------------------------------------- */

static bool any_matches(const struct search_input *in, const struct name_kind *names,
                        const char *pattern) {
  uint32_t id;
  for (size_t cursor = 0; names->next(in, &cursor, &id);) {
    if (names->matches(in, pattern, id)) return true;
  }
  return false;
}

static void put_similar_names(struct builder *b, const struct search_input *in,
                              const struct name_kind *names, const char *pattern) {
  struct near n = {.pattern = pattern};
  struct builder name = {0};
  uint32_t id;
  for (size_t cursor = 0; names->next(in, &cursor, &id);) {
    name.len = 0;
    names->write_name(&name, in, id);
    if (!name.failed) near_add(&n, (struct span){name.data, name.len});
  }
  if (n.num > 0) builder_string(b, "; there are ");
  near_write(b, &n);
  builder_free(&name);
}

/* Writes about the first pattern that matches nothing; returns false if there is none. If the
   filter found something and has only one pattern of this kind, that pattern matched. */
static bool put_unmatched_pattern(struct builder *b, const struct search_input *in,
                                  const struct name_kind *names, const struct filter_patterns *p,
                                  bool found) {
  for (size_t i = 0; i < p->num && !(found && p->num == 1); i++) {
    if (any_matches(in, names, p->texts[i])) continue;
    builder_string(b, names->none);
    builder_string(b, p->texts[i]);
    put_similar_names(b, in, names, p->texts[i]);
    return true;
  }
  return false;
}

void unmatched_write_method(struct builder *b, const struct dump *d, const char *pattern) {
  put_unmatched_pattern(b, &(struct search_input){d, NULL}, &method_names,
                        &(struct filter_patterns){{pattern}, 1}, false);
}

static void put_filter_patterns(struct builder *b, const char *option,
                                const struct filter_patterns *p) {
  for (size_t i = 0; i < p->num; i++) {
    builder_string(b, option);
    builder_string(b, p->texts[i]);
  }
}

void unmatched_write(struct builder *b, const struct matcher *m, const struct threads *threads,
                     bool found) {
  const struct filter *f = &m->filter;
  struct search_input in = {m->dump, threads};
  if (put_unmatched_pattern(b, &in, &thread_names, &f->threads, found) ||
      put_unmatched_pattern(b, &in, &object_names, &f->locks, found) ||
      put_unmatched_pattern(b, &in, &class_names, &f->classes, found) || found) {
    return;
  }
  builder_string(b, "nothing in the recording matches");
  put_filter_patterns(b, " --thread ", &f->threads);
  put_filter_patterns(b, " --lock ", &f->locks);
  put_filter_patterns(b, " --event ", &f->events);
  put_filter_patterns(b, " --class ", &f->classes);
  if (f->from > 0 || f->to != FILTER_NO_END) builder_string(b, " in the selected time");
}
