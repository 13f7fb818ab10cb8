#pragma once
/* Writes tables as tab-separated values that ClickHouse reads as TabSeparatedWithNames. The first
   line contains the names of the columns. In texts, the characters \b \t \n \f \r \0 ' and \ are
   escaped by a backslash.

     tsv_begin_row(t);
     tsv_put_number(t, 12);
     names_object(&t->text, …);
     tsv_put_text(t);
     return tsv_end_row(t);

   Each function writes the next column. Memory does not grow with the number of rows. */
#include "agent/base/extern_c.h"
#include "tools/orca/export/format.h"
#include "tools/orca/export/stack_keys.h"

BEGIN_C

/* Start with `job` set and everything else zero; then tsv_start. tsv_free frees the memory. */
struct tsv {
  const struct export_job *job; /* the caller's */
  uint64_t start_ns;            /* of the recording, since 1970 in UTC */
  ticks_t start;                /* the same moment as a timestamp */
  struct stack_keys keys;
  struct builder row_start; /* the values of the labels, a tab after each */
  struct builder text;      /* the value of the next tsv_put_text */
};

/* tsv_start writes the first line. It returns false if memory ran out, or if .info does not tell
   when the recording began; then it sets `problem` of the output. */
bool tsv_start(struct tsv *t);

void tsv_begin_row(struct tsv *t);

/* tsv_end_row returns false if memory ran out, or a write failed. */
bool tsv_end_row(struct tsv *t);

void tsv_put_number(struct tsv *t, uint64_t n);
void tsv_put_maybe(struct tsv *t, bool is_known, uint64_t n); /* \N if it is not known */
void tsv_put_ticks(struct tsv *t, ticks_t ticks);             /* a duration: tsv_round */
void tsv_put_time(struct tsv *t, ticks_t time); /* a timestamp in nanoseconds since 1970 */
void tsv_put_text(struct tsv *t);               /* escapes and empties `text` */
void tsv_put_string(struct tsv *t, const char *string);

/* tsv_round returns a duration in nanoseconds, rounded to the nearest. */
uint64_t tsv_round(ticks_t ticks);

/* tsv_put_thread writes the name of a thread; tsv_put_hash its hash. Both are empty for 0. */
void tsv_put_thread(struct tsv *t, uint32_t thread);
void tsv_put_hash(struct tsv *t, uint32_t thread);

/* tsv_put_method writes the name of a method, empty for 0. tsv_put_place writes two columns: the
   method of a place, and its line. */
void tsv_put_method(struct tsv *t, uint32_t method);
void tsv_put_place(struct tsv *t, place_t place);

/* tsv_put_stack writes the number of a stack (stack_keys.h). */
void tsv_put_stack(struct tsv *t, stack_id_t stack);

/* tsv_put_sort writes "monitor", "lock", … */
void tsv_put_sort(struct tsv *t, enum lock_sort sort);

/* tsv_put_escaped appends a text with the escapes of the format. */
void tsv_put_escaped(struct builder *b, struct span text);

void tsv_free(struct tsv *t);

END_C
