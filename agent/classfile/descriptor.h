#pragma once
/* Descriptors of methods (JVM specification 4.3): "(ILjava/lang/String;)V". */
#include "agent/classfile/big_endian.h"

#ifdef __cplusplus
extern "C" {
#endif

/* descriptor_open stands before the first parameter. */
struct cursor descriptor_open(struct span descriptor);

/* descriptor_next takes a parameter: "I", "Ljava/lang/String;". False at the end of them, then the
   cursor stands before what is returned, or where the descriptor is malformed, then it failed. */
bool descriptor_next(struct cursor *c, struct span *out_field);

/* descriptor_slots is how many local variables a value of this type takes. */
uint32_t descriptor_slots(struct span field);

/* descriptor_is_reference: a value of this type is an object or null. */
bool descriptor_is_reference(struct span field);

/* descriptor_returns is the type of what is returned, of a longer one its first letter; 0 where
   the descriptor is malformed. */
char descriptor_returns(struct span descriptor);

#ifdef __cplusplus
}
#endif
