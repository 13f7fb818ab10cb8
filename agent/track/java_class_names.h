#pragma once
/* The names of Orca's Java classes (java/). */
#define ORCA_BOOT_CLASS "OrcaBoot"
#define ORCA_HOOK_CLASS "java/lang/OrcaHook"
#define ORCA_LOCKS_CLASS "java/util/concurrent/locks/OrcaLocks"
