#include "tools/orca/model/virtual_names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/names.h"

struct virtual_name {
  place_t place; /* 0: not known */
  uint64_t number;
};

/* The agent defines the object of every thread that it names. */
static bool has_thread_class(const struct dump *d, uint32_t hash, const char *signature) {
  for (const struct dump_object *o = dump_objects(d, hash); o != NULL; o = o->next) {
    const struct class_line *c = dump_class(d, o->line.class_id);
    if (c != NULL && span_is(c->signature, signature)) return true;
  }
  return false;
}

bool has_carrier(const struct dump *d, uint32_t hash) {
  return has_thread_class(d, hash, "Ljava/lang/VirtualThread;");
}

bool is_carrier(const struct dump *d, uint32_t hash) {
  return has_thread_class(d, hash, "Ljdk/internal/misc/CarrierThread;");
}

static bool is_virtual(const struct dump *d, uint32_t hash) {
  return has_carrier(d, hash) ||
         has_thread_class(d, hash, "Ljava/lang/ThreadBuilders$BoundVirtualThread;");
}

static bool number_thread(struct virtual_names *v, struct virtual_name *row, place_t place) {
  uint64_t *count = row == NULL ? NULL : hashmap_at(&v->counts, place);
  if (count == NULL) return false;
  *row = (struct virtual_name){place, ++*count};
  return true;
}

bool virtual_names_start(struct virtual_names *v, const struct dump *d, uint32_t hash,
                         place_t place) {
  if (!is_virtual(d, hash)) return true;
  struct virtual_name *row =
      rows_at(&v->ids, hash, &v->rows, &v->num, &v->capacity, sizeof *row, NULL);
  return number_thread(v, row, place);
}

bool virtual_names_put(struct virtual_names *v, const struct dump *d, uint32_t hash,
                       struct builder *b) {
  bool is_new;
  if (!is_virtual(d, hash)) return true;
  struct virtual_name *row =
      rows_at(&v->ids, hash, &v->rows, &v->num, &v->capacity, sizeof *row, &is_new);
  if (row == NULL || (is_new && !number_thread(v, row, 0))) return false;
  builder_format(b, "virtual thread %" PRIu64, row->number);
  if (row->place == 0) return true;
  builder_string(b, " of ");
  names_short_place(b, d, row->place);
  return true;
}

void virtual_names_free(struct virtual_names *v) {
  hashmap_free(&v->ids);
  hashmap_free(&v->counts);
  free(v->rows);
  *v = (struct virtual_names){0};
}
