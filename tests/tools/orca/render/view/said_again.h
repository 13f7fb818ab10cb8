#pragma once
// Findings of a report, from their JSON alone: docs/json.md.
#include <deque>
#include <string>
#include <vector>

#include "tests/support/bytes.h"
#include "tests/support/json.h"
#include "tools/orca/render/view/findings.h"
#include "tools/orca/render/view/say.h"

// The finding that an object of JSON describes. It owns the memory of the row.
class FindingOfJson {
 public:
  explicit FindingOfJson(const Json &json) {
    finding.kind = FindKind(json["kind"].text);
    if (finding.kind != NUM_FINDING_KINDS) {
      finding.row = TakeRow(finding.kind, 1);
      ReadRow(finding.kind, json["figures"], finding.row);
    }
  }
  FindingOfJson(const FindingOfJson &) = delete;
  FindingOfJson &operator=(const FindingOfJson &) = delete;

  std::string Say() const {
    struct builder text = {};
    say_finding(&text, &finding);
    return TakeText(&text);
  }

  struct finding finding = {};

 private:
  static enum finding_kind FindKind(const std::string &key) {
    int kind = 0;
    while (kind < NUM_FINDING_KINDS && key != finding_infos[kind].key) kind++;
    EXPECT_NE(kind, NUM_FINDING_KINDS) << "the kind of a finding is " << key;
    return static_cast<enum finding_kind>(kind);
  }

  // Rows of zeros.
  void *TakeRow(enum finding_kind kind, size_t num) {
    rows_.emplace_back(num * finding_infos[kind].size);
    return rows_.back().data();
  }

  void ReadRow(enum finding_kind kind, const Json &json, void *row) {
    const struct finding_info &info = finding_infos[kind];
    EXPECT_EQ(json.members.size(), info.num_fields) << info.key;
    for (size_t i = 0; i < info.num_fields; i++) {
      const struct finding_field &field = info.fields[i];
      SCOPED_TRACE(std::string(info.key) + "." + field.key);
      ReadField(field, json[field.key], static_cast<char *>(row) + field.offset);
    }
  }

  void ReadField(const struct finding_field &field, const Json &json, void *out) {
    switch (field.type) {
      case TYPE_RATIO:
        *static_cast<double *>(out) = json.Number();
        break;
      case TYPE_FLAG:
        *static_cast<bool *>(out) = ReadFlag(json);
        break;
      case TYPE_TEXT:
        *static_cast<const char **>(out) = ReadText(json);
        break;
      case TYPE_PLACE:
        if (json.kind != Json::kNull) {
          static_cast<struct named_place *>(out)->text = ReadText(json["text"]);
        }
        break;
      case TYPE_LOCK:
        if (json.kind != Json::kNull) ReadLock(json, static_cast<struct named_lock *>(out));
        break;
      case TYPE_ROWS:
        ReadRows(field.part, json, static_cast<struct found_rows *>(out));
        break;
      default:
        *static_cast<uint64_t *>(out) = ReadNumber(json);
        break;
    }
  }

  void ReadLock(const Json &json, struct named_lock *out) {
    int sort = 0;
    while (sort < NUM_LOCK_SORTS && json["kind"].text != lock_sorts[sort].key) sort++;
    EXPECT_NE(sort, NUM_LOCK_SORTS) << "the kind of a lock is " << json["kind"].text;
    out->text = ReadText(json["text"]);
    out->is_described = ReadFlag(json["is_described"]);
    out->is_class = ReadFlag(json["is_class"]);
    out->is_several = ReadFlag(json["is_several"]);
    out->sort = static_cast<enum lock_sort>(sort);
    out->class_name = ReadText(json["class_name"]);
    out->objects = ReadNumber(json["objects"]);
  }

  void ReadRows(enum finding_kind part, const Json &json, struct found_rows *out) {
    EXPECT_EQ(json.kind, Json::kArray);
    if (json.items.empty()) return;
    *out = {TakeRow(part, json.items.size()), json.items.size()};
    for (size_t i = 0; i < out->num; i++) {
      ReadRow(part, json.items[i], static_cast<char *>(out->rows) + i * finding_infos[part].size);
    }
  }

  static uint64_t ReadNumber(const Json &json) {
    EXPECT_EQ(json.kind, Json::kNumber);
    return json.Integer();
  }

  static bool ReadFlag(const Json &json) {
    EXPECT_EQ(json.kind, Json::kBool);
    return json.text == "true";
  }

  const char *ReadText(const Json &json) {
    if (json.kind == Json::kNull) return nullptr;
    EXPECT_EQ(json.kind, Json::kString);
    texts_.push_back(json.text);
    return texts_.back().c_str();
  }

  std::deque<std::string> texts_;
  std::deque<std::vector<char>> rows_;
};

// Expects that the sentence of a finding follows from its kind and its figures.
inline void ExpectSaidAgain(const Json &finding) {
  EXPECT_EQ(FindingOfJson(finding).Say(), finding["text"].text);
}

// Expects that no finding and no field is beside one that excludes it.
inline void ExpectNothingExcluded(const std::vector<Json> &findings) {
  std::deque<FindingOfJson> all;
  for (const Json &finding : findings) all.emplace_back(finding);
  auto is_known = [](const struct finding &finding, const char *key) {
    const struct finding_info &info = finding_infos[finding.kind];
    for (size_t i = 0; i < info.num_fields; i++) {
      if (std::string(key) != info.fields[i].key) continue;
      return findings_field_is_known(&info.fields[i], finding.row);
    }
    ADD_FAILURE() << "exclusion.def names no field of " << info.key << ": " << key;
    return false;
  };
  for (size_t i = 0; i < num_exclusions; i++) {
    const struct exclusion &e = exclusions[i];
    for (const FindingOfJson &one : all) {
      if (one.finding.kind != e.kind || (e.by != nullptr && !is_known(one.finding, e.by))) continue;
      for (const FindingOfJson &other : all) {
        bool is_pair = e.by == nullptr || &one == &other;
        if (other.finding.kind != e.other || !is_pair) continue;
        EXPECT_TRUE(e.field != nullptr && !is_known(other.finding, e.field))
            << one.Say() << "\nexcludes " << (e.field == nullptr ? "" : e.field) << " of\n"
            << other.Say();
      }
    }
  }
}

// The sentence of a row, the struct of its kind.
inline std::string SayRow(enum finding_kind kind, void *row) {
  struct finding finding = {kind, 0, row};
  struct builder text = {};
  say_finding(&text, &finding);
  return TakeText(&text);
}

// The JSON of a finding.
inline std::string ShowFinding(const struct dump *d, const struct finding *finding) {
  struct builder text = {};
  struct json json = {};
  json.out = &text;
  view_finding_object(&json, d, finding);
  return TakeText(&text);
}
