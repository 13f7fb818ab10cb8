#pragma once
/* The names of Orca's classes in the JVM (java/). */
#define OUR_BOOT "OrcaBoot"
#define OUR_HOOK "java/lang/OrcaHook"
#define OUR_LOCKS "java/util/concurrent/locks/OrcaLocks"
