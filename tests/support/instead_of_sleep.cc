#include "tests/support/instead_of_sleep.h"

#include <time.h>

#include <utility>

namespace {

std::function<void()> act;

}  // namespace

InsteadOfSleep::InsteadOfSleep(std::function<void()> to_do) { act = std::move(to_do); }

InsteadOfSleep::~InsteadOfSleep() { act = nullptr; }

extern "C" {

int __real_nanosleep(const struct timespec *time, struct timespec *left);

int __wrap_nanosleep(const struct timespec *time, struct timespec *left) {
  if (act == nullptr) return __real_nanosleep(time, left);
  act();
  return 0;
}

}  // extern "C"
