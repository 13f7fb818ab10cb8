#include "agent/classfile/status.h"

static const char *const texts[] = {
#define STATUS(name, text) text,
#include "agent/classfile/status.def"
#undef STATUS
};

const char *weave_status_text(enum weave_status status) { return texts[status]; }
