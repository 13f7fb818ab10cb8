#pragma once
// Writes the page of a model and reads its data.
#include <fstream>
#include <string>

#include "tests/support/page_data.h"
#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/html/html.h"

inline std::string PageOf(struct model *m) {
  struct builder page = {};
  EXPECT_TRUE(html_write(&page, m));
  return TakeText(&page);
}

inline std::string PageOfBoth(const struct comparison *c) {
  struct builder page = {};
  EXPECT_TRUE(html_write_comparison(&page, const_cast<struct model *>(c->runs[0]),
                                    const_cast<struct model *>(c->runs[1])));
  return TakeText(&page);
}

inline Json DataOf(struct model *m) { return ReadPageData(PageOf(m)); }

// The numbers of an array, "1 2 3".
inline std::string Numbers(const Json &array) {
  std::string text;
  for (const Json &item : array.items) text += (text.empty() ? "" : " ") + item.text;
  return text;
}

// The text of a frame with its callers: "reserve:42 < run:20".
inline std::string Stack(const Json &data, size_t frame) {
  std::string text;
  while (frame > 0) {
    const std::vector<Json> &frames = data["frames"].items;
    size_t method = frames[3 * (frame - 1) + 1].Integer();
    text += (text.empty() ? "" : " < ") + data["methods"].items[method].items[0].text + ":" +
            frames[3 * (frame - 1) + 2].text;
    frame = frames[3 * (frame - 1)].Integer();
  }
  return text;
}
