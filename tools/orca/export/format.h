#pragma once
/* The formats that a dump can be turned into: the expansion of format.def. */
#include "tools/orca/model/model.h"
#include "tools/orca/render/output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be exported, and how. */
struct export_job {
  struct dump *dump;
  struct model *model;      /* NULL where the format needs none */
  enum profile_value value; /* of the formats that have one only */
  bool threads;             /* the thread is the outermost frame of its stacks */
  struct output *out;
};

enum { NEEDS_MODEL = 1, NEEDS_VALUE = 2, NEEDS_THREADS = 4, NEEDS_BINARY = 8 };

struct export_format {
  const char *name;
  unsigned needs;
  const char *help;
  bool (*write)(const struct export_job *job);
};

/* Each of these writes the whole of an export to `job->out`, but for output_end. False: memory ran
   out, or the output takes no more (`error`). */
#define FORMAT(id, needs, help) bool export_##id(const struct export_job *job);
#include "tools/orca/export/format.def"

enum {
#define FORMAT(id, needs, help) EXPORT_##id,
#include "tools/orca/export/format.def"
  NUM_EXPORT_FORMATS
};

extern const struct export_format export_formats[NUM_EXPORT_FORMATS];

/* export_find looks a format up by its name; NULL where there is none. */
const struct export_format *export_find(const char *name);

#ifdef __cplusplus
}
#endif
