#include "tools/orca/answer/find.h"

#include "tools/orca/model/names.h"

struct named_place name_place(const struct finder *f, place_t place) {
  struct builder b = {0};
  if (place != 0) names_place(&b, f->m->dump, place);
  return (struct named_place){findings_text(f->out, &b), place};
}

struct named_place name_stack(const struct finder *f, stack_id_t stack) {
  return name_place(f, stack == 0 ? 0 : stacks_place(&f->m->stacks, stack));
}

struct named_lock name_lock(const struct finder *f, enum lock_sort sort, uint32_t object) {
  struct builder b = {0};
  if (object != 0) titles_write(&b, &f->m->titles, f->m->dump, object);
  bool is_described = object != 0 && titles_has(&f->m->titles, object);
  bool is_class = object != 0 && titles_is_class(&f->m->titles, f->m->dump, object);
  return (struct named_lock){.text = findings_text(f->out, &b),
                             .is_described = is_described,
                             .is_class = is_class,
                             .sort = sort,
                             .object = object};
}

/* One object can be a monitor and a lock. The locks are sorted by blocked time. */
struct named_lock name_lock_of(const struct finder *f, uint32_t object) {
  const struct locks *locks = &f->m->locks;
  for (size_t i = 0; object != 0 && i < locks->num; i++) {
    if (locks->rows[i].object == object) return name_lock(f, locks->rows[i].sort, object);
  }
  return name_lock(f, LOCK_MONITOR, object);
}

const char *name_thread(const struct finder *f, uint32_t hash) {
  struct builder b = {0};
  if (hash != 0) names_thread(&b, &f->m->threads, hash);
  return findings_text(f->out, &b);
}

const char *name_object(const struct finder *f, uint32_t object) {
  struct builder b = {0};
  names_object(&b, f->m->dump, object);
  return findings_text(f->out, &b);
}

const char *name_class(const struct finder *f, uint32_t class_id) {
  struct builder b = {0};
  if (class_id != 0) names_class(&b, f->m->dump, class_id);
  return findings_text(f->out, &b);
}

const char *name_method(const struct finder *f, uint32_t method) {
  struct builder b = {0};
  if (method != 0) names_method(&b, f->m->dump, method);
  return findings_text(f->out, &b);
}

const char *name_info(const struct finder *f, enum info_key key) {
  struct builder b = {0};
  struct span value;
  if (dump_info(f->m->dump, key, &value)) text_plain(&b, value);
  return findings_text(f->out, &b);
}

const char *name_threshold(const struct finder *f) {
  struct builder b = {0};
  coverage_put_threshold(&b, dump_coverage(f->m->dump));
  return findings_text(f->out, &b);
}

uint64_t name_shares(const struct finder *f, const struct tally *tally, uint32_t group,
                     struct found_rows *out) {
  size_t num;
  const struct tally_row *rows = tally_of(tally, group, &num);
  bool by_time = num > 0 && rows[0].total > 0;
  uint64_t whole = 0;
  for (size_t i = 0; i < num; i++) {
    uint64_t part = by_time ? found_ns(rows[i].total) : rows[i].count;
    whole += part;
    struct found_share *share = i < SHARES_NAMED ? FINDINGS_PART(f->out, out, share) : NULL;
    if (share != NULL) *share = (struct found_share){name_place(f, rows[i].key).text, part};
  }
  return whole;
}
