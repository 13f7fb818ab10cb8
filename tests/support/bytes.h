#pragma once
/* Converts the types of agent/base/bytes.h to strings and back. */
#include <cstring>
#include <string>

#include "agent/base/bytes.h"
#include "gtest/gtest.h"

/* TakeText returns the text of a builder, and empties the builder. */
inline std::string TakeText(struct builder *b) {
  std::string text = b->len == 0 ? "" : std::string(b->data, b->len);
  EXPECT_FALSE(b->failed);
  builder_free(b);
  return text;
}

/* Span returns a span of a string, which must outlive the span. */
inline struct span Span(const std::string &s) { return {s.data(), s.size()}; }
inline struct span Span(const char *text) { return {text, strlen(text)}; }

inline std::string Text(struct span s) {
  return s.data == nullptr ? "" : std::string(s.data, s.len);
}
