#pragma once
/* Messages of Protocol Buffers, appended to a builder: the few kinds of field that pprof has. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field of an integer type; one that is 0 is left out, as that is what its absence means. */
void protobuf_integer(struct builder *b, unsigned field, uint64_t n);

/* A string, or a message that was built elsewhere; written also where it is empty. */
void protobuf_bytes(struct builder *b, unsigned field, struct span bytes);

/* A number without its field: what packed lists are made of. */
void protobuf_varint(struct builder *b, uint64_t n);

#ifdef __cplusplus
}
#endif
