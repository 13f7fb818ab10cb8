#pragma once
/* The agent's own Java classes in the JVM. They are never woven, and no file of a recording may
   name them. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define ORCA_BOOT_CLASS "OrcaBoot"
#define ORCA_HOOK_CLASS "java/lang/OrcaHook"
#define ORCA_INVENTORY_CLASS "java/lang/OrcaInventory"
#define ORCA_LOCKS_CLASS "java/util/concurrent/locks/OrcaLocks"

/* The names of all of them, as in class files: "java/lang/OrcaHook". */
#define NUM_ORCA_CLASSES 4
extern const char *const orca_classes[NUM_ORCA_CLASSES];

bool orca_classes_have(struct span name);

/* orca_classes_have_signature does the same for a name such as "Ljava/lang/OrcaHook;". */
bool orca_classes_have_signature(struct span signature);

END_C
