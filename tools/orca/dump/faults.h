#pragma once
/* What is wrong in the files of a dump, one row a kind of fault and file: a million broken lines
   are a handful of rows. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dump_file {
#define DUMP_FILE(id, suffix, line, need) DUMP_##id,
#include "tools/orca/dump/file.def"
  NUM_DUMP_FILES
};

extern const char *const dump_suffixes[NUM_DUMP_FILES];

/* Files that a sound dump may lack. */
extern const bool dump_optional[NUM_DUMP_FILES];

struct fault {
  enum dump_file file;
  const char *kind; /* same kind, same row; never freed */
  unsigned set;     /* of the first: the number in the name of its file, 0: none */
  uint64_t line;    /* of the first, from 1; 0: the file as a whole */
  uint64_t count;
  char *text; /* of the first, such as "the thread 0A1B2C3D has no line in out.objects" */
};

/* All zero is no faults; faults_free gives the memory back. */
struct faults {
  struct fault *rows;
  size_t num, capacity;
  unsigned set; /* that is being read: new rows are of it */
  bool failed;  /* memory ran out: there are more */
};

/* faults_add counts a fault. The first of its kind in its file brings the line and the text. */
void faults_add(struct faults *f, enum dump_file file, uint64_t line, const char *kind,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* faults_forget drops the faults of one file, before it is read again. */
void faults_forget(struct faults *f, enum dump_file file);

/* faults_sort orders the rows by file and line. */
void faults_sort(struct faults *f);

/* faults_total is the sum of the counts. */
uint64_t faults_total(const struct faults *f);

/* fault_write writes "out.orca:17: the text (3 times)" and a newline; "out.0002.orca:17: …" where
   it stands in a finished set. */
void fault_write(struct builder *b, const char *prefix, const struct fault *row);

void faults_free(struct faults *f);

#ifdef __cplusplus
}
#endif
