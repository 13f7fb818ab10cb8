#pragma once
/* Appends messages of Protocol Buffers to a builder. Only the field types of pprof's format. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* A field of an integer type. 0 is left out, because a missing field means 0. */
void protobuf_integer(struct builder *b, unsigned field, uint64_t n);

/* A field that contains a string or a message. An empty one is written too. */
void protobuf_bytes(struct builder *b, unsigned field, struct span bytes);

/* A number without a field, for packed lists. */
void protobuf_varint(struct builder *b, uint64_t n);

END_C
