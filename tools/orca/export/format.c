#include "tools/orca/export/format.h"

#include <string.h>

enum {
  MODEL = NEEDS_MODEL,
  VALUE = NEEDS_VALUE,
  THREADS = NEEDS_THREADS,
  BINARY = NEEDS_BINARY,
  TABLE = NEEDS_TABLE,
};

const struct export_format export_formats[NUM_EXPORT_FORMATS] = {
#define FORMAT(id, needs, help) {#id, needs, help, export_##id},
#include "tools/orca/export/format.def"
};

const struct export_format *export_find(const char *name) {
  for (size_t i = 0; i < NUM_EXPORT_FORMATS; i++) {
    if (strcmp(export_formats[i].name, name) == 0) return &export_formats[i];
  }
  return NULL;
}
