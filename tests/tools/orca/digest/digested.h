#pragma once
// Digests of small recordings.
#include <fstream>
#include <string>

#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/budget/measure/measure.h"
#include "tools/orca/digest/digest.h"

// The text of the digest of a recording.
inline std::string MakeDigest(DumpFiles *files) {
  struct builder why = {}, out = {};
  struct dump *d = dump_open(files->Prefix().c_str(), &why);
  struct model m = {};
  struct figures figures = {};
  EXPECT_NE(d, nullptr);
  EXPECT_TRUE(model_read(&m, d, nullptr, ALL_ANALYSES));
  EXPECT_TRUE(measure_run(&figures, &m));
  EXPECT_TRUE(digest_write(&out, &m, &figures));
  std::string text(out.data, out.len);
  builder_free(&out);
  builder_free(&why);
  figures_free(&figures);
  model_free(&m);
  dump_close(d);
  return text;
}

// A digest in a file of its own, opened. The object owns it.
class OpenDigest {
 public:
  explicit OpenDigest(const std::string &text) : name_(files_.Folder() + "/a.digest") {
    struct builder why = {};
    std::ofstream(name_) << text;
    EXPECT_TRUE(digest_open(&file_, &unpacked_, name_.c_str(), &why))
        << std::string(why.data, why.len);
    dump_ = dump_open_pack(unpacked_.prefix, name_.c_str(), name_.c_str(), &why);
    EXPECT_NE(dump_, nullptr);
    EXPECT_TRUE(digest_fill(&model_, dump_, &file_));
    builder_free(&why);
  }
  ~OpenDigest() {
    model_free(&model_);
    dump_close(dump_);
    unpacked_remove(&unpacked_);
    digest_file_free(&file_);
    unlink(name_.c_str());
  }
  OpenDigest(const OpenDigest &) = delete;

  const struct model *Model() const { return &model_; }
  const struct figures &Figures() const { return file_.figures; }

 private:
  DumpFiles files_;
  std::string name_;
  struct digest_file file_ = {};
  struct unpacked unpacked_ = {};
  struct dump *dump_ = nullptr;
  struct model model_ = {};
};
