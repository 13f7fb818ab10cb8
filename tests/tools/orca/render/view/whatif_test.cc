#include "tools/orca/render/view/whatif.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

class ViewWhatif : public testing::Test {
 protected:
  ViewWhatif() : recorded_(Make()), prediction_(recorded_.files) {}

  static machine::Program Make() {
    machine::Program p;
    p.threads.assign(
        2, Rounds(20, {{machine::kLock}, {machine::kCompute, 0, 10}, {machine::kUnlock}}));
    return p;
  }

  // Returns the view of a prediction with this gain.
  std::string Show(double gain, double error, enum format format = FORMAT_TEXT) {
    return ShowEdit(EDIT_FASTER, "Cart.add=30%", LIMIT_NONE, gain, error, format);
  }

  std::string ShowEdit(enum edit_kind kind, const char *edit, enum limit_kind next, double gain,
                       double error, enum format format = FORMAT_TEXT) {
    struct edit e = {};
    EXPECT_TRUE(edit_parse(&e, kind, edit));
    struct prediction p = {};
    p.next.kind = next;
    p.gain = {gain * (1 - error), gain, gain * (1 + error)};
    p.time = prediction_.Whatif().script.recorded / gain;
    struct view_whatif view = {&prediction_.Whatif(), &e, 1, &p, nullptr};
    struct page page;
    page_start(&page, -1, format, false);
    view_whatif(&page, &view);
    std::string text(page.out.data, page.out.len);
    page_free(&page);
    edit_free(&e);
    return format == FORMAT_TEXT ? text.substr(text.find("With ")) : text;
  }

  Recorded recorded_;
  Prediction prediction_;
};

TEST_F(ViewWhatif, TellsTheRangeOfTheGain) {
  EXPECT_EQ(Show(2, 0.05).find("With a faster Cart.add (30 % less time): 1.9 to 2.1 times as fast "
                               "(400 ms -> 200 ms). Then"),
            0u)
      << Show(2, 0.05);
}

// The recording is from 2 CPUs.
TEST_F(ViewWhatif, SaysThatTheCpusOfAnEditAreFull) {
  std::string text = ShowEdit(EDIT_CPUS, "4", LIMIT_CPU, 1.5, 0.05);
  EXPECT_EQ(text,
            "With 4 CPUs: 1.4 to 1.6 times as fast (400 ms -> 267 ms). Then the limit is: all CPUs "
            "are full.\n");
}

// The edit changes how many threads sleep.
TEST_F(ViewWhatif, NamesAPoolAndItsThreads) {
  machine::Program p;
  p.pools = {2};
  p.threads.resize(1);
  for (int i = 0; i < 8; i++) {
    p.tasks.push_back({0, {{machine::kSleep, 0, 10}}});
    p.threads[0].push_back({machine::kSubmit, i});
  }
  for (int i = 0; i < 8; i++) p.threads[0].push_back({machine::kGet, i});
  Recorded r(p);
  Prediction prediction(r.files);
  struct edit e = {};
  ASSERT_TRUE(edit_parse(&e, EDIT_POOL, "pool-1=2x"));
  struct edited edited = {};
  struct builder why = {};
  struct prediction result = {};
  ASSERT_TRUE(edited_start(&edited, &prediction.Whatif().script));
  ASSERT_EQ(edited_add(&edited, &prediction.Whatif().script, &e, &why), EDIT_DONE);
  ASSERT_TRUE(whatif_predict(&prediction.Whatif(), &edited.changes, true, &result));
  struct view_whatif view = {&prediction.Whatif(), &e, 1, &result, nullptr};
  struct page page;
  page_start(&page, -1, FORMAT_TEXT, false);
  view_whatif(&page, &view);
  std::string text(page.out.data, page.out.len);
  EXPECT_NE(text.find("With 4 threads in the pool pool-1 instead of 2: 1.9"), std::string::npos)
      << text;
  EXPECT_NE(text.find("the threads pool-1-thread-… sleep"), std::string::npos) << text;
  page_free(&page);
  builder_free(&why);
  edited_free(&edited);
  edit_free(&e);
}

TEST_F(ViewWhatif, ClaimsNoGainWithinTheError) {
  EXPECT_NE(Show(1.01, 0.02).find(": no gain ("), std::string::npos);
  EXPECT_NE(Show(1.01, 0.2).find("0.81 to 1.21 times as fast, so perhaps no gain"),
            std::string::npos);
  EXPECT_NE(Show(1.06, 0.08).find("so perhaps no gain"), std::string::npos);
}

// A simulation that did not end has no time.
TEST_F(ViewWhatif, AFigureThatIsNotKnownIsNull) {
  struct whatif stuck = prediction_.Whatif();
  for (auto [refusal, has_baseline] :
       {std::pair{REFUSAL_EMPTY, false}, {REFUSAL_STUCK, false}, {REFUSAL_INACCURATE, true}}) {
    stuck.refusal = refusal;
    if (refusal == REFUSAL_EMPTY) stuck.recorded = 0;
    if (refusal == REFUSAL_STUCK) stuck.recorded = prediction_.Whatif().recorded;
    struct view_whatif view = {&stuck, nullptr, 0, nullptr, nullptr};
    struct page page;
    page_start(&page, -1, FORMAT_JSON, false);
    view_whatif(&page, &view);
    std::string text(page.out.data, page.out.len);
    page_free(&page);
    bool is_empty = refusal == REFUSAL_EMPTY;
    EXPECT_EQ(text.find("\"recorded_s\":null,") != std::string::npos, is_empty) << text;
    EXPECT_EQ(text.find("\"baseline_s\":null,\"baseline_error\":null,") == std::string::npos,
              has_baseline)
        << text;
  }
}

TEST_F(ViewWhatif, WritesNumbersAsJson) {
  std::string json = Show(2, 0.05, FORMAT_JSON);
  EXPECT_NE(json.find("\"gain\":2.0000,\"gain_low\":1.9000,\"gain_high\":2.1000,\"next\":null"),
            std::string::npos)
      << json;
}

}  // namespace
