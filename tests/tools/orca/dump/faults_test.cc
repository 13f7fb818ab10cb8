#include "tools/orca/dump/faults.h"

#include <string>

#include "gtest/gtest.h"

namespace {

std::string WriteAll(const struct faults &f) {
  struct builder b = {};
  for (size_t i = 0; i < f.num; i++) fault_write(&b, "out", &f.rows[i]);
  std::string text = b.len == 0 ? "" : std::string(b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(Faults, HaveOneRowForEachKindAndFile) {
  struct faults f = {};
  for (uint64_t line : {17, 18, 30}) faults_add(&f, DUMP_EVENTS, line, "a", "bad %d", int(line));
  faults_add(&f, DUMP_METHODS, 0, "a", "other file");
  faults_add(&f, DUMP_EVENTS, 4, "b", "other kind");
  EXPECT_EQ(WriteAll(f),
            "out.orca:17: bad 17 (3 times)\nout.methods: other file\nout.orca:4: other kind\n");
  faults_free(&f);
}

TEST(Faults, AreSortedByFileAndLine) {
  struct faults f = {};
  faults_add(&f, DUMP_METHODS, 1, "a", "m");
  faults_add(&f, DUMP_EVENTS, 9, "a", "nine");
  faults_add(&f, DUMP_EVENTS, 2, "b", "two");
  faults_sort(&f);
  EXPECT_EQ(WriteAll(f), "out.orca:2: two\nout.orca:9: nine\nout.methods:1: m\n");
  faults_free(&f);
}

TEST(Faults, OfOneFileCanBeRemoved) {
  struct faults f = {};
  faults_add(&f, DUMP_EVENTS, 1, "a", "gone");
  faults_add(&f, DUMP_METHODS, 1, "a", "kept");
  faults_add(&f, DUMP_EVENTS, 1, "b", "gone");
  faults_forget(&f, DUMP_EVENTS);
  EXPECT_EQ(WriteAll(f), "out.methods:1: kept\n");
  faults_free(&f);
}

TEST(Faults, AcceptManyKindsAndCutALongText) {
  struct faults f = {};
  std::string names[100], text(1000, 'x');
  for (int i = 0; i < 100; i++) {
    names[i] = "kind" + std::to_string(i);
    faults_add(&f, DUMP_INFO, 1, names[i].c_str(), "%s", text.c_str());
  }
  EXPECT_EQ(f.num, 100u);
  EXPECT_LT(WriteAll(f).size(), 100u * 400);
  faults_free(&f);
  EXPECT_EQ(f.num, 0u);
}

}  // namespace
