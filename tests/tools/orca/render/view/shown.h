#pragma once
// Runs a view on a model and returns its output.
#include <string>

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/render/view/view.h"

constexpr struct style kPlain = {100, false, false};

inline std::string ShowView(const struct model *m,
                            void (*view)(struct builder *, const struct model *,
                                         const struct style *)) {
  struct builder b = {};
  view(&b, m, &kPlain);
  return TakeText(&b);
}

// The output of a page that `put` filled.
template <typename Put>
std::string ShowPage(Put put, enum format format = FORMAT_TEXT) {
  struct page page = {};
  page_start(&page, -1, format, false);
  put(&page);
  EXPECT_FALSE(page.out.failed);
  return TakeText(&page.out);
}

inline std::string ShowView(const struct model *m,
                            void (*view)(struct page *, const struct model *, size_t),
                            size_t top = 10, enum format format = FORMAT_TEXT) {
  return ShowPage([&](struct page *p) { view(p, m, top); }, format);
}
