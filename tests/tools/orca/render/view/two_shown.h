#pragma once
// Runs a view on the comparison of two runs and returns its output.
#include <string>

#include "tests/tools/orca/model/two_runs.h"
#include "tests/tools/orca/render/view/shown.h"
#include "tools/orca/render/view/diff.h"

inline std::string ShowView(const struct comparison *c,
                            void (*view)(struct builder *, const struct comparison *,
                                         const struct style *)) {
  struct builder b = {};
  view(&b, c, &kPlain);
  return TakeText(&b);
}
