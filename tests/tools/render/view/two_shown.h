#pragma once
// What a view shows of two runs.
#include <string>

#include "tests/tools/model/two_runs.h"
#include "tests/tools/render/view/shown.h"
#include "tools/render/view/diff.h"

inline std::string Shown(const struct comparison *c,
                         void (*view)(struct builder *, const struct comparison *,
                                      const struct style *)) {
  struct builder b = {};
  view(&b, c, &kPlain);
  return Taken(&b);
}
