#include "tools/on_dump.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/dump_files.h"

namespace {

int Prefix(struct dump *d, const void *arg) {
  *static_cast<std::string *>(const_cast<void *>(arg)) = dump_prefix(d);
  return 42;
}

TEST(OnDump, GivesWhatTheCommandGives) {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string prefix;
  EXPECT_EQ(on_dump(files.Prefix().c_str(), Prefix, &prefix), 42);
  EXPECT_EQ(prefix, files.Prefix());
}

TEST(OnDump, WhereThereIsNoneItSaysSoAndRunsNothing) {
  std::string prefix = "untouched";
  testing::internal::CaptureStderr();
  EXPECT_EQ(on_dump("/no/such/dump", Prefix, &prefix), MISUSED);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.rfind("orca: no dump at /no/such/dump", 0), 0u) << said;
  EXPECT_EQ(prefix, "untouched");
}

}  // namespace
