#pragma once
/* A file of gzip (RFC 1952) whose data is stored as it is, not compressed: what some readers of
   pprof insist on, without a library for it. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

void gzip_stored(struct builder *b, struct span data);

#ifdef __cplusplus
}
#endif
