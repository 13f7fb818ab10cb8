#pragma once
/* Text and files of text, for tests. */
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/* Has says whether `part` occurs in `text`. */
inline bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/* ReadFile returns the content of a file; "" if it cannot be read. */
inline std::string ReadFile(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline long CountLines(const std::string &text) {
  return std::count(text.begin(), text.end(), '\n');
}

/* SplitLines returns all lines without their '\n'. It leaves out an incomplete last line. */
inline std::vector<std::string> SplitLines(const std::string &text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}
