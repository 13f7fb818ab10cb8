#include "tools/orca/digest/digest.h"

#include "tests/support/text.h"
#include "tests/tools/orca/digest/digested.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/render/view/diff.h"

namespace {

// The page of `orca diff`, without the names of the files.
std::string Page(const struct model *a, const struct model *b, enum format format) {
  struct comparison c;
  struct page p;
  EXPECT_TRUE(compare_runs(&c, a, b));
  page_start(&p, -1, format, true);
  view_diff(&p, &c, 1000);
  std::string text(p.out.data, p.out.len);
  page_free(&p);
  comparison_free(&c);
  for (const struct model *m : {a, b}) {
    std::string name = dump_prefix(m->dump);
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), "X");
  }
  return text;
}

void ExpectTheSame(const Recorded &first, const Recorded &second) {
  SmallModel a, b;
  WriteRun(&a.files, first);
  WriteRun(&b.files, second);
  const struct model *models[] = {a.Read(), b.Read()};
  OpenDigest digests[] = {OpenDigest(MakeDigest(&a.files)), OpenDigest(MakeDigest(&b.files))};
  for (enum format format : {FORMAT_CSV, FORMAT_JSON}) {
    std::string page = Page(models[0], models[1], format);
    EXPECT_EQ(Page(digests[0].Model(), models[1], format), page);
    EXPECT_EQ(Page(models[0], digests[1].Model(), format), page);
    EXPECT_EQ(Page(digests[0].Model(), digests[1].Model(), format), page);
  }
}

TEST(DigestOpen, ADiffOfDigestsIsThatOfTheRecordings) {
  ExpectTheSame({}, {});
  ExpectTheSame({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  ExpectTheSame({.reserve_ms = 0}, {.price_ms = 0, .blocked_ms = 0});
  ExpectTheSame({}, {.options = "interval=100ms,threshold=10ms,overflow=drop"});
}

TEST(DigestOpen, ADigestKnowsTheSumsOfShortCalls) {
  SmallModel a, b;
  WriteRun(&a.files, {.options = "threshold=10ms"});
  WriteRun(&b.files, {.options = "threshold=10ms"});
  TwoRuns::AddSum(&a.files);
  const struct model *models[] = {a.Read(), b.Read()};
  OpenDigest digest(MakeDigest(&a.files));
  EXPECT_EQ(Page(digest.Model(), models[1], FORMAT_JSON), Page(models[0], models[1], FORMAT_JSON));
  EXPECT_FALSE(model_lacks_short_calls(digest.Model()));
}

// Of 2 s of waits on monitors it is not known on which.
TEST(DigestOpen, ADigestKnowsWhatIsNotToldApart) {
  SmallModel a, b;
  WriteRun(&a.files, {.options = "threshold=10ms"});
  WriteRun(&b.files, {.options = "threshold=10ms"});
  a.files.Append(DUMP_COUNTS,
                 "100.5000000000,MonitorContendedEnter,00000000,500,2000000000,9000000,0\n");
  const struct model *models[] = {a.Read(), b.Read()};
  OpenDigest digest(MakeDigest(&a.files));
  std::string page = Page(digest.Model(), models[1], FORMAT_JSON);
  EXPECT_EQ(page, Page(models[0], models[1], FORMAT_JSON));
  EXPECT_TRUE(Has(page, "\"a_is_least\":\"yes\",\"b_is_least\":\"no\"")) << page;
  EXPECT_EQ(digest.Figures().more[LOCK_MONITOR].number, 500u);
  EXPECT_EQ(digest.Figures().more[LOCK_MONITOR].longest_ns, 9000000u);
  EXPECT_EQ(digest.Figures().more[LOCK_LOCK].number, 0u);
  const struct figure *reserve = figures_find(&digest.Figures(), BUDGET_LOCK,
                                              "com.acme.Inventory at com.acme.Inventory.reserve");
  ASSERT_NE(reserve, nullptr);
  EXPECT_EQ(reserve->sorts, 1u << LOCK_MONITOR);
}

TEST(DigestOpen, TheFiguresAreThoseOfTheRecording) {
  SmallModel a;
  WriteSmallDump(&a.files);
  struct figures figures = {};
  struct model *m = const_cast<struct model *>(a.Read());
  ASSERT_TRUE(measure_run(&figures, m));
  OpenDigest digest(MakeDigest(&a.files));
  ASSERT_GT(figures.num, 3u);
  ASSERT_EQ(digest.Figures().num, figures.num);
  EXPECT_EQ(digest.Figures().scale, figures.scale);
  for (size_t i = 0; i < figures.num; i++) {
    const struct figure &want = figures.rows[i];
    const struct figure *found = figures_find(&digest.Figures(), want.kind, want.key);
    ASSERT_NE(found, nullptr) << want.key;
    EXPECT_EQ(found->number, want.number);
    EXPECT_EQ(found->longest_ns, want.longest_ns);
    EXPECT_STREQ(found->text, want.text);
    EXPECT_STREQ(found->path, want.path);
    EXPECT_EQ(found->source_line, want.source_line);
  }
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    EXPECT_STREQ(digest.Figures().unproven[kind], figures.unproven[kind]);
  }
  figures_free(&figures);
}

// A row that only B has may be one of those that the digest of A leaves out.
TEST(DigestOpen, WhatMayBeCutIsNotNew) {
  SmallModel a, b;
  WriteRun(&a.files, {.blocked_ms = 0});
  WriteRun(&b.files, {});
  std::string text = MakeDigest(&a.files);
  const struct model *second = b.Read();
  for (const char *most : {"12000000000", "1000000000"}) {  // 1.2 s and 0.1 s of 10 s
    std::string cut = text, line = std::string("cut,lock,5,13000000000,500,") + most + ",100\n";
    size_t end = cut.rfind("end,");
    size_t lines = std::stoul(cut.substr(end + 4));
    cut = cut.substr(0, end) + line + "end," + std::to_string(lines + 1) + "\n";
    OpenDigest digest(cut);
    struct comparison c;
    ASSERT_TRUE(compare_runs(&c, digest.Model(), second));
    ASSERT_EQ(c.parts[COMPARE_LOCKS].num, 1u);
    EXPECT_EQ(c.parts[COMPARE_LOCKS].rows[0].verdict, most[1] == '2' ? DIFF_SAME : DIFF_NEW);
    EXPECT_EQ(c.totals[COMPARE_LOCKS].rates[0], 130e6);
    comparison_free(&c);
  }
}

TEST(DigestOpen, RefusesWhatItCannotRead) {
  struct digest_file f = {};
  struct unpacked u = {};
  struct builder why = {};
  EXPECT_FALSE(digest_open(&f, &u, "/none", &why));
  EXPECT_EQ(std::string(why.data, why.len), "cannot read /none: No such file or directory");
  why.len = 0;
  DumpFiles files;
  std::string name = files.Folder() + "/x";
  std::ofstream(name) << "orca.digest,1\n";
  EXPECT_FALSE(digest_open(&f, &u, name.c_str(), &why));
  EXPECT_EQ(std::string(why.data, why.len),
            name + ": line 2: the line end is missing: the file is cut");
  EXPECT_EQ(u.prefix, nullptr);
  unlink(name.c_str());
  builder_free(&why);
}

}  // namespace
