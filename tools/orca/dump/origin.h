#pragma once
/* What the names of classes have in common that a program or the JDK generates from one origin: all
   lambdas of a class, hidden classes of one name, proxies, accessors. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* origin_cut_address cuts the address off the name of a hidden class:
   "Main$$Lambda$14.0x0000000800c03000". */
struct span origin_cut_address(struct span name);

/* origin_put appends the signature of a class without its address, without the number of a lambda,
   and with a '#' for each number in the name of a class that has no source file: compilers of
   source write one. The number of an anonymous class remains: "Main$1". */
void origin_put(struct builder *b, struct span signature, bool has_source);

END_C
