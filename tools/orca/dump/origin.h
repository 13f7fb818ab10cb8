#pragma once
/* What the names of classes have in common that the JVM makes hidden from one class file, or from
   class files of one name. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* origin_cut_address cuts the address off the name of a hidden class:
   "Main$$Lambda$14.0x0000000800c03000". Views show names without it, so classes that differ in
   nothing else have one name. */
struct span origin_cut_address(struct span name);

END_C
