#pragma once
// Reads the JSON data that a page of `orca html` contains.
#include <string>

#include "tests/support/json.h"

inline Json ReadPageData(const std::string &page) {
  const std::string before = "<script id=\"data\" type=\"application/json\">";
  size_t begin = page.find(before);
  if (begin == std::string::npos) {
    ADD_FAILURE() << "the page has no data";
    return {};
  }
  begin += before.size();
  return ReadJson(page.substr(begin, page.find("</script>", begin) - begin));
}
