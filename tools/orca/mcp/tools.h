#pragma once
/* The tools that `orca mcp` offers, and the command lines that calls of them stand for. */
#include <json-c/json.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/render/json.h"

BEGIN_C

enum {
  TOOL_WORDS = 64,           /* room for a command line and NULL */
  TOOL_MIN_BYTES = 700,      /* room for a row of a table, and for what to ask next */
  TOOL_DEFAULT_BYTES = 2000, /* of an answer, if the client does not say max_bytes */
  TOOL_MAX_BYTES = 1000000
};

struct tool;

/* tools_put_list writes the array of all tools, with the schemas of their arguments. */
void tools_put_list(struct json *j);

/* tools_find returns the tool, or NULL. tools_next returns what to ask after it; "": the command
   says it in its last line. */
const struct tool *tools_find(const char *name);
const char *tools_next(const struct tool *tool);

/* tools_has_filters returns whether the tool takes the arguments that select a part. */
bool tools_has_filters(const struct tool *tool);

/* A call of a tool as a command line. */
struct tool_call {
  struct builder text;     /* the words, each with a NUL */
  char *words[TOOL_WORDS]; /* into `text`; the last one is NULL. words[0] is the command's name */
  size_t max_bytes;        /* of the answer */
};

/* tools_read_call turns arguments, an object or NULL, into a command line. No value can become an
   option. On false, `why` has a sentence. tools_free_call must be called in both cases. */
bool tools_read_call(struct tool_call *call, const struct tool *tool, struct json_object *arguments,
                     struct builder *why);
void tools_free_call(struct tool_call *call);

END_C
