/* Tests that hook_classes.h contains the classes of agent/track/java. */
#include "agent/track/hook_classes.h"

#include "tests/support/compiled_class.h"

TEST(HookClasses, AreThoseOfTheSources) {
  ExpectCurrent(boot_bytes, sizeof boot_bytes, "agent/track/java/OrcaBoot.java", "OrcaBoot");
  ExpectCurrent(hook_bytes, sizeof hook_bytes, "agent/track/java/OrcaHook.java",
                "java/lang/OrcaHook");
  ExpectCurrent(locks_bytes, sizeof locks_bytes, "agent/track/java/OrcaLocks.java",
                "java/util/concurrent/locks/OrcaLocks");
}
