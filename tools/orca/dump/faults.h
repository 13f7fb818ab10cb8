#pragma once
/* The faults in the files of a dump. There is one row for each kind of fault in a file, so that a
   million broken lines make only a few rows. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum dump_file {
#define DUMP_FILE(id, suffix, line, need) DUMP_##id,
#include "agent/event/file.def"
  NUM_DUMP_FILES
};

extern const char *const dump_suffixes[NUM_DUMP_FILES];

/* Whether a dump without this file is still valid. */
extern const bool dump_optional[NUM_DUMP_FILES];

struct fault {
  enum dump_file file;
  const char *kind; /* identifies the row within its file; never freed */
  unsigned set;     /* number in the name of the file of the first fault, 0: none */
  uint64_t line;    /* of the first fault, from 1; 0: the file as a whole */
  uint64_t count;
  char *text; /* of the first fault: "the thread 0A1B2C3D has no line in out.objects" */
};

/* All zero is no faults; free it with faults_free. */
struct faults {
  struct fault *rows;
  size_t num, capacity;
  unsigned set; /* number of the set being read, for new rows */
  bool failed;  /* memory ran out, so faults are missing */
};

/* faults_add counts a fault. The first fault of its kind in the file sets the line and the text. */
void faults_add(struct faults *f, enum dump_file file, uint64_t line, const char *kind,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* faults_forget removes the faults of one file, before the file is read again. */
void faults_forget(struct faults *f, enum dump_file file);

/* faults_sort orders the rows by file, set and line. */
void faults_sort(struct faults *f);

/* fault_write appends "out.orca:17: the text (3 times)" and a newline. A fault in a finished set
   has its number in the name: "out.0002.orca:17: …". */
void fault_write(struct builder *b, const char *prefix, const struct fault *row);

void faults_free(struct faults *f);

END_C
