#pragma once
/* Where an exception was thrown: the method of the program that a report names. */
#include <jni.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* thrower_name appends the escaped name of the place, "com.acme.Cart.add (Cart.java:7)". Nothing if
   it is not known: the exception has no stack, its class overrides getStackTrace, the JVM lacks
   Orca's classes, or many exceptions came before. Calls Java. No
   exception may be pending, and none is afterwards. */
void thrower_name(JNIEnv *jni, jobject thrown, struct builder *out);

END_C
