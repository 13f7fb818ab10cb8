#pragma once
/* How much a recording writes and keeps, for `orca status`. The writer thread publishes it after
   each round; any thread may ask. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/table_size.h"

BEGIN_C

struct output;

/* --- the last seconds --------------------------------------------------------------------- */

#define RATES_WINDOW_NS UINT64_C(5000000000) /* the rates are those of about this time */
#define RATES_LOOKS 8                        /* that are remembered, a second apart */

/* Totals since the recording began. */
struct rates_look {
  uint64_t time_ns; /* CLOCK_MONOTONIC */
  uint64_t events, samples, bytes;
};

struct rates {
  pthread_mutex_t lock;
  struct rates_look last;               /* the last totals */
  struct rates_look looks[RATES_LOOKS]; /* ring */
  unsigned num;
};

/* rates_init is called once. rates_begin begins a recording. */
void rates_init(struct rates *r);
void rates_begin(struct rates *r, uint64_t now_ns);

/* rates_note notes the totals. */
void rates_note(struct rates *r, const struct rates_look *totals);

/* What was written in the last time. */
struct rates_span {
  uint64_t ns; /* its length; 0: the recording has just begun */
  uint64_t events, samples, bytes;
};

/* rates_read returns what was written in the window before `now_ns`, or since the recording began
   if that is shorter. */
struct rates_span rates_read(struct rates *r, uint64_t now_ns);

/* --- the load ------------------------------------------------------------------------------ */

/* The tables of definitions.h and carryover.h. */
enum writer_table {
  WRITER_CLASSES,
  WRITER_METHODS,
  WRITER_OBJECTS,
  WRITER_THREADS,
  NUM_WRITER_TABLES
};

/* What a recording writes and keeps, as of the last round of the writer thread. */
struct writer_load {
  struct rates_span recent; /* written in the last seconds */
  uint64_t disk_bytes;      /* of all files of the recording, without what triggers have kept */
  uint64_t sets;            /* of files, with the current one */
  uint64_t kept;            /* times that triggers have kept files, as far as these still exist */
  uint64_t sets_delayed;    /* as in .info */
};

struct load {
  struct table_size sizes[NUM_WRITER_TABLES]; /* atomic */
  struct writer_load now;                     /* atomic, but for `recent`, which is not used */
  struct rates rates;
  uint64_t bytes; /* written by the recording up to now */
  struct {
    unsigned number; /* the current set, and its bytes, when `bytes` was computed */
    uint64_t size;
  } counted_set;
};

/* load_init is called once. load_begin begins a recording. */
void load_init(struct load *l);
void load_begin(struct load *l);

/* load_publish publishes what the output has written and keeps. `kept`: of struct writer_load. The
   writer thread, or none runs. */
void load_publish(struct load *l, const struct output *output, uint64_t kept);

/* load_publish_tables publishes the sizes of the tables alone. */
void load_publish_tables(struct load *l, const struct output *output);

struct writer_load load_read(struct load *l);
struct table_size load_read_table(const struct load *l, enum writer_table table);

END_C
