#include "tools/orca/model/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/orca/model/names.h"

bool filter_has_patterns(const struct filter *f) {
  return f->threads.num + f->locks.num + f->events.num + f->classes.num > 0;
}

bool filter_is_active(const struct filter *f) {
  return filter_has_patterns(f) || f->from > 0 || f->to != FILTER_NO_END;
}

bool filter_has_samples(const struct filter *f) { return f->locks.num + f->events.num == 0; }

/* --- patterns ------------------------------------------------------------------- */

/* The pattern is a hash such as "0A1B2C3D", in upper or lower case. Views show a thread without a
   name as "thread 0A1B2C3D". */
static bool matches_hash(const char *pattern, uint32_t hash) {
  static const char shown[] = "thread ";
  char text[TEXT_MAX_NUMBER];
  size_t len = (size_t)(text_put_hash(text, hash) - text);
  if (strncmp(pattern, shown, sizeof shown - 1) == 0) pattern += sizeof shown - 1;
  return strlen(pattern) == len && strncasecmp(pattern, text, len) == 0;
}

static bool any_matches_hash(const struct filter_patterns *p, uint32_t hash) {
  for (size_t i = 0; i < p->num; i++) {
    if (matches_hash(p->texts[i], hash)) return true;
  }
  return false;
}

static bool any_matches_name(const struct filter_patterns *p, const char *name) {
  for (size_t i = 0; i < p->num; i++) {
    if (strcmp(p->texts[i], name) == 0 || fnmatch(p->texts[i], name, 0) == 0) return true;
  }
  return false;
}

/* The name of a class. The pattern may leave out its package. */
static bool any_matches_dotted_name(const struct filter_patterns *p, const char *name) {
  for (size_t i = 0; i < p->num; i++) {
    if (names_match(name, p->texts[i])) return true;
  }
  return false;
}

static bool any_matches_class(const struct filter_patterns *p, const struct dump *d,
                              uint32_t class_id) {
  struct builder name = {0};
  names_class(&name, d, class_id);
  builder_char(&name, '\0');
  bool has = !name.failed && any_matches_dotted_name(p, name.data);
  builder_free(&name);
  return has;
}

/* The pattern is the class that an object of java.lang.Class represents, or "class com.acme.Cart".
 */
static bool any_matches_represented(const struct filter_patterns *p, const struct dump *d,
                                    const struct dump_object *o) {
  struct builder name = {0};
  if (dump_represented(d, o) == NULL) return false;
  names_object_class(&name, d, o);
  builder_char(&name, '\0');
  bool has = !name.failed && (any_matches_dotted_name(p, name.data) ||
                              any_matches_dotted_name(p, name.data + strlen("class ")));
  builder_free(&name);
  return has;
}

/* The pattern is the title of a lock: "monitor in Cart.add:12 (Object@0A1B2C3D)". */
static bool any_matches_title(const struct filter_patterns *p, uint32_t hash) {
  struct builder tail = {0};
  builder_char(&tail, '@');
  text_hash(&tail, hash);
  builder_char(&tail, ')');
  bool has = false;
  for (size_t i = 0; i < p->num && !tail.failed; i++) {
    size_t len = strlen(p->texts[i]);
    has |= len > tail.len && memcmp(p->texts[i] + len - tail.len, tail.data, tail.len) == 0;
  }
  builder_free(&tail);
  return has;
}

/* The pattern is a hash, a class, both ("java.util.HashMap@0A1B2C3D"), or a title. */
static bool any_matches_object(const struct filter_patterns *p, const struct dump *d,
                               uint32_t hash) {
  bool has = any_matches_hash(p, hash) || any_matches_title(p, hash);
  struct builder name = {0};
  for (const struct dump_object *o = dump_objects(d, hash); o != NULL && !has; o = o->next) {
    name.len = 0;
    names_class(&name, d, o->line.class_id);
    builder_char(&name, '@');
    text_hash(&name, hash);
    builder_char(&name, '\0');
    has = !name.failed && any_matches_dotted_name(p, name.data);
    has |= any_matches_class(p, d, o->line.class_id) || any_matches_represented(p, d, o);
  }
  builder_free(&name);
  return has;
}

bool filter_matches_thread(const char *pattern, uint32_t hash, const char *name) {
  const struct filter_patterns one = {{pattern}, 1};
  return any_matches_hash(&one, hash) || (name != NULL && any_matches_name(&one, name));
}

