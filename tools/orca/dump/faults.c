#include "tools/orca/dump/faults.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dump_suffixes[NUM_DUMP_FILES] = {
#define DUMP_FILE(id, suffix, line, need) suffix,
#include "agent/event/file.def"
};

enum { MUST = false, MAY = true };
const bool dump_optional[NUM_DUMP_FILES] = {
#define DUMP_FILE(id, suffix, line, need) need,
#include "agent/event/file.def"
};

#define TEXT_SIZE 300 /* a longer text is cut */

static struct fault *add_fault_row(struct faults *f) {
  if (f->num == f->capacity) {
    size_t capacity = f->capacity == 0 ? 16 : f->capacity * 2;
    struct fault *rows = realloc(f->rows, capacity * sizeof *rows);
    if (rows == NULL) {
      f->failed = true;
      return NULL;
    }
    f->rows = rows;
    f->capacity = capacity;
  }
  return &f->rows[f->num++];
}

void faults_add(struct faults *f, enum dump_file file, uint64_t line, const char *kind,
                const char *format, ...) {
  for (size_t i = 0; i < f->num; i++) {
    struct fault *known = &f->rows[i];
    if (known->file != file || strcmp(known->kind, kind) != 0) continue;
    known->count++;
    return;
  }
  struct fault *row = add_fault_row(f);
  if (row == NULL) return;
  *row = (struct fault){.file = file, .kind = kind, .set = f->set, .line = line, .count = 1};
  char text[TEXT_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  row->text = strdup(text);
}

void faults_forget(struct faults *f, enum dump_file file) {
  size_t kept = 0;
  for (size_t i = 0; i < f->num; i++) {
    if (f->rows[i].file == file) {
      free(f->rows[i].text);
    } else {
      f->rows[kept++] = f->rows[i];
    }
  }
  f->num = kept;
}

static int compare_places(const void *a, const void *b) {
  const struct fault *one = a, *other = b;
  if (one->file != other->file) return one->file < other->file ? -1 : 1;
  if (one->set != other->set) return one->set - 1 < other->set - 1 ? -1 : 1; /* 0 is the last set */
  if (one->line != other->line) return one->line < other->line ? -1 : 1;
  return strcmp(one->kind, other->kind);
}

void faults_sort(struct faults *f) {
  if (f->num > 1) qsort(f->rows, f->num, sizeof *f->rows, compare_places);
}

static void append_number(struct builder *b, const char *format, uint64_t n) {
  char text[40];
  snprintf(text, sizeof text, format, n);
  builder_string(b, text);
}

void fault_write(struct builder *b, const char *prefix, const struct fault *row) {
  builder_string(b, prefix);
  if (row->set != 0) append_number(b, ".%04" PRIu64, row->set);
  builder_string(b, dump_suffixes[row->file]);
  if (row->line != 0) append_number(b, ":%" PRIu64, row->line);
  builder_string(b, ": ");
  builder_string(b, row->text != NULL ? row->text : row->kind);
  if (row->count > 1) append_number(b, " (%" PRIu64 " times)", row->count);
  builder_char(b, '\n');
}

void faults_free(struct faults *f) {
  for (size_t i = 0; i < f->num; i++) free(f->rows[i].text);
  free(f->rows);
  *f = (struct faults){0};
}
