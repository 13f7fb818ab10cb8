#pragma once
// Reads the JSON that a page of `orca html` contains.
#include <string>

#include "tests/support/json.h"

inline Json ReadPageJson(const std::string &page, const std::string &id) {
  const std::string before = "<script id=\"" + id + "\" type=\"application/json\">";
  size_t begin = page.find(before);
  if (begin == std::string::npos) {
    ADD_FAILURE() << "the page has no " << id;
    return {};
  }
  begin += before.size();
  return ReadJson(page.substr(begin, page.find("</script>", begin) - begin));
}

inline Json ReadPageData(const std::string &page) { return ReadPageJson(page, "data"); }
