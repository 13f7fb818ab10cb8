#pragma once
/* Reads and writes the fields of a line, one after another. Private to this folder. The functions
   are inline because a reader spends most of its time in them. */
#include "agent/event/line.h"

/* A line that is being read. When a field is missing or malformed, `fault` is set and later calls
   change nothing, so a reader checks once, at the end. The first fault stays. */
struct fields {
  struct span rest; /* the fields that are not read yet; data is NULL after the last one */
  fault_t fault;    /* NULL: none yet */
};

/* Each function below reads the next field. `fault` is the text to report when it is malformed. */

static inline struct span next_field(struct fields *f) {
  struct span field = {"", 0};
  if (f->fault == NULL && !span_cut(&f->rest, ',', &field)) f->fault = "a field is missing";
  return field;
}

/* Like next_field, and faster when the field has `len` bytes, as every valid one has. */
static inline struct span next_field_of(struct fields *f, size_t len) {
  if (f->fault != NULL || f->rest.len <= len || f->rest.data[len] != ',') return next_field(f);
  struct span field = {f->rest.data, len};
  f->rest = (struct span){f->rest.data + len + 1, f->rest.len - len - 1};
  return field;
}

#define LONGEST_SECONDS 12
#define DECIMALS 10
static inline ticks_t take_ticks(struct fields *f) {
  ticks_t t = 0;
  size_t dot = 0;
  while (dot < LONGEST_SECONDS && dot < f->rest.len && f->rest.data[dot] != '.') dot++;
  if (!text_parse_ticks(next_field_of(f, dot + 1 + DECIMALS), &t) && f->fault == NULL) {
    f->fault = "the timestamp is not seconds with ten decimals";
  }
  return t;
}

static inline uint32_t take_hash(struct fields *f, fault_t fault) {
  uint32_t hash = 0;
  if (!text_parse_hash(next_field_of(f, 8), &hash) && f->fault == NULL) f->fault = fault;
  return hash;
}

/* Accepts a decimal number of at least `min`. */
static inline int64_t take_decimal(struct fields *f, int64_t min, fault_t fault) {
  int64_t n = 0;
  bool good = text_parse_decimal(next_field(f), &n) && n >= min;
  if (!good && f->fault == NULL) f->fault = fault;
  return n;
}

static inline struct span take_name(struct fields *f, fault_t fault) {
  struct span name = next_field(f);
  if (f->fault == NULL && !text_name_ok(name)) f->fault = fault;
  return name;
}

static inline struct span take_stack(struct fields *f) {
  struct span stack = next_field(f);
  size_t depth;
  if (f->fault == NULL) f->fault = stack_check(stack, &depth);
  return stack;
}

/* Returns the first fault of the line, NULL without one. Fields that are left are a fault. */
static inline fault_t check_end(const struct fields *f) {
  if (f->fault == NULL && f->rest.data != NULL) return "there are more fields than the line has";
  return f->fault;
}

/* --- writing ----------------------------------------------------------------------------- */

/* put_time begins a line; each other function appends a comma and a field. */

static inline void put_time(struct builder *b, ticks_t t) {
  text_ticks(b, t);
  builder_char(b, ',');
}

static inline void put_hash(struct builder *b, uint32_t hash) {
  builder_char(b, ',');
  text_hash(b, hash);
}

static inline void put_decimal(struct builder *b, int64_t n) {
  builder_char(b, ',');
  text_decimal(b, n);
}

static inline void put_span(struct builder *b, struct span s) {
  builder_char(b, ',');
  builder_bytes(b, s.data, s.len);
}

/* Appends a pair to a list inside of a field. */
static inline void put_pair(struct builder *b, uint32_t first, uint32_t second) {
  builder_char(b, ';');
  text_hash(b, first);
  builder_char(b, ';');
  text_hash(b, second);
}
