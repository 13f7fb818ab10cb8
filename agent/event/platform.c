#include "agent/event/platform.h"

bool is_platform_type(struct span signature) {
  static const char *const roots[] = {"Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/", "["};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    if (span_starts(signature, roots[i])) return true;
  }
  return false;
}
