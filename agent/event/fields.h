#pragma once
/* The fields of a line, taken off it one by one or put behind each other; for the files that read
   and write lines. In a header, as a reader lives on them. */
#include "agent/event/line.h"

/* Takes fields off a line; once one is missing or misspelled `fault` says so and the rest of the
   calls do nothing, so that a reader asks once. */
struct fields {
  struct span rest;
  fault_t fault;
};

static inline struct span take(struct fields *f) {
  struct span field = {"", 0};
  if (f->fault == NULL && !span_cut(&f->rest, ',', &field)) f->fault = "a field is missing";
  return field;
}

/* The same where the field is known to be `len` bytes long if it is right. */
static inline struct span take_of(struct fields *f, size_t len) {
  if (f->fault != NULL || f->rest.len <= len || f->rest.data[len] != ',') return take(f);
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
  if (!text_parse_ticks(take_of(f, dot + 1 + DECIMALS), &t) && f->fault == NULL) {
    f->fault = "the timestamp is not seconds with ten decimals";
  }
  return t;
}

static inline uint32_t take_hash(struct fields *f, fault_t fault) {
  uint32_t hash = 0;
  if (!text_parse_hash(take_of(f, 8), &hash) && f->fault == NULL) f->fault = fault;
  return hash;
}

static inline int64_t take_decimal(struct fields *f, int64_t min, fault_t fault) {
  int64_t n = 0;
  bool good = text_parse_decimal(take(f), &n) && n >= min;
  if (!good && f->fault == NULL) f->fault = fault;
  return n;
}

static inline struct span take_name(struct fields *f, fault_t fault) {
  struct span name = take(f);
  if (f->fault == NULL && !text_name_ok(name)) f->fault = fault;
  return name;
}

static inline fault_t finish(const struct fields *f) {
  if (f->fault == NULL && f->rest.data != NULL) return "there are more fields than the line has";
  return f->fault;
}

static inline struct span take_stack(struct fields *f) {
  struct span stack = take(f);
  size_t depth;
  if (f->fault == NULL) f->fault = stack_check(stack, &depth);
  return stack;
}

/* --- writing ----------------------------------------------------------------------------- */

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

/* One more of a list. */
static inline void put_pair(struct builder *b, uint32_t first, uint32_t second) {
  builder_char(b, ';');
  text_hash(b, first);
  builder_char(b, ';');
  text_hash(b, second);
}
