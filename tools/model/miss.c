#include "tools/model/miss.h"

#include <string.h>

#include "tools/model/names.h"
#include "tools/model/near.h"

static bool has_yes(const struct hashmap *map) {
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(map, &cursor, &slot);) {
    if (slot.value == MATCHER_YES) return true;
  }
  return false;
}

static void add_threads(struct near *n, const struct threads *threads) {
  size_t num = threads->num_all > threads->num ? threads->num_all : threads->num;
  for (size_t i = 0; i < num; i++) {
    const char *name = threads->rows[i].name;
    if (name != NULL) near_add(n, (struct span){name, strlen(name)});
  }
}

/* All that was looked at, by what writes its name. */
static void add_all(struct near *n, const struct hashmap *map, const struct dump *d,
                    void (*name)(struct builder *, const struct dump *, uint32_t)) {
  struct hashmap_slot slot;
  struct builder text = {0};
  for (size_t cursor = 0; hashmap_next(map, &cursor, &slot);) {
    text.len = 0;
    name(&text, d, (uint32_t)slot.key);
    if (!text.failed) near_add(n, (struct span){text.data, text.len});
  }
  builder_free(&text);
}

static void put(struct builder *b, const char *what, const struct filter_patterns *p,
                const struct near *n) {
  builder_string(b, what);
  builder_string(b, p->texts[0]);
  if (n->num > 0) builder_string(b, "; there are ");
  near_write(b, n);
}

void miss_write(struct builder *b, const struct matcher *m, const struct threads *threads) {
  const struct filter *f = &m->filter;
  struct near n = {0};
  if (f->threads.num > 0 && !has_yes(&m->threads)) {
    n.pattern = f->threads.texts[0];
    add_threads(&n, threads);
    put(b, "no thread is ", &f->threads, &n);
  } else if (f->locks.num > 0 && !has_yes(&m->objects)) {
    n.pattern = f->locks.texts[0];
    add_all(&n, &m->objects, m->dump, names_object);
    put(b, "no event is about ", &f->locks, &n);
  } else if (f->classes.num > 0 && !has_yes(&m->classes)) {
    n.pattern = f->classes.texts[0];
    add_all(&n, &m->classes, m->dump, names_class);
    put(b, "no class in the stacks is ", &f->classes, &n);
  } else {
    builder_string(b, "nothing in this dump is what is asked for");
  }
}
