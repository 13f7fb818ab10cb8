#pragma once
/* Environment variables that make a test do more: CONTRIBUTING.md has the list. */
#include <stdint.h>
#include <stdlib.h>

/* ReadSetting returns the number in an environment variable; `fallback` if it is not set. */
inline uint64_t ReadSetting(const char *variable, uint64_t fallback) {
  const char *value = getenv(variable);
  return value == nullptr ? fallback : strtoull(value, nullptr, 10);
}
