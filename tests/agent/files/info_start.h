#pragma once
// The start of a recording of a program in tests.
#include "agent/files/info.h"

// What is not known is zero.
inline struct info_start MakeInfoStart(uint64_t monotonic_ns = 1, uint64_t utc_ns = 2) {
  struct info_start start = {};
  start.java_version = "17";
  start.command = "java Main";
  start.options = "out";
  start.monotonic_ns = monotonic_ns;
  start.utc_ns = utc_ns;
  return start;
}
