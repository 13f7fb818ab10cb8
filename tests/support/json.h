#pragma once
// A strict reader of JSON (RFC 8259): it fails the test on any text that is not valid JSON. \uXXXX
// becomes UTF-8; a surrogate becomes U+FFFD.
#include <stdlib.h>
#include <string.h>

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

struct Json {
  enum Kind { kNull, kBool, kNumber, kString, kArray, kObject } kind = kNull;
  std::string text;  // a string, the text of a number, "true" or "false"
  std::vector<Json> items;
  std::map<std::string, Json> members;

  double Number() const {
    EXPECT_EQ(kind, kNumber) << text;
    return strtod(text.c_str(), nullptr);
  }
  unsigned long long Integer() const {
    EXPECT_EQ(text.find_first_not_of("0123456789"), std::string::npos) << text;
    return strtoull(text.c_str(), nullptr, 10);
  }
  bool Has(const std::string &key) const { return members.count(key) != 0; }
  const Json &operator[](const std::string &key) const {
    static const Json none;
    auto found = members.find(key);
    if (found != members.end()) return found->second;
    ADD_FAILURE() << "no member " << key;
    return none;
  }
};

class JsonReader {
 public:
  explicit JsonReader(const std::string &text) : at_(text.c_str()), end_(at_ + text.size()) {}

  Json Read() {
    Json value = ReadValue();
    SkipBlanks();
    if (at_ != end_) Fail("text after the end of the value");
    return value;
  }

 private:
  void Fail(const char *why) {
    if (!failed_) ADD_FAILURE() << why << " at: " << std::string(at_, end_).substr(0, 60);
    failed_ = true;
    at_ = end_;
  }
  void SkipBlanks() {
    while (at_ < end_ && strchr(" \t\r\n", *at_) != nullptr) at_++;
  }
  bool Take(char c) {
    SkipBlanks();
    if (at_ == end_ || *at_ != c) return false;
    at_++;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail((std::string("expected ") + c).c_str());
  }

  Json ReadValue() {
    Json value;
    if (Take('{')) {
      ReadMembers(&value);
    } else if (Take('[')) {
      ReadItems(&value);
    } else if (Take('"')) {
      value.kind = Json::kString;
      value.text = ReadString();
    } else {
      ReadWord(&value);
    }
    return value;
  }

  void ReadMembers(Json *object) {
    object->kind = Json::kObject;
    if (Take('}')) return;
    do {
      Expect('"');
      std::string key = ReadString();
      Expect(':');
      if (!object->members.emplace(key, ReadValue()).second) Fail("duplicate key");
    } while (Take(','));
    Expect('}');
  }

  void ReadItems(Json *array) {
    array->kind = Json::kArray;
    if (Take(']')) return;
    do {
      array->items.push_back(ReadValue());
    } while (Take(','));
    Expect(']');
  }

  void ReadWord(Json *value) {
    while (at_ < end_ && strchr("+-.abcdefghijklmnopqrstuvwxyzE0123456789", *at_) != nullptr) {
      value->text += *at_++;
    }
    const std::string &word = value->text;
    if (word == "null") return;
    value->kind = word == "true" || word == "false" ? Json::kBool : Json::kNumber;
    if (value->kind == Json::kNumber && !IsNumber(word)) Fail("invalid value");
  }

  static bool IsNumber(const std::string &word) {
    size_t first = word[0] == '-';
    if (word.size() > first + 1 && word[first] == '0' && word[first + 1] != '.') return false;
    char *end = nullptr;
    strtod(word.c_str(), &end);
    return !word.empty() && *end == '\0' && isdigit(word[first]) && isdigit(word.back());
  }

  std::string ReadString() {
    std::string text;
    for (; at_ < end_ && *at_ != '"'; at_++) {
      if (static_cast<unsigned char>(*at_) < 0x20) Fail("unescaped control character");
      if (at_ == end_) break;
      if (*at_ == '\\') {
        ReadEscape(&text);
      } else {
        text += *at_;
      }
      if (at_ == end_) break;
    }
    if (at_ == end_) {
      Fail("unterminated string");
    } else {
      at_++;
    }
    return text;
  }

  // Leaves at_ on the last character of the escape.
  void ReadEscape(std::string *text) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = ++at_ < end_ ? *at_ : '\0';
    const char *simple = c == '\0' ? nullptr : strchr(from, c);
    if (simple != nullptr) {
      *text += to[simple - from];
    } else if (c == 'u' && end_ - at_ > 4) {
      AppendUnit(strtoul(std::string(at_ + 1, 4).c_str(), nullptr, 16), text);
      at_ += 4;
    } else {
      Fail("invalid escape");
    }
  }
  static void AppendUnit(unsigned long c, std::string *text) {
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
    if (c < 0x80) {
      *text += static_cast<char>(c);
    } else if (c < 0x800) {
      *text += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    } else {
      *text += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                static_cast<char>(0x80 | (c & 0x3F))};
    }
  }

  const char *at_, *end_;
  bool failed_ = false;
};

inline Json ReadJson(const std::string &text) { return JsonReader(text).Read(); }
