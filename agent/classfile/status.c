#include "agent/classfile/status.h"

static const struct {
  const char *name, *text;
} rows[] = {
#define STATUS(name, text) {#name, text},
#include "agent/classfile/status.def"
#undef STATUS
};

const char *weave_status_text(enum weave_status status) { return rows[status].text; }

const char *weave_status_name(enum weave_status status) { return rows[status].name; }
