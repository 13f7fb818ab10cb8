#include "tools/orca/export/tsv.h"

#include "tools/orca/export/tsv_table.h"
#include "tools/orca/model/names.h"

/* --- values ------------------------------------------------------------------------------- */

/* Returns the letter after the backslash; 0: the character needs no escape. */
static char find_escape(char c) {
  switch (c) {
    case '\0':
      return '0';
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    case '\'':
    case '\\':
      return c;
    default:
      return 0;
  }
}

/* The data of an empty text may be NULL, to which C allows to add nothing, not even 0. */
void tsv_put_escaped(struct builder *b, struct span text) {
  size_t start = 0; /* of the characters that are not appended yet */
  if (text.len == 0) return;
  for (size_t i = 0; i < text.len; i++) {
    char letter = find_escape(text.data[i]);
    if (letter == 0) continue;
    builder_bytes(b, text.data + start, i - start);
    builder_char(b, '\\');
    builder_char(b, letter);
    start = i + 1;
  }
  builder_bytes(b, text.data + start, text.len - start);
}

/* A tab follows each value. tsv_end_row replaces the last one. */
static void end_value(struct tsv *t) { builder_char(&t->job->out->text, '\t'); }

/* text_decimal takes signed numbers; hashes of stacks need 64 bits. */
void tsv_put_number(struct tsv *t, uint64_t n) {
  char digits[20], *at = digits + sizeof digits;
  do {
    *--at = (char)('0' + n % 10);
    n /= 10;
  } while (n > 0);
  builder_bytes(&t->job->out->text, at, (size_t)(digits + sizeof digits - at));
  end_value(t);
}

void tsv_put_maybe(struct tsv *t, bool is_known, uint64_t n) {
  if (is_known) {
    tsv_put_number(t, n);
    return;
  }
  builder_string(&t->job->out->text, "\\N");
  end_value(t);
}

/* Rounded as in the tables of the views. */
uint64_t tsv_round(ticks_t ticks) { return (ticks + TICKS_PER_NS / 2) / TICKS_PER_NS; }

void tsv_put_ticks(struct tsv *t, ticks_t ticks) { tsv_put_number(t, tsv_round(ticks)); }

/* The recording tells both times of one moment, its start. A clock that was set meanwhile does not
   matter. Unlike dump_utc_ns this does not read .info again, so it is fast enough for each row, and
   the time may be before the start. */
void tsv_put_time(struct tsv *t, ticks_t time) {
  uint64_t ns = time >= t->start ? t->start_ns + (time - t->start) / TICKS_PER_NS
                                 : t->start_ns - (t->start - time) / TICKS_PER_NS;
  tsv_put_number(t, ns);
}

void tsv_put_text(struct tsv *t) {
  struct builder *out = &t->job->out->text;
  tsv_put_escaped(out, (struct span){t->text.data, t->text.len});
  out->failed |= t->text.failed;
  t->text.len = 0;
  end_value(t);
}

void tsv_put_string(struct tsv *t, const char *string) {
  builder_string(&t->text, string);
  tsv_put_text(t);
}

/* --- names --------------------------------------------------------------------------------- */

void tsv_put_thread(struct tsv *t, uint32_t thread) {
  if (thread != 0) names_thread(&t->text, &t->job->model->threads, thread);
  tsv_put_text(t);
}

void tsv_put_hash(struct tsv *t, uint32_t thread) {
  if (thread != 0) text_hash(&t->text, thread);
  tsv_put_text(t);
}

void tsv_put_method(struct tsv *t, uint32_t method) {
  if (method != 0) names_full_method(&t->text, t->job->dump, method);
  tsv_put_text(t);
}

void tsv_put_place(struct tsv *t, place_t place) {
  tsv_put_method(t, place_method(place));
  tsv_put_number(t, place_line(place));
}

void tsv_put_stack(struct tsv *t, stack_id_t stack) {
  uint64_t key;
  if (!stack_keys_find(&t->keys, stack, &key)) t->job->out->text.failed = true;
  tsv_put_number(t, key);
}

void tsv_put_sort(struct tsv *t, enum lock_sort sort) { tsv_put_string(t, lock_sorts[sort].key); }

/* --- rows ----------------------------------------------------------------------------------- */

void tsv_begin_row(struct tsv *t) {
  builder_bytes(&t->job->out->text, t->row_start.data, t->row_start.len);
}

bool tsv_end_row(struct tsv *t) {
  struct builder *out = &t->job->out->text;
  if (out->failed || out->len == 0) return false;
  out->data[out->len - 1] = '\n';
  return output_write_if_large(t->job->out);
}

/* The default of the label `run`: no other recording began at this moment in a process with this
   number. */
static void put_run(struct builder *b, const struct dump *d) {
  struct span start = {"", 0}, pid = {"", 0};
  dump_info(d, INFO_START_UTC, &start);
  dump_info(d, INFO_PID, &pid);
  tsv_put_escaped(b, start);
  builder_char(b, '-');
  tsv_put_escaped(b, pid);
}

static bool put_labels(struct tsv *t, const struct labels *labels) {
  struct builder *names = &t->job->out->text, *values = &t->row_start;
  for (size_t i = 0; i < labels->num; i++) {
    const struct label *label = &labels->rows[i];
    builder_bytes(names, label->key.data, label->key.len);
    builder_char(names, '\t');
    if (i == LABEL_RUN && label->value.data == NULL) put_run(values, t->job->dump);
    tsv_put_escaped(values, label->value);
    builder_char(values, '\t');
  }
  return !values->failed;
}

/* Returns false if .info does not have both times of the start. */
static bool read_start(struct tsv *t) {
  const struct dump *d = t->job->dump;
  struct span start;
  if (!dump_info(d, INFO_START_MONOTONIC, &start) || !text_parse_ticks(start, &t->start)) {
    return false;
  }
  t->start_ns = dump_utc_ns(d, t->start);
  return t->start_ns != 0;
}

bool tsv_start(struct tsv *t) {
  size_t num;
  const struct tsv_column *columns = tsv_table_columns(t->job->table, &num);
  t->keys.model = t->job->model;
  if (!read_start(t)) {
    t->job->out->problem = "the recording does not tell its start.utc in .info, which times need";
    return false;
  }
  if (!put_labels(t, t->job->labels)) return false;
  for (size_t i = 0; i < num; i++) {
    builder_string(&t->job->out->text, columns[i].name);
    end_value(t);
  }
  return tsv_end_row(t);
}

void tsv_free(struct tsv *t) {
  stack_keys_free(&t->keys);
  builder_free(&t->row_start);
  builder_free(&t->text);
}

bool export_tsv(const struct export_job *job) {
  struct tsv t = {.job = job};
  bool is_good = tsv_start(&t) && job->table->write(&t);
  tsv_free(&t);
  return is_good;
}
