#pragma once
// The prediction of an edit from the files of a recording.
#include <string>

#include "tests/support/dump_files.h"
#include "tools/orca/causal/whatif/whatif.h"

class Prediction {
 public:
  Prediction(const DumpFiles &files, enum edit_kind kind, const std::string &text,
             const char *work = nullptr) {
    Open(files, work);
    if (whatif_.refusal != REFUSAL_NONE) return;
    struct edit e;
    EXPECT_TRUE(edit_parse(&e, kind, text.c_str())) << edit_infos[kind].form;
    struct edited edited = {};
    EXPECT_TRUE(edited_start(&edited, &whatif_.script));
    struct builder why = {};
    is_found_ = edited_add(&edited, &whatif_.script, &e, &why) == EDIT_DONE;
    why_ = std::string(why.data == nullptr ? "" : why.data, why.len);
    if (is_found_) {
      EXPECT_TRUE(whatif_predict(&whatif_, &edited.changes, true, &prediction_));
    }
    builder_free(&why);
    edited_free(&edited);
    edit_free(&e);
  }

  // Without an edit.
  explicit Prediction(const DumpFiles &files, const char *work = nullptr) {
    Open(files, work);
    struct changes none = {};
    if (whatif_.refusal == REFUSAL_NONE) {
      EXPECT_TRUE(whatif_predict(&whatif_, &none, true, &prediction_));
    }
  }

  ~Prediction() {
    whatif_free(&whatif_);
    model_free(&model_);
    dump_close(dump_);
  }
  Prediction(const Prediction &) = delete;
  Prediction &operator=(const Prediction &) = delete;

  // Times in milliseconds.
  double Baseline() const { return Ms(whatif_.baseline); }
  double Recorded() const { return Ms(whatif_.script.recorded); }
  double Time() const { return Ms(prediction_.time); }
  double Gain() const { return prediction_.gain.middle; }
  double LeastGain() const { return prediction_.gain.least; }
  double MostGain() const { return prediction_.gain.most; }
  bool IsFound() const { return is_found_; }
  const std::string &Why() const { return why_; }
  enum whatif_refusal Refusal() const {
    return whatif_.refusal != REFUSAL_NONE ? whatif_.refusal : prediction_.refusal;
  }
  const struct limit &Next() const { return prediction_.next; }
  const struct whatif &Whatif() const { return whatif_; }

 private:
  static double Ms(double ticks) { return ticks / TICKS_PER_S * 1000; }

  void Open(const DumpFiles &files, const char *work) {
    struct builder why = {};
    dump_ = dump_open(files.Prefix().c_str(), &why);
    EXPECT_NE(dump_, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    EXPECT_TRUE(model_read(&model_, dump_, nullptr, ALL_ANALYSES));
    EXPECT_TRUE(whatif_start(&whatif_, &model_, work));
  }

  struct dump *dump_ = nullptr;
  struct model model_ = {};
  struct whatif whatif_ = {};
  struct prediction prediction_ = {};
  bool is_found_ = true;
  std::string why_;
};
