// A dump that grows while it is read: dump_refresh.
#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/tools/orca/dump/rotated.h"
#include "tools/orca/dump/dump.h"

namespace {

struct dump *Open(const std::string &prefix) {
  struct builder why = {};
  struct dump *d = dump_open(prefix.c_str(), &why);
  EXPECT_NE(d, nullptr) << std::string(why.data == nullptr ? "" : why.data, why.len);
  builder_free(&why);
  return d;
}

std::string ReadEvents(struct stream *s) {
  std::string text;
  for (struct event_line e; stream_event(s, &e);)
    text += std::string(event_infos[e.kind].name) + " ";
  return text;
}

class GrowingTest : public testing::Test {
 protected:
  void SetUp() override {
    WriteGoodDump(&files_);
    size_t end = files_.Text(DUMP_INFO).find("end.monotonic");
    info_end_ = files_.Text(DUMP_INFO).substr(end);
    files_.Write(DUMP_INFO, files_.Text(DUMP_INFO).substr(0, end));
  }

  DumpFiles files_;
  std::string info_end_;
};

TEST_F(GrowingTest, StreamsGoOnWhereTheyStopped) {
  std::string all = files_.Text(DUMP_EVENTS);
  size_t half = all.find("200.0000000004"), within = half + 20;
  files_.Write(DUMP_EVENTS, all.substr(0, within));  // ends within a line
  struct dump *d = Open(files_.Prefix());
  struct stream *s = dump_stream(d, DUMP_EVENTS);
  EXPECT_EQ(ReadEvents(s), "ThreadStarted ThreadStart ThreadStarted ");
  EXPECT_EQ(dump_refresh(d), DUMP_GROWS);
  EXPECT_EQ(ReadEvents(s), "");
  files_.Write(DUMP_EVENTS, all);
  // Definitions that these events may need were not read yet.
  EXPECT_EQ(ReadEvents(s), "");
  EXPECT_EQ(dump_refresh(d), DUMP_GROWS);
  EXPECT_EQ(ReadEvents(s).find("MonitorContendedEnter ObjectNotify "), 0u);
  EXPECT_EQ(ReadEvents(s), "");
  EXPECT_EQ(stream_lines(s), 21u);
  EXPECT_FALSE(stream_cut(s));
  EXPECT_EQ(dump_faults(d)->num, 0u);
  stream_close(s);
  dump_close(d);
}

TEST_F(GrowingTest, AllFilesEndWhereTheyEndedWhenTheDumpWasOpened) {
  struct dump *d = Open(files_.Prefix());
  struct stream *before = dump_stream(d, DUMP_EVENTS);
  std::string events = ReadEvents(before);
  uint64_t lines = stream_lines(before);
  stream_close(before);
  files_.Append(DUMP_EVENTS, files_.Text(DUMP_EVENTS));
  files_.Append(DUMP_COUNTS, files_.Text(DUMP_COUNTS));
  for (int i = 0; i < 2; i++) {
    struct stream *s = dump_stream(d, DUMP_EVENTS);
    EXPECT_EQ(ReadEvents(s), events);
    EXPECT_EQ(stream_lines(s), lines);
    EXPECT_FALSE(stream_cut(s));
    stream_close(s);
  }
  struct stream *counts = dump_stream(d, DUMP_COUNTS);
  std::string text = files_.Text(DUMP_COUNTS);
  int num = 0, all = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  for (struct count_line count; stream_count(counts, &count);) num++;
  stream_close(counts);
  EXPECT_GT(num, 0);
  EXPECT_EQ(2 * num, all);
  EXPECT_EQ(dump_faults(d)->num, 0u);
  dump_close(d);
}

TEST_F(GrowingTest, TablesAndInfoGrow) {
  struct dump *d = Open(files_.Prefix());
  EXPECT_EQ(dump_refresh(d), DUMP_GROWS);
  EXPECT_EQ(dump_class(d, 0xC5), nullptr);
  files_.Append(DUMP_CLASSES, "250.0000000000,000000C5,Lcom/acme/New;,New.java\n");
  files_.Append(DUMP_METHODS, "250.0000000000,00000010,run,()V,000000C5,-1\n");
  files_.Append(DUMP_OBJECTS, "250.0000000000,000000EE,000000C5\n");
  EXPECT_EQ(dump_refresh(d), DUMP_GROWS);
  ASSERT_NE(dump_class(d, 0xC5), nullptr);
  ASSERT_NE(dump_method(d, 0x10), nullptr);
  ASSERT_NE(dump_objects(d, 0xEE), nullptr);
  EXPECT_EQ(dump_objects(d, 0xEE)->next, nullptr);
  EXPECT_EQ(dump_objects(d, 0x0A)->next, nullptr);  // no row twice
  files_.Append(DUMP_INFO, info_end_);
  EXPECT_EQ(dump_refresh(d), DUMP_HAS_ENDED);
  EXPECT_EQ(dump_faults(d)->num, 0u);
  dump_close(d);
}

TEST_F(GrowingTest, NoticesAnotherRecording) {
  struct dump *d = Open(files_.Prefix());
  EXPECT_EQ(dump_refresh(d), DUMP_GROWS);
  files_.Replace(DUMP_INFO, "pid=4711", "pid=4712");
  EXPECT_EQ(dump_refresh(d), DUMP_IS_REPLACED);
  files_.Replace(DUMP_INFO, "pid=4712", "pid=4711");
  files_.Replace(DUMP_INFO, "start.monotonic=99.0", "start.monotonic=99.5");
  EXPECT_EQ(dump_refresh(d), DUMP_IS_REPLACED);
  files_.Remove(DUMP_INFO);
  EXPECT_EQ(dump_refresh(d), DUMP_IS_REPLACED);
  dump_close(d);
}

// The writer ends a set and begins the next one: a stream reads the rest of the old one first.
TEST(GrowingSets, StreamsGoOnInTheNextSet) {
  RotatedFiles whole, grown;
  grown.Remove(grown.Prefix());
  grown.Rename(grown.Prefix() + ".0002", grown.Prefix());  // the second set is being written
  struct dump *all = Open(whole.Prefix());
  struct stream *s = dump_stream(all, DUMP_EVENTS);
  std::string expected = ReadEvents(s);
  stream_close(s);

  struct dump *d = Open(grown.Prefix());
  ASSERT_EQ(dump_sets(d)->num, 2u);
  s = dump_stream(d, DUMP_EVENTS);
  std::string read = ReadEvents(s);
  EXPECT_LT(read.size(), expected.size());
  grown.Rename(grown.Prefix(), grown.Prefix() + ".0002");
  for (const char *suffix : dump_suffixes)
    std::filesystem::copy_file(whole.Prefix() + suffix, grown.Prefix() + suffix);
  EXPECT_EQ(dump_refresh(d), DUMP_HAS_ENDED);
  EXPECT_EQ(dump_sets(d)->num, 3u);
  EXPECT_EQ(read + ReadEvents(s), expected);
  EXPECT_EQ(dump_faults(d)->num, 0u);
  stream_close(s);
  dump_close(d);
  dump_close(all);
}

}  // namespace
