#include "tools/orca/answer/finding.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/bytes.h"
#include "tests/support/scarce.h"

namespace {

// The fields that may have any value are zeros.
class Findings : public testing::Test {
 protected:
  ~Findings() override { findings_free(&f_); }

  void *Add(enum finding_kind kind, ticks_t weight = 0) {
    std::vector<char> zeros(finding_infos[kind].size);
    findings_add(&f_, kind, weight, zeros.data());
    return f_.rows[f_.num - 1].row;
  }
  static const struct finding_field *FindField(enum finding_kind kind, const std::string &key) {
    const struct finding_info &info = finding_infos[kind];
    for (size_t i = 0; i < info.num_fields; i++) {
      if (key == info.fields[i].key) return &info.fields[i];
    }
    return nullptr;
  }
  static bool IsKnown(enum finding_kind kind, const std::string &key, const void *row) {
    return findings_field_is_known(FindField(kind, key), row);
  }
  // Gives the field a value.
  static void SetField(enum finding_kind kind, const std::string &key, void *row) {
    const struct finding_field *field = FindField(kind, key);
    ASSERT_NE(field, nullptr) << finding_infos[kind].key << "." << key;
    void *value = static_cast<char *>(row) + field->offset;
    switch (field->type) {
      case TYPE_RATIO:
        *static_cast<double *>(value) = 0.5;
        break;
      case TYPE_FLAG:
        *static_cast<bool *>(value) = true;
        break;
      case TYPE_TEXT:
        *static_cast<const char **>(value) = "main";
        break;
      case TYPE_PLACE:
        static_cast<struct named_place *>(value)->text = "A.b (A.java:7)";
        break;
      case TYPE_LOCK:
        static_cast<struct named_lock *>(value)->text = "A@000000A1";
        break;
      case TYPE_ROWS:
        static_cast<struct found_rows *>(value)->num = 1;
        break;
      default:
        *static_cast<uint64_t *>(value) = 7;
        break;
    }
  }
  std::vector<enum finding_kind> ListKinds() const {
    std::vector<enum finding_kind> kinds;
    for (size_t i = 0; i < f_.num; i++) kinds.push_back(f_.rows[i].kind);
    return kinds;
  }

