#include "tools/orca/render/view/findings.h"

#include <random>

#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

std::vector<Json> ReadFindings(const Said &said) {
  std::string text = ShowPage([&](struct page *p) { view_findings(p, &said.answer); }, FORMAT_JSON);
  return ReadJson(text + "}")["findings"].items;
}

// The small dump ends in a deadlock of both workers.
TEST(ViewFindings, HaveKindTextWeightAndFigures) {
  SmallModel small;
  Said said(small.Read());
  std::vector<Json> all = ReadFindings(said);
  ASSERT_EQ(all.size(), said.answer.findings.num);
  ASSERT_GT(all.size(), 2u);
  std::map<std::string, Json> by_kind;
  for (size_t i = 0; i < all.size(); i++) {
    EXPECT_EQ(all[i].members.size(), 4u);
    EXPECT_EQ(all[i]["weight_ns"].Integer(), said.answer.findings.rows[i].weight / TICKS_PER_NS);
    by_kind.emplace(all[i]["kind"].text, all[i]["figures"]);
  }
  EXPECT_EQ(by_kind["deadlock"]["threads"].Integer(), 2u);
  EXPECT_EQ(by_kind["deadlock"]["links"].items.at(0)["thread"].text, "worker-1");
  const Json &lock = by_kind["lock"];
  EXPECT_EQ(lock["lock"]["text"].text, "com.acme.Inventory@000000A1");
  EXPECT_EQ(lock["lock"]["class"].text, "com.acme.Inventory");
  EXPECT_EQ(lock["lock"]["kind"].text, "monitor");
  EXPECT_EQ(lock["lock"]["hash"].text, "000000A1");
  EXPECT_EQ(lock["lock"]["objects"].text, "1");
  EXPECT_EQ(lock["place"]["text"].text, "Inventory.reserve (Inventory.java:42)");
  EXPECT_EQ(lock["place"]["method"].text, "reserve");
  EXPECT_EQ(lock["place"]["line"].Integer(), 42u);
  EXPECT_EQ(lock["blocked_ns"].Integer(), 2875000000u);
  EXPECT_EQ(lock["still_waiting"].Integer(), 1u);
  EXPECT_EQ(lock["waited_is_least"].text, "false");
  EXPECT_EQ(lock["threshold"].kind, Json::kNull);
}

TEST(ViewFindings, AreSentencesAsText) {
  SmallModel small;
  Said said(small.Read());
  auto view = [&](struct page *p) { view_findings(p, &said.answer); };
  std::string text = ShowPage(view);
  EXPECT_EQ(text.find("\nIn short\n* DEADLOCK: worker-1 blocks on "), 0u) << text;
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  EXPECT_EQ(text, "\nIn short\n" + said.Text());
  EXPECT_EQ(ShowPage(view, FORMAT_CSV), "");
  struct builder b = {};
  view_findings_text(&b, &said.answer, &kPlain);
  EXPECT_EQ(TakeText(&b), ShowPage(view));
}

TEST(ViewFindings, ContradictNoneOfThem) {
  SmallModel small;
  Said said(small.Read());
  ExpectNothingExcluded(ReadFindings(said));
}

// --- from their JSON alone ----------------------------------------------------------------------

// Fills rows with values by chance, each time the same.
class RowMaker {
 public:
  explicit RowMaker(unsigned seed) : numbers_(seed) {}

  void *Make(enum finding_kind kind) {
    rows_.emplace_back(finding_infos[kind].size);
    void *row = rows_.back().data();
    Fill(kind, row);
    return row;
  }

 private:
  unsigned Choose(unsigned num) { return static_cast<unsigned>(numbers_() % num); }

  // Keys that the words know, and characters that JSON escapes.
  const char *ChooseText() {
    static const char *const texts[] = {
        "main",   "cpu",   "lock", "sleep",      "io",      "track",  "rest",  "parked",
        "sleeps", "crowd", "gc",   "worker-1…4", "a \"b\"", "<init>", "C:\\x", "locks=waits"};
    return texts[Choose(sizeof texts / sizeof *texts)];
  }

