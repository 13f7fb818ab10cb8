#pragma once
// Runs a view on a model and returns its output.
#include <string>

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/render/view/view.h"

constexpr struct style kPlain = {100, false, false};

// worker-1 acquires A1 in reserve and then A2 in price, worker-2 in the opposite order.
constexpr char kInversion[] =
    "100.0000000000,ThreadStarted,00000002,worker-1\n"
    "100.0000000001,ThreadStarted,00000003,worker-2\n"
    "101.0010000000,MonitorEntered,00000002,000000A1,1;00000012;00000000\n"
    "101.0020000000,MonitorEntered,00000002,000000A2,1;00000010;00000000\n"
    "101.0030000000,MonitorExit,00000002,000000A2,1;00000010;00000000\n"
    "101.0040000000,MonitorExit,00000002,000000A1,1;00000012;00000000\n"
    "101.0050000000,MonitorEntered,00000003,000000A2,1;00000010;00000000\n"
    "101.0060000000,MonitorEntered,00000003,000000A1,1;00000012;00000000\n"
    "101.0070000000,MonitorExit,00000003,000000A1,1;00000012;00000000\n"
    "101.0080000000,MonitorExit,00000003,000000A2,1;00000010;00000000\n";

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
