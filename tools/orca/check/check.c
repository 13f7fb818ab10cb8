#include "tools/orca/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "agent/tracked/orca_classes.h"
#include "tools/orca/check/check_internal.h"

const struct rule_info rule_infos[NUM_RULES] = {
#define RULE(id, text) {#id, text},
#include "tools/orca/check/rule.def"
};

/* --- shared by the parts -------------------------------------------------------- */

struct subject subject_none(void) {
  return subject_from_text("");
}

struct subject subject_from_hash(uint32_t hash) {
  struct subject subject;
  snprintf(subject.text, sizeof subject.text, "%08" PRIX32, hash);
  return subject;
}

struct subject subject_from_number(uint64_t n) {
  struct subject subject;
  snprintf(subject.text, sizeof subject.text, "%" PRIu64, n);
  return subject;
}

struct subject subject_from_text(const char *text) {
  struct subject subject;
  snprintf(subject.text, sizeof subject.text, "%s", text);
  return subject;
}

void check_add_file_fault(struct check *c, enum dump_file file, enum rule rule,
                          struct subject subject) {
  faults_add(dump_faults(c->dump), file, 0, rule_infos[rule].id, rule_infos[rule].text,
             subject.text);
}

void check_add_fault(struct check *c, const struct stream *s, enum rule rule,
                     struct subject subject) {
  faults_add(dump_faults(c->dump), stream_file(s), stream_line(s), rule_infos[rule].id,
             rule_infos[rule].text, subject.text);
}

void check_time(struct check *c, const struct stream *s, ticks_t *least, ticks_t time) {
  bool strict = stream_file(s) == DUMP_EVENTS || stream_file(s) == DUMP_COUNTS;
  if (time < *least) {
    check_add_fault(c, s, strict ? RULE_TIME_STRICT : RULE_TIME_ORDER, subject_none());
  }
  *least = time + strict;
}

struct thread *check_get_thread(struct check *c, uint32_t hash) {
  uint64_t *at = hashmap_at(&c->threads, hash);
  if (at != NULL && *at == 0) *at = (uintptr_t)arena_take(&c->memory, sizeof(struct thread));
  struct thread *t = at == NULL ? NULL : (struct thread *)(uintptr_t)*at;
  if (t != NULL) t->hash = hash;
  c->failed |= t == NULL;
  return t;
}

bool check_insert(struct check *c, struct hashmap *set, uint64_t key) {
  uint64_t *at = hashmap_at(set, key);
  if (at == NULL) c->failed = true;
  return at != NULL && (*at)++ == 0;
}

bool check_stack(struct check *c, const struct stream *s, struct span stack, uint64_t digest,
                 unsigned kind) {
  if (!check_insert(c, &c->stacks, digest + kind)) return false;
  struct span frames = stack_frames(stack);
  for (struct frame frame; stack_next(&frames, &frame);) {
    bool is_cut = frame.method == METHOD_CUT && frame.location == 0 && frames.len == 0;
    if (is_cut || dump_method(c->dump, frame.method) != NULL) continue;
    check_add_fault(c, s, RULE_STACK_METHOD, subject_from_hash(frame.method));
  }
  return true;
}

/* --- the tables ------------------------------------------------------------------ */

static void check_classes(struct check *c, struct stream *s) {
  ticks_t least = 0;
  for (struct class_line line; stream_class(s, &line);) {
    check_time(c, s, &least, line.time);
    if (line.class_id == 0) check_add_fault(c, s, RULE_CLASS_ZERO, subject_none());
    if (orca_classes_have_signature(line.signature))
      check_add_fault(c, s, RULE_CLASS_OWN, subject_none());
    const struct class_line *first = dump_class(c->dump, line.class_id);
    if (first != NULL && !span_same(first->signature, line.signature)) {
      check_add_fault(c, s, RULE_CLASS_AGAIN, subject_from_hash(line.class_id));
    }
  }
}

/* A method has one line in each set. */
static void check_methods(struct check *c, struct stream *s) {
  struct hashmap seen = {0};
  ticks_t least = 0;
  size_t set = 0;
  for (struct method_line line; stream_method(s, &line);) {
    check_time(c, s, &least, line.time);
    if (stream_set(s) != set) hashmap_free(&seen);
    set = stream_set(s);
    if (!check_insert(c, &seen, line.method_id)) {
      check_add_fault(c, s, RULE_METHOD_AGAIN, subject_from_hash(line.method_id));
    }
    if (dump_class(c->dump, line.class_id) == NULL) {
      check_add_fault(c, s, RULE_METHOD_CLASS, subject_from_hash(line.class_id));
    }
  }
  hashmap_free(&seen);
}

static void check_objects(struct check *c, struct stream *s) {
  ticks_t least = 0;
  for (struct object_line line; stream_object(s, &line);) {
    check_time(c, s, &least, line.time);
    if (line.hash == 0) check_add_fault(c, s, RULE_OBJECT_ZERO, subject_none());
    if (dump_class(c->dump, line.class_id) == NULL) {
      check_add_fault(c, s, RULE_OBJECT_CLASS, subject_from_hash(line.class_id));
    }
  }
}

/* --- the whole dump ------------------------------------------------------------------ */

/* `.info` is the last file, because it contains the number of lines of the other files. */
static const struct part {
  enum dump_file file;
  void (*check)(struct check *c, struct stream *s);
} parts[] = {
    {DUMP_CLASSES, check_classes}, {DUMP_METHODS, check_methods}, {DUMP_OBJECTS, check_objects},
    {DUMP_EVENTS, check_events},   {DUMP_COUNTS, check_counts},   {DUMP_SAMPLES, check_samples},
    {DUMP_INFO, check_info},
};

/* Returns how many allocations of the agent failed; 0 also if .info does not say it. */
static uint64_t read_failed_allocations(const struct dump *d) {
  struct span value;
  int64_t num = 0;
  bool is_number =
      dump_info(d, INFO_MEMORY_FAILED, &value) && text_parse_decimal(value, &num) && num > 0;
  return is_number ? (uint64_t)num : 0;
}

bool check_dump(struct dump *d, struct check_totals *out) {
  const struct sets *sets = dump_sets(d);
  const struct coverage *coverage = dump_coverage(d);
  struct check c = {
      .dump = d, .totals = out, .depth = coverage->depth, .has_first_set = sets->first == 1};
  c.has_threshold = !coverage_has_short_pairs(coverage);
  *out = (struct check_totals){.is_lossy = coverage_is_lossy(coverage),
                               .num_failed_allocations = read_failed_allocations(d)};
  c.has_gap = sets->missing > 0;
  for (const struct part *part = parts; part < parts + sizeof parts / sizeof *parts; part++) {
    struct stream *s = dump_stream(d, part->file);
    if (s == NULL) continue;
    part->check(&c, s);
    c.num_repeated[part->file] = stream_num_repeated(s);
    out->lines[part->file] = stream_lines(s) - stream_num_repeated(s);
    out->is_cut[part->file] = stream_cut(s);
    stream_close(s);
  }
  if (c.has_gap) {
    check_add_file_fault(&c, DUMP_EVENTS, RULE_SET_MISSING, subject_from_number(sets->missing));
  }
  faults_sort(dump_faults(d));
  hashmap_free(&c.threads);
  hashmap_free(&c.stacks);
  arena_free(&c.memory);
  return !c.failed && !dump_faults(d)->failed;
}