  struct findings f_ = {};
};

using List = std::vector<enum finding_kind>;

// --- rows ---------------------------------------------------------------------------------------

TEST_F(Findings, KeepACopyOfEachRow) {
  struct found_gc row = {1, 2};
  FINDINGS_ADD(&f_, gc, 7, &row);
  row.cpu = 5;
  ASSERT_EQ(f_.num, 1u);
  EXPECT_EQ(f_.rows[0].kind, FINDING_gc);
  EXPECT_EQ(f_.rows[0].weight, 7u);
  EXPECT_EQ(static_cast<struct found_gc *>(f_.rows[0].row)->cpu, 1u);
  EXPECT_FALSE(f_.failed);
}

TEST_F(Findings, TakeTexts) {
  struct builder text = {};
  EXPECT_EQ(findings_text(&f_, &text), nullptr) << "it is empty";
  EXPECT_EQ(text.data, nullptr);
  builder_string(&text, "main");
  EXPECT_STREQ(findings_text(&f_, &text), "main");
  EXPECT_EQ(text.data, nullptr);
  EXPECT_FALSE(f_.failed);
}

TEST_F(Findings, KeepPartsWhileTheirArrayGrows) {
  struct found_rows rows = {};
  for (uint64_t i = 1; i <= 9; i++) {
    struct found_share *share = FINDINGS_PART(&f_, &rows, share);
    ASSERT_NE(share, nullptr);
    EXPECT_EQ(share->part, 0u);
    share->part = i;
  }
  ASSERT_EQ(rows.num, 9u);
  for (uint64_t i = 1; i <= 9; i++) {
    EXPECT_EQ(static_cast<struct found_share *>(rows.rows)[i - 1].part, i);
  }
}

TEST(FindingInfos, HaveTheFieldsOfFindingDef) {
  const struct finding_info &info = finding_infos[FINDING_throttled];
  EXPECT_STREQ(info.key, "throttled");
  EXPECT_EQ(info.rank, RANK_TIME);
  ASSERT_EQ(info.num_fields, 3u);
  EXPECT_STREQ(info.fields[0].key, "throttled_ns");
  EXPECT_EQ(info.fields[0].type, TYPE_TIME);
  EXPECT_STREQ(info.fields[2].key, "quota");
  EXPECT_EQ(info.fields[2].offset, offsetof(struct found_throttled, quota));
  const struct finding_info &lock = finding_infos[FINDING_lock];
  EXPECT_EQ(lock.fields[lock.num_fields - 1].part, PART_gain);
}

TEST(FindingInfos, HaveDifferentKeys) {
  std::vector<std::string> keys;
  for (const struct finding_info &info : finding_infos) keys.push_back(info.key);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
}

// JSON has four decimals.
TEST(FoundRatio, HasFourDecimals) {
  EXPECT_EQ(found_ratio(0), 0);
  EXPECT_EQ(found_ratio(1.23454), 1.2345);
  EXPECT_EQ(found_ratio(1.23456), 1.2346);
  EXPECT_EQ(found_ratio(0.99999), 1);
  EXPECT_EQ(found_ratio(found_ratio(2.0 / 3)), found_ratio(2.0 / 3));
}

TEST_F(Findings, KnowWhichFieldsHaveAValue) {
  for (enum finding_kind kind : {FINDING_lock, FINDING_cpu_wait, FINDING_value_as_lock}) {
    for (size_t i = 0; i < finding_infos[kind].num_fields; i++) {
      const char *key = finding_infos[kind].fields[i].key;
      void *row = Add(kind);
      EXPECT_FALSE(IsKnown(kind, key, row)) << key;
      SetField(kind, key, row);
      EXPECT_TRUE(IsKnown(kind, key, row)) << key;
    }
  }
}

// --- the order ----------------------------------------------------------------------------------

TEST_F(Findings, AreOrderedByRankAndThenByWeight) {
  Add(FINDING_periods, 100);
  Add(FINDING_unfair);
  Add(FINDING_lock, 5);
  Add(FINDING_cpu, 7);
  Add(FINDING_io, 6);
  Add(FINDING_deadlock, 1);
  findings_settle(&f_);
  EXPECT_EQ(ListKinds(), (List{FINDING_deadlock, FINDING_cpu, FINDING_io, FINDING_lock,
                               FINDING_unfair, FINDING_periods}));
}

TEST_F(Findings, KeepTheOrderOfEqualOnes) {
  for (enum finding_kind kind : {FINDING_unfair, FINDING_two_monitors, FINDING_lock_order}) {
    Add(kind, 3);
  }
  findings_settle(&f_);
  EXPECT_EQ(ListKinds(), (List{FINDING_unfair, FINDING_two_monitors, FINDING_lock_order}));
}

// --- what contradicts ---------------------------------------------------------------------------

class Exclusions : public Findings {
 protected:
  // Settles what `add` adds, and returns the kinds that stay.
  List Settle(const std::function<void()> &add) {
    findings_free(&f_);
    add();
    findings_settle(&f_);
    EXPECT_FALSE(f_.failed);
    return ListKinds();
  }
};

TEST_F(Exclusions, LeaveOutTheOtherFinding) {
  size_t num = 0;
  for (size_t i = 0; i < num_exclusions; i++) {
    const struct exclusion &e = exclusions[i];
    if (e.field != nullptr) continue;
    num++;
    EXPECT_EQ(Settle([&] { Add(e.other); }), List{e.other});
    EXPECT_EQ(Settle([&] { Add(e.other), Add(e.kind), Add(e.other); }), List{e.kind});
  }
  EXPECT_GT(num, 5u);
}

TEST_F(Exclusions, LeaveOutTheFieldOfAnotherFinding) {
  size_t num = 0;
  for (size_t i = 0; i < num_exclusions; i++) {
    const struct exclusion &e = exclusions[i];
    if (e.field == nullptr || e.by != nullptr) continue;
    num++;
    for (bool is_excluded : {false, true}) {
      Settle([&] {
        SetField(e.other, e.field, Add(e.other));
        if (is_excluded) Add(e.kind);
      });
      size_t at = is_excluded ? 1 : 0;
      ASSERT_EQ(f_.rows[at].kind, e.other);
      EXPECT_EQ(IsKnown(e.other, e.field, f_.rows[at].row), !is_excluded) << e.field;
    }
  }
  EXPECT_GT(num, 2u);
}

// Another finding of the kind keeps its field.
TEST_F(Exclusions, LeaveOutAFieldBesideAnother) {
  size_t num = 0;
  for (size_t i = 0; i < num_exclusions; i++) {
    const struct exclusion &e = exclusions[i];
    if (e.by == nullptr) continue;
    num++;
    Settle([&] {
      SetField(e.other, e.field, Add(e.other, 2));
      void *row = Add(e.other, 1);
      SetField(e.other, e.field, row);
      SetField(e.kind, e.by, row);
    });
    ASSERT_EQ(f_.num, 2u);
    EXPECT_TRUE(IsKnown(e.other, e.field, f_.rows[0].row)) << e.field;
    EXPECT_FALSE(IsKnown(e.other, e.field, f_.rows[1].row)) << e.field;
    EXPECT_TRUE(IsKnown(e.kind, e.by, f_.rows[1].row)) << e.by;
  }
  EXPECT_GT(num, 1u);
}

// The deadlock leaves out the stuck threads, which are no reason to tell of idle time.
TEST_F(Exclusions, AreByFindingsThatAreLeftOutThemselves) {
  EXPECT_EQ(Settle([&] { Add(FINDING_pause), Add(FINDING_stuck), Add(FINDING_deadlock); }),
            List{FINDING_deadlock});
  EXPECT_EQ(Settle([&] { Add(FINDING_pause), Add(FINDING_idle), Add(FINDING_standstill); }),
            List{FINDING_standstill});
}

// --- memory -------------------------------------------------------------------------------------

// Texts and rows take memory from the arena only if it has no room.
TEST_F(Findings, SayThatMemoryRanOut) {
  struct found_gc row = {1, 2};
  scarce_fail(1);
  FINDINGS_ADD(&f_, gc, 1, &row);
  scarce_fail(0);
  EXPECT_TRUE(f_.failed);
  EXPECT_EQ(f_.num, 0u);

  findings_free(&f_);
  EXPECT_FALSE(f_.failed);
  struct builder text = {};
  builder_string(&text, "main");
  scarce_fail(1);
  EXPECT_EQ(findings_text(&f_, &text), nullptr);
  scarce_fail(0);
  EXPECT_TRUE(f_.failed);
  EXPECT_EQ(text.data, nullptr);

  findings_free(&f_);
  text.failed = true;
  EXPECT_EQ(findings_text(&f_, &text), nullptr);
  EXPECT_TRUE(f_.failed);

  findings_free(&f_);
  struct found_rows rows = {};
  scarce_fail(1);
  EXPECT_EQ(FINDINGS_PART(&f_, &rows, share), nullptr);
  scarce_fail(0);
  EXPECT_TRUE(f_.failed);
  EXPECT_EQ(rows.num, 0u);
}

TEST_F(Findings, SayThatMemoryForTheirOrderRanOut) {
  Add(FINDING_gc);
  scarce_fail(1);
  findings_settle(&f_);
  scarce_fail(0);
  EXPECT_TRUE(f_.failed);
}

}  // namespace
