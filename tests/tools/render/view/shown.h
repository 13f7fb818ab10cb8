#pragma once
// What a view shows of the small dump.
#include <string>

#include "tests/tools/model/small_dump.h"
#include "tools/render/view/view.h"

constexpr struct style kPlain = {100, false};

inline std::string Shown(const struct model *m, void (*view)(struct builder *, const struct model *,
                                                             const struct style *)) {
  struct builder b = {};
  view(&b, m, &kPlain);
  return Taken(&b);
}

inline std::string Shown(const struct model *m,
                         void (*view)(struct builder *, const struct model *, const struct style *,
                                      size_t),
                         size_t top = 10) {
  struct builder b = {};
  view(&b, m, &kPlain, top);
  return Taken(&b);
}

inline bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
