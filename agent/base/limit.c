#include "agent/base/limit.h"

#include <stdlib.h>

#include "agent/base/clock.h"

#define MOST_SECONDS 3600

uint64_t limit_ns(uint64_t ns) {
  const char *text = getenv("ORCA_LIMIT_SECONDS");
  long seconds = text == NULL ? 0 : strtol(text, NULL, 10);
  if (seconds <= 0) return ns;
  if (seconds > MOST_SECONDS) seconds = MOST_SECONDS;
  uint64_t longer = (uint64_t)seconds * NS_PER_S;
  return longer > ns ? longer : ns;
}
