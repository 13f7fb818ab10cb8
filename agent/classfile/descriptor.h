#pragma once
/* Method descriptors (JVM specification 4.3): "(ILjava/lang/String;)V". */
#include "agent/base/extern_c.h"
#include "agent/classfile/big_endian.h"

BEGIN_C

/* descriptor_open returns a cursor at the first parameter. It has failed if the descriptor does
   not start with "(". */
struct cursor descriptor_open(struct span descriptor);

/* descriptor_take_parameter takes the next parameter: "I", "Ljava/lang/String;". Returns false
   after the last one, with the cursor at the return type. Also returns false if the descriptor is
   malformed; the cursor has failed then. */
bool descriptor_take_parameter(struct cursor *c, struct span *out_field);

/* descriptor_slots returns how many local variables a value of this type uses. */
uint32_t descriptor_slots(struct span field);

/* descriptor_is_reference tells whether a value of this type is an object or null. */
bool descriptor_is_reference(struct span field);

/* descriptor_has_reference_first tells whether the first parameter is an object. */
bool descriptor_has_reference_first(struct span descriptor);

/* descriptor_return_type returns the first letter of the return type, or 0 if the descriptor is
   malformed. */
char descriptor_return_type(struct span descriptor);

END_C
