#pragma once
/* Environment variables that make a test do more: CONTRIBUTING.md has the list. */
#include <stdint.h>
#include <stdlib.h>

#include "gtest/gtest.h"

/* ReadSetting returns the number in an environment variable; `fallback` if it is not set. */
inline uint64_t ReadSetting(const char *variable, uint64_t fallback) {
  const char *value = getenv(variable);
  if (value == nullptr) return fallback;
  char *end = nullptr;
  uint64_t number = strtoull(value, &end, 10);
  EXPECT_TRUE(end != value && *end == '\0') << variable << "=" << value << " is no number";
  return number;
}
