/* The rules of .counts. */
#include "tools/orca/check/check_internal.h"

void check_counts(struct check *c, struct stream *s) {
  struct hashmap counts = {0};
  ticks_t least = 0;
  for (struct count_line line; stream_count(s, &line);) {
    check_time(c, s, &least, line.time);
    const struct event_info *info = &event_infos[line.kind];
    if (info->role != ROLE_END) {
      check_add_fault(c, s, RULE_COUNT_EVENT, subject_from_text(info->name));
    }
    if (dump_objects(c->dump, line.object) == NULL) {
      check_add_fault(c, s, RULE_COUNT_OBJECT, subject_from_hash(line.object));
    }
    /* The count of an event and object never decreases. */
    uint64_t *before = hashmap_at(&counts, (uint64_t)line.kind << 32 | line.object);
    if (before == NULL) {
      c->failed = true;
      continue;
    }
    uint64_t count = (uint64_t)line.count;
    if (count < *before) check_add_fault(c, s, RULE_COUNT_LESS, subject_from_hash(line.object));
    *before = count;
  }
  hashmap_free(&counts);
}