bool filter_matches_object(const char *pattern, const struct dump *d, uint32_t hash) {
  return any_matches_object(&(struct filter_patterns){{pattern}, 1}, d, hash);
}

bool filter_matches_class(const char *pattern, const struct dump *d, uint32_t class_id) {
  return any_matches_class(&(struct filter_patterns){{pattern}, 1}, d, class_id);
}

/* A pattern that matches one end of a pair selects both ends. */
static void choose_kinds(struct matcher *m) {
  const struct filter_patterns *p = &m->filter.events;
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct event_info *info = &event_infos[kind];
    if (p->num > 0 && !any_matches_name(p, info->name) &&
        !any_matches_name(p, group_infos[info->group].name)) {
      continue;
    }
    enum event_kind begin = (enum event_kind)kind;
    if (event_is_end(begin)) begin = event_begin(begin);
    m->kinds[begin] = true;
    if (!event_is_of_pair((enum event_kind)begin)) continue;
    m->kinds[event_end(begin, false)] = m->kinds[event_end(begin, true)] = true;
  }
  bool methods = m->kinds[EVENT_METHOD_ENTRY] || m->kinds[EVENT_METHOD_EXIT];
  m->kinds[EVENT_METHOD_ENTRY] = m->kinds[EVENT_METHOD_EXIT] = methods;
}

/* --- one dump --------------------------------------------------------------------- */

void matcher_start(struct matcher *m, const struct filter *f, const struct dump *d) {
  *m = (struct matcher){.dump = d, .filter = {.to = FILTER_NO_END}};
  if (f != NULL) m->filter = *f;
  m->active = filter_is_active(&m->filter);
  choose_kinds(m);
}

void matcher_free(struct matcher *m) {
  hashmap_free(&m->threads);
  hashmap_free(&m->objects);
  hashmap_free(&m->classes);
  virtual_names_free(&m->virtual_names);
  free(m->stacks);
  *m = (struct matcher){0};
}

ticks_t matcher_clip(const struct matcher *m, ticks_t time) {
  if (time < m->filter.from) return m->filter.from;
  return time > m->filter.to ? m->filter.to : time;
}

bool matcher_has_time(const struct matcher *m, ticks_t time) {
  return time >= m->filter.from && time <= m->filter.to;
}

bool matcher_clip_pair(const struct matcher *m, struct pair *pair) {
  pair->begin = matcher_clip(m, pair->begin);
  pair->end = matcher_clip(m, pair->end);
  return !m->active || pair->begin < pair->end;
}

bool matcher_needs_stacks(const struct matcher *m) { return m->filter.classes.num > 0; }

bool matcher_has_idle_threads(const struct matcher *m) {
  return filter_has_samples(&m->filter) && m->filter.classes.num == 0;
}

/* Returns where the answer for `key` is stored; it is MATCHER_UNKNOWN at first. When memory ran
   out, it returns a dummy that says MATCHER_NO. */
static uint64_t *find_answer(struct matcher *m, struct hashmap *map, uint32_t key) {
  static uint64_t dummy;
  uint64_t *at = hashmap_at(map, key);
  if (at != NULL) return at;
  m->failed = true;
  dummy = MATCHER_NO;
  return &dummy;
}

bool matcher_thread(struct matcher *m, uint32_t thread) {
  const struct filter_patterns *p = &m->filter.threads;
  if (p->num == 0) return true;
  uint64_t *at = find_answer(m, &m->threads, thread);
  if (*at == MATCHER_UNKNOWN) *at = any_matches_hash(p, thread) ? MATCHER_YES : MATCHER_NO;
  return *at == MATCHER_YES;
}

/* Threads with the same hash count as one thread, which matches if one of their names does. */
static void match_thread_name(struct matcher *m, const struct event_line *line) {
  struct builder name = {0};
  text_plain(&name, line->name);
  if (name.len == 0) {
    m->failed |= !virtual_names_put(&m->virtual_names, m->dump, line->thread, &name);
  }
  builder_char(&name, '\0');
  m->failed |= name.failed;
  if (!name.failed && any_matches_name(&m->filter.threads, name.data))
    *find_answer(m, &m->threads, line->thread) = MATCHER_YES;
  builder_free(&name);
}

