#pragma once
/* What a report says, as data: rows of finding.def with an order. render/view/say.h makes sentences
   of them, render/view/findings.h JSON. */
#include "agent/base/extern_c.h"
#include "agent/event/meaning.h"
#include "tools/orca/dump/arena.h"
#include "tools/orca/model/state/place.h"

BEGIN_C

/* In the order in which findings are told. Those of one rank are told by weight: the time of
   threads that a finding explains, summed over them. The weights of RANK_TIME are comparable:
   - waits, I/O, CPU time: the sum over the threads;
   - methods that use the CPU: their CPU time and the waits for a CPU for which they are the reason;
   - a pause of the JVM: its length times the threads that were busy on average, at least one;
   - time in which the whole program was idle: its length, since no thread had something to do;
   - 0 for what is only an explanation, such as a pool whose size limits nothing. */
enum finding_rank {
  RANK_STOPPED, /* the program, or a part of it, does not go on */
  RANK_TIME,    /* where the time of threads goes */
  RANK_RISK,    /* what may go wrong, or makes work for nothing */
  RANK_NOTE     /* what does not matter, and what the findings above are about */
};

enum finding_kind {
#define PART(id)
#define FINDING(id, key, rank) FINDING_##id,
#define FIELD(id, type, name)
#define ROWS(id, name, part)
#define END(id)
#include "tools/orca/answer/finding.def"
#undef PART
#define PART(id) PART_##id,
#undef FINDING
#define FINDING(id, key, rank)
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END
  NUM_FINDING_KINDS
};

/* --- fields --------------------------------------------------------------------------------- */

/* A text, a place or a lock that is not known has no text (NULL). */
struct named_place {
  const char *text; /* "Cart.add (Cart.java:7)" */
  place_t place;
};

struct named_lock {
  const char *text;  /* its title: titles.h */
  bool is_described; /* the title begins with a noun: "monitor in …" */
  bool is_class;     /* of a class: "class com.acme.Registry" */
  bool is_several;   /* locks that are not told apart */
  enum lock_sort sort;
  uint32_t object; /* 0: several */
  uint32_t class_id;
  const char *class_name; /* of several objects */
  uint64_t objects;
};

struct found_rows {
  void *rows; /* of the structs of the part */
  size_t num;
};

#define FIELD_COUNT uint64_t
#define FIELD_TIME uint64_t /* nanoseconds */
#define FIELD_RATIO double  /* found_ratio of it */
#define FIELD_FLAG bool
#define FIELD_TEXT const char * /* UTF-8 */
#define FIELD_PLACE struct named_place
#define FIELD_LOCK struct named_lock

#define PART(id) struct found_##id {
#define FINDING(id, key, rank) struct found_##id {
#define FIELD(id, type, name) FIELD_##type name;
#define ROWS(id, name, part) struct found_rows name;
#define END(id) \
  }             \
  ;
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END

/* JSON has four decimals of a ratio, so rows have no more. */
#define FOUND_RATIO_ONE 10000.0
static inline double found_ratio(double value) {
  return (double)(int64_t)(value * FOUND_RATIO_ONE + 0.5) / FOUND_RATIO_ONE;
}

enum field_type {
  TYPE_COUNT,
  TYPE_TIME,
  TYPE_RATIO,
  TYPE_FLAG,
  TYPE_TEXT,
  TYPE_PLACE,
  TYPE_LOCK,
  TYPE_ROWS
};

struct finding_field {
  const char *key; /* in JSON */
  enum field_type type;
  size_t offset;          /* in the struct */
  enum finding_kind part; /* TYPE_ROWS */
};

/* By kind, of findings and parts. */
struct finding_info {
  const char *key;
  enum finding_rank rank;
  size_t size; /* of the struct */
  const struct finding_field *fields;
  size_t num_fields;
};
extern const struct finding_info finding_infos[NUM_FINDING_KINDS];

/* --- findings ------------------------------------------------------------------------------- */

struct finding {
  enum finding_kind kind;
  ticks_t weight; /* time of threads that it explains; 0: none */
  void *row;      /* the struct of its kind */
};

/* All zero is empty; findings_free frees the memory, texts too. */
struct findings {
  struct finding *rows;
  size_t num, capacity;
  struct arena arena;
  bool failed; /* memory ran out: some findings are missing */
};

/* findings_add copies a row, the struct of its kind. Its texts and rows stay the caller's, mostly
   in the arena. */
void findings_add(struct findings *f, enum finding_kind kind, ticks_t weight, const void *row);
#define FINDINGS_ADD(f, id, weight, row) \
  findings_add(f, FINDING_##id, weight, (1 ? (row) : (const struct found_##id *)NULL))

/* findings_text moves a text to the arena and frees the builder. NULL: it is empty. */
const char *findings_text(struct findings *f, struct builder *text);

/* findings_part adds a part, all zero, to an array of them. NULL: memory ran out. */
void *findings_part(struct findings *f, struct found_rows *rows, enum finding_kind part);
#define FINDINGS_PART(f, rows, id) ((struct found_##id *)findings_part(f, rows, PART_##id))

/* findings_settle puts them in their order, and leaves out what exclusion.def says. */
void findings_settle(struct findings *f);

/* findings_field_is_known returns whether a field of a row has a value. */
bool findings_field_is_known(const struct finding_field *field, const void *row);

/* A row of exclusion.def: without `by`, any finding of the kind excludes; with it, one that has
   this field. Without `field`, the other finding is left out. */
struct exclusion {
  enum finding_kind kind, other;
  const char *by, *field; /* keys */
};
extern const struct exclusion exclusions[];
extern const size_t num_exclusions;

void findings_free(struct findings *f);

END_C
