#include "agent/tracked/orca_classes.h"

const char *const orca_classes[NUM_ORCA_CLASSES] = {ORCA_BOOT_CLASS, ORCA_HOOK_CLASS,
                                                    ORCA_INVENTORY_CLASS, ORCA_LOCKS_CLASS};

bool orca_classes_have(struct span name) {
  for (size_t i = 0; i < NUM_ORCA_CLASSES; i++) {
    if (span_is(name, orca_classes[i])) return true;
  }
  return false;
}

bool orca_classes_have_signature(struct span signature) {
  bool is_class =
      signature.len > 2 && signature.data[0] == 'L' && signature.data[signature.len - 1] == ';';
  return is_class && orca_classes_have((struct span){signature.data + 1, signature.len - 2});
}
