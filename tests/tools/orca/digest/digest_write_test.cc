#include "tools/orca/digest/digest.h"

#include "tests/support/text.h"
#include "tests/tools/orca/digest/digested.h"

namespace {

TEST(DigestWrite, HasTheSumsOfARecording) {
  DumpFiles files;
  WriteRun(&files, {});
  std::string text = MakeDigest(&files);
  EXPECT_EQ(text.find("orca.digest,1\ninfo,pid=1\n"), 0u) << text;
  EXPECT_TRUE(Has(text, "\ninfo,command=java -jar shop.jar\n")) << text;
  EXPECT_TRUE(Has(text, "\ninfo,options=out,interval=100ms\n"));
  // price: 50 ms at each of 100 ticks; locks: 10 ms, sleeps: 5 ms, as often
  EXPECT_TRUE(Has(text, "\nsum,method,,00000010,00000010,88,50000000000,0\n")) << text;
  EXPECT_TRUE(Has(text, "\nsum,lock,monitor,000000C5,00000012,42,10000000000,100\n")) << text;
  EXPECT_TRUE(Has(text, "\nsum,wait,ThreadSleep,00000000,00000011,20,5000000000,100\n")) << text;
  EXPECT_TRUE(Has(text,
                  "\nfigure,lock,100,10000000,42,com/acme/Inventory.java,com.acme.Inventory at "
                  "com.acme.Inventory.reserve,Threads waited 1.00 s at Inventory.reserve "
                  "(Inventory.java:42),lock: "))
      << text;
  EXPECT_LT(text.size(), 8000u);
}

TEST(DigestWrite, HasShortCallsOnlyIfThereAreSome) {
  DumpFiles files;
  WriteSmallDump(&files);
  EXPECT_FALSE(Has(MakeDigest(&files), "short.calls"));
  AddShortCalls(&files);
  std::string text = MakeDigest(&files);
  EXPECT_TRUE(Has(text, "\nvalue,short.calls,1710\n")) << text;
  EXPECT_TRUE(Has(text, "\nsum,lock,monitor,000000C5,00000012,42,67500000000,1003\n")) << text;
  EXPECT_TRUE(Has(text, "\nsum,wait,ObjectWait,000000C1,00000011,20,35000000000,501\n")) << text;
}

TEST(DigestWrite, HasTheSortsOfLocksOnlyIfWaitsAreNotToldApart) {
  DumpFiles files;
  WriteSmallDump(&files);
  AddShortCalls(&files);
  EXPECT_FALSE(Has(MakeDigest(&files), "lock.sorts"));
  files.Append(DUMP_COUNTS,
               "109.6000000000,LockAcquire,00000000,30,60000000,3000000,0\n"
               "109.6000000001,MonitorContendedEnter,00000000,7,60000000,4000000,0\n");
  std::string text = MakeDigest(&files);
  EXPECT_TRUE(Has(text, "\nmore.waits,monitor,7,4000000\nmore.waits,lock,30,3000000\n")) << text;
  EXPECT_TRUE(Has(text, "\nlock.sorts,com.acme.Inventory at com.acme.Inventory.reserve,monitor\n"))
      << text;
}

TEST(DigestWrite, AReaderTakesIt) {
  DumpFiles files;
  WriteSmallDump(&files);
  AddShortCalls(&files);
  files.Append(DUMP_COUNTS, "109.6000000000,MonitorContendedEnter,00000000,7,60000000,4000000,0\n");
  std::string text = MakeDigest(&files);
  struct digest_file f = {};
  struct builder why = {};
  EXPECT_TRUE(digest_parse({text.data(), text.size()}, &f, &why)) << why.data;
  digest_file_free(&f);
  builder_free(&why);
}

TEST(DigestWrite, IsTheSameTwice) {
  DumpFiles files;
  WriteSmallDump(&files);
  EXPECT_EQ(MakeDigest(&files), MakeDigest(&files));
}

TEST(DigestWrite, CutsAndCounts) {
  struct model m = {};
  DumpFiles files;
  WriteSmallDump(&files);
  struct builder why = {}, out = {};
  struct dump *d = dump_open(files.Prefix().c_str(), &why);
  ASSERT_NE(d, nullptr);
  ASSERT_TRUE(model_read(&m, d, nullptr, ALL_ANALYSES));
  struct figures figures = {};
  figures.scale = FIGURES_SCALE;
  for (uint64_t i = 0; i < DIGEST_MOST_FIGURES + 5; i++) {
    std::string key = "key" + std::to_string(i), text = "first\nthe holder was at";
    for (int frame = 0; frame < 20; frame++) text += "\n  frame" + std::to_string(frame);
    struct figure figure = {};
    figure.kind = BUDGET_LOCK;
    figure.key = key.data();
    figure.text = text.data();
    figure.longest_ns = i;
    ASSERT_TRUE(figures_add(&figures, &figure));
  }
  ASSERT_TRUE(digest_write(&out, &m, &figures));
  std::string text(out.data, out.len);
  EXPECT_FALSE(Has(text, ",key4,"));
  EXPECT_TRUE(Has(text, ",key5,first,the holder was at,  frame0,"));
  EXPECT_TRUE(Has(text, ",  frame7,  (more frames; a digest has 8)\n"));
  EXPECT_FALSE(Has(text, "frame8"));
  EXPECT_TRUE(
      Has(text, "unproven,lock,its digest has only the 200 figures with the longest times\n"));
  builder_free(&out);
  builder_free(&why);
  figures_free(&figures);
  model_free(&m);
  dump_close(d);
}

}  // namespace