void matcher_read_name(struct matcher *m, const struct event_line *line, place_t place) {
  if (line->kind == EVENT_THREAD_STARTED) match_thread_name(m, line);
  if (line->kind != EVENT_THREAD_START) return;
  m->failed |= !virtual_names_start(&m->virtual_names, m->dump, line->object, place);
}

static bool match_object(struct matcher *m, uint32_t object) {
  const struct filter_patterns *p = &m->filter.locks;
  if (p->num == 0) return true;
  if (object == 0) return false;
  uint64_t *at = find_answer(m, &m->objects, object);
  if (*at == MATCHER_UNKNOWN)
    *at = any_matches_object(p, m->dump, object) ? MATCHER_YES : MATCHER_NO;
  return *at == MATCHER_YES;
}

static bool search_stack(struct matcher *m, const struct stacks *stacks, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *line = dump_method(m->dump, frames[i].method);
    if (line == NULL) continue;
    uint64_t *at = find_answer(m, &m->classes, line->class_id);
    if (*at == MATCHER_UNKNOWN) {
      bool matches = any_matches_class(&m->filter.classes, m->dump, line->class_id);
      *at = matches ? MATCHER_YES : MATCHER_NO;
    }
    if (*at == MATCHER_YES) return true;
  }
  return false;
}

bool matcher_stack(struct matcher *m, const struct stacks *stacks, stack_id_t stack) {
  if (m->filter.classes.num == 0) return true;
  if (stack >= m->stacks_capacity) {
    size_t wanted = ((size_t)stack + 1) * 2;
    unsigned char *grown = realloc(m->stacks, wanted);
    m->failed |= grown == NULL;
    if (grown == NULL) return false;
    memset(grown + m->stacks_capacity, MATCHER_UNKNOWN, wanted - m->stacks_capacity);
    m->stacks = grown;
    m->stacks_capacity = wanted;
  }
  unsigned char *at = &m->stacks[stack];
  if (*at == MATCHER_UNKNOWN) *at = search_stack(m, stacks, stack) ? MATCHER_YES : MATCHER_NO;
  return *at == MATCHER_YES;
}

/* --- lines ------------------------------------------------------------------------------- */

bool matcher_event(struct matcher *m, const struct stacks *stacks, const struct event_line *line,
                   stack_id_t stack) {
  if (!m->active) return true;
  return m->kinds[line->kind] && matcher_thread(m, line->thread) && match_object(m, line->object) &&
         matcher_stack(m, stacks, stack);
}

bool matcher_pair(struct matcher *m, const struct stacks *stacks, const struct pair *pair) {
  if (!m->active) return true;
  return pair->begin < pair->end && m->kinds[pair->kind] && matcher_thread(m, pair->thread) &&
         match_object(m, pair->object) && matcher_stack(m, stacks, pair->stack);
}

static bool match_sort(const struct matcher *m, enum lock_sort sort) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct lock_event *event = &lock_events[kind];
    if (m->kinds[kind] && event->act == LOCK_ACT_GOT && event->sort == sort) return true;
  }
  return false;
}

bool matcher_hold(struct matcher *m, const struct stacks *stacks, enum lock_sort sort,
                  uint32_t object, uint32_t thread, stack_id_t stack) {
  if (!m->active) return true;
  return match_sort(m, sort) && matcher_thread(m, thread) && match_object(m, object) &&
         matcher_stack(m, stacks, stack);
}

/* Whether the filter asks for nothing that a sum over threads, stacks and time cannot tell. */
static bool leaves_sums_whole(const struct filter *f) {
  return f->threads.num + f->classes.num == 0 && f->from == 0 && f->to == FILTER_NO_END;
}

bool matcher_count(struct matcher *m, const struct count_line *line) {
  if (!m->active) return true;
  return leaves_sums_whole(&m->filter) && m->kinds[line->kind] && match_object(m, line->object);
}

bool matcher_short_calls(struct matcher *m, const struct stacks *stacks,
                         const struct count_line *line, stack_id_t stack) {
  if (!m->active) return true;
  if (m->filter.threads.num > 0 || !m->kinds[line->kind]) return false;
  bool good = match_object(m, line->object) && matcher_stack(m, stacks, stack);
  bool lacks_object = line->object == 0 && shape_has_object(event_infos[line->kind].shape);
  if (!good && (lacks_object || stack == 0)) m->leaves_out_short = true;
  return good;
}

bool matcher_has_all_short_calls(const struct matcher *m) {
  return leaves_sums_whole(&m->filter) && !m->leaves_out_short;
}
