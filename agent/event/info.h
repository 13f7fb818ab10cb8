#pragma once
/* The keys of PREFIX.info, generated from info.def, and its lines. The table is constant. */
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/event/line.h"

BEGIN_C

enum info_key {
#define INFO_KEY(id, key, kind, part, need, meaning) INFO_##id,
#include "agent/event/info.def"
  NUM_INFO_KEYS
};

/* The kind of a value:
     ANY     a text
     TEXT    a text that is not empty
     COUNT   a decimal number from 0
     TICKS   a timestamp, as in the other files
     UTC     ISO 8601 with nanoseconds: 2026-11-20T11:30:00.123456789Z */
enum info_kind { INFO_KIND_ANY, INFO_KIND_TEXT, INFO_KIND_COUNT, INFO_KIND_TICKS, INFO_KIND_UTC };

/* The writer writes a START key when a set of files begins, an END key at its end. */
enum info_part { INFO_PART_START, INFO_PART_END };

struct info_key_row {
  const char *name;
  enum info_kind kind;
  enum info_part part;
  bool is_required; /* every .info has it; the END keys are missing if the JVM was killed */
  const char *meaning;
};

extern const struct info_key_row info_keys[NUM_INFO_KEYS];

/* info_key_find returns the key with this name; NUM_INFO_KEYS if no row has it, as in a file of a
   newer agent. */
enum info_key info_key_find(struct span name);

/* A line of .info: key=value. info_line_write takes the value in modified UTF-8 and escapes it like
   text_name, except for commas. */
void info_line_write(struct builder *b, enum info_key key, const char *value);
fault_t info_line_read(struct span text, struct span *out_key, struct span *out_value);

END_C