  void Fill(enum finding_kind kind, void *row) {
    const struct finding_info &info = finding_infos[kind];
    for (size_t i = 0; i < info.num_fields; i++) {
      FillField(info.fields[i], static_cast<char *>(row) + info.fields[i].offset);
    }
  }

  void FillField(const struct finding_field &field, void *out) {
    switch (field.type) {
      case TYPE_RATIO:
        *static_cast<double *>(out) = found_ratio(Choose(30000) / 7001.0);
        break;
      case TYPE_FLAG:
        *static_cast<bool *>(out) = Choose(2) == 1;
        break;
      case TYPE_TEXT:
        *static_cast<const char **>(out) = ChooseText();
        break;
      case TYPE_PLACE:
        if (Choose(2) == 1) static_cast<struct named_place *>(out)->text = ChooseText();
        break;
      case TYPE_LOCK:
        FillLock(static_cast<struct named_lock *>(out));
        break;
      case TYPE_ROWS:
        FillRows(field.part, static_cast<struct found_rows *>(out));
        break;
      default:
        *static_cast<uint64_t *>(out) = ChooseNumber();
        break;
    }
  }

  // Of any size, often a small one.
  uint64_t ChooseNumber() { return Choose(3) == 0 ? Choose(3) : numbers_() >> Choose(64); }

  void FillLock(struct named_lock *out) {
    out->text = ChooseText();
    out->is_described = Choose(2) == 1;
    out->is_class = Choose(4) == 1;
    out->is_several = Choose(4) == 1;
    out->sort = static_cast<enum lock_sort>(Choose(NUM_LOCK_SORTS));
    out->class_name = Choose(2) == 1 ? ChooseText() : nullptr;
    out->objects = Choose(4);
  }

  void FillRows(enum finding_kind part, struct found_rows *out) {
    out->num = Choose(4);
    rows_.emplace_back(out->num * finding_infos[part].size + 1);
    out->rows = rows_.back().data();
    for (size_t i = 0; i < out->num; i++) {
      Fill(part, static_cast<char *>(out->rows) + i * finding_infos[part].size);
    }
  }

  std::mt19937_64 numbers_;
  std::deque<std::vector<char>> rows_;
};

class ViewFindingsAgain : public testing::Test {
 protected:
  ViewFindingsAgain() { small_.Read(); }
  void ExpectAgain(enum finding_kind kind, void *row) {
    struct finding finding = {kind, 0, row};
    Json json = ReadJson(ShowFinding(small_.dump, &finding));
    ExpectSaidAgain(json);
  }

  SmallModel small_;
};

// Whatever a row has, its JSON has all that the sentence needs. Parts have no sentence.
TEST_F(ViewFindingsAgain, AreSaidFromTheirJsonAlone) {
  for (unsigned seed = 0; seed < 100; seed++) {
    for (int kind = 0; kind < NUM_FINDING_KINDS; kind++) {
      auto finding = static_cast<enum finding_kind>(kind);
      SCOPED_TRACE(std::string(finding_infos[kind].key) + ", seed " + std::to_string(seed));
      ExpectAgain(finding, RowMaker(seed).Make(finding));
    }
  }
}

// It has no title, but its sort chooses the verb.
TEST_F(ViewFindingsAgain, OfALockThatIsNotKnownHaveItsSort) {
  struct found_link link = {};
  link.thread = "main";
  link.num_threads = 1;
  for (enum lock_sort sort :
       {LOCK_MONITOR, LOCK_LOCK, LOCK_READ_SIDE, LOCK_WRITE_SIDE, LOCK_SEMAPHORE}) {
    link.lock.sort = sort;
    struct found_stuck row = {1, {}, {&link, 1}, {}, nullptr, 0};
    ExpectAgain(FINDING_stuck, &row);
  }
}

TEST_F(ViewFindingsAgain, OfASmallModel) {
  Said said(&small_.model);
  std::vector<Json> all = ReadFindings(said);
  ASSERT_FALSE(all.empty());
  for (const Json &finding : all) ExpectSaidAgain(finding);
}

}  // namespace
