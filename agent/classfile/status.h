#pragma once
/* What the rewriter answers. */
#ifdef __cplusplus
extern "C" {
#endif

enum weave_status {
#define STATUS(name, text) WEAVE_##name,
#include "agent/classfile/status.def"
#undef STATUS
  NUM_WEAVE_STATUSES
};

/* weave_status_text says it in words: "the code would grow over 65,535 bytes". Never freed. */
const char *weave_status_text(enum weave_status status);

/* weave_status_name is the short name, "CODE_FULL". */
const char *weave_status_name(enum weave_status status);

#ifdef __cplusplus
}
#endif
