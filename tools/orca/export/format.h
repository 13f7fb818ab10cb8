#pragma once
/* The export formats: the expansion of format.def. */
#include "agent/base/extern_c.h"
#include "tools/orca/export/tsv_table.h"
#include "tools/orca/model/model.h"
#include "tools/orca/render/output.h"

BEGIN_C

/* The arguments of an export. */
struct export_job {
  struct dump *dump;
  struct model *model;      /* NULL if the format does not need it (NEEDS_MODEL) */
  enum profile_value value; /* for formats with one value per stack (NEEDS_VALUE) */
  bool threads;             /* add the thread as the outermost frame of its stacks */
  struct output *out;
  const struct tsv_table *table; /* for formats with several tables (NEEDS_TABLE) */
  const struct labels *labels;   /* the same */
};

enum {
  NEEDS_MODEL = 1,
  NEEDS_VALUE = 2,
  NEEDS_THREADS = 4,
  NEEDS_BINARY = 8,
  NEEDS_TABLE = 16,
};

struct export_format {
  const char *name;
  unsigned needs;
  const char *help;
  bool (*write)(const struct export_job *job);
};

/* Each export function writes a complete export to `job->out`; the caller calls output_end. False:
   memory ran out, or a write failed (`error` of the output). */
#define FORMAT(id, needs, help) bool export_##id(const struct export_job *job);
#include "tools/orca/export/format.def"

enum {
#define FORMAT(id, needs, help) EXPORT_##id,
#include "tools/orca/export/format.def"
  NUM_EXPORT_FORMATS
};

extern const struct export_format export_formats[NUM_EXPORT_FORMATS];

/* export_find returns the format of this name; NULL: there is none. */
const struct export_format *export_find(const char *name);

END_C
