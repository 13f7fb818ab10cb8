#include "agent/jvm/product.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *word, *reason;
} refused[] = {
#define PRODUCT(word, reason) {word, reason},
#include "agent/jvm/product.def"
};

bool product_is_supported(jvmtiEnv *ti, char *error, size_t error_size) {
  char *name = NULL;
  bool good = true;
  if ((*ti)->GetSystemProperty(ti, "java.vm.name", &name) != JVMTI_ERROR_NONE) return true;
  for (size_t i = 0; i < sizeof refused / sizeof *refused && good && name != NULL; i++) {
    good = strstr(name, refused[i].word) == NULL;
    if (!good) {
      snprintf(error, error_size, "this JVM is %.100s; Orca needs HotSpot, because %s", name,
               refused[i].reason);
    }
  }
  (*ti)->Deallocate(ti, (unsigned char *)name);
  return good;
}
