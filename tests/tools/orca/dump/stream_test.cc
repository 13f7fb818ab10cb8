#include "tools/orca/dump/stream.h"

#include <string>
#include <vector>

#include "tests/support/dump_files.h"

namespace {

std::string TakeFaults(struct faults *f) {
  struct builder b = {};
  for (size_t i = 0; i < f->num; i++) fault_write(&b, "out", &f->rows[i]);
  std::string text = b.len == 0 ? "" : std::string(b.data, b.len);
  builder_free(&b);
  faults_free(f);
  return text;
}

const char kEvent[] = "200.0000000001,ThreadEnded,0000000A\n";

// Reads .orca with this text and returns the number of valid lines.
size_t ReadEvents(const std::string &text, struct faults *faults, uint64_t *out_lines = nullptr,
                  bool *out_cut = nullptr) {
  DumpFiles files;
  files.Write(DUMP_EVENTS, text);
  struct stream *s = stream_open(files.Path(DUMP_EVENTS).c_str(), DUMP_EVENTS, faults);
  size_t good = 0;
  for (struct event_line e; stream_event(s, &e);) good++;
  if (out_lines != nullptr) *out_lines = stream_line(s);
  if (out_cut != nullptr) *out_cut = stream_cut(s);
  stream_close(s);
  return good;
}

TEST(Stream, ReturnsLinesOfEachKind) {
  DumpFiles files;
  WriteGoodDump(&files);
  struct faults faults = {};
  size_t lines[NUM_DUMP_FILES] = {};
  struct stream *s[NUM_DUMP_FILES];
  for (int f = 0; f < NUM_DUMP_FILES; f++) {
    auto file = static_cast<enum dump_file>(f);
    s[f] = stream_open(files.Path(file).c_str(), file, &faults);
    ASSERT_NE(s[f], nullptr);
    EXPECT_EQ(stream_file(s[f]), file);
  }
  for (struct event_line l; stream_event(s[DUMP_EVENTS], &l);) lines[DUMP_EVENTS]++;
  for (struct method_line l; stream_method(s[DUMP_METHODS], &l);) lines[DUMP_METHODS]++;
  for (struct class_line l; stream_class(s[DUMP_CLASSES], &l);) lines[DUMP_CLASSES]++;
  for (struct sample_line l; stream_sample(s[DUMP_SAMPLES], &l);) lines[DUMP_SAMPLES]++;
  for (struct object_line l; stream_object(s[DUMP_OBJECTS], &l);) lines[DUMP_OBJECTS]++;
  for (struct span k, v; stream_info(s[DUMP_INFO], &k, &v);) lines[DUMP_INFO]++;
  for (struct count_line l; stream_count(s[DUMP_COUNTS], &l);) lines[DUMP_COUNTS]++;
  size_t expected[NUM_DUMP_FILES] = {21, 9, 5, 10, 5, 15, 3};
  for (int f = 0; f < NUM_DUMP_FILES; f++) {
    EXPECT_EQ(lines[f], expected[f]) << dump_suffixes[f];
    EXPECT_EQ(stream_line(s[f]), expected[f]);
    stream_close(s[f]);
  }
  EXPECT_EQ(TakeFaults(&faults), "");
}

TEST(Stream, SkipsBrokenLinesAndCountsThem) {
  struct faults faults = {};
  std::string good = kEvent;
  EXPECT_EQ(
      ReadEvents(good + "rubbish\n" + good + "\n" + good + "1.0000000000,Nothing,A\n", &faults),
      3u);
  EXPECT_EQ(TakeFaults(&faults),
            "out.orca:2: the timestamp is not seconds with ten decimals (2 times)\n"
            "out.orca:6: no event has this name\n");
}

TEST(Stream, CountsNoFaultForACutLine) {
  struct faults faults = {};
  uint64_t lines;
  bool cut;
  EXPECT_EQ(ReadEvents(std::string(kEvent) + "200.00", &faults, &lines, &cut), 1u);
  EXPECT_EQ(lines, 1u);
  EXPECT_TRUE(cut);
  EXPECT_EQ(TakeFaults(&faults), "");
}

TEST(Stream, SkipsACutLineThatIsSpelledRight) {
  struct faults faults = {};
  std::string cut = kEvent;
  cut.pop_back();
  EXPECT_EQ(ReadEvents(cut, &faults), 0u);
  EXPECT_EQ(TakeFaults(&faults), "");
}

TEST(Stream, SkipsALineOfTenMegabytes) {
  struct faults faults = {};
  std::string large(10 << 20, 'x');
  EXPECT_EQ(ReadEvents(kEvent + large + "\n" + kEvent, &faults), 2u);
  EXPECT_EQ(TakeFaults(&faults),
            "out.orca:2: the line is longer than any that Orca writes (over 4 MiB)\n");
}

TEST(Stream, SkipsBinaryLines) {
  struct faults faults = {};
  std::string zeros(5000, '\0');
  EXPECT_EQ(ReadEvents(kEvent + zeros + "\n" + kEvent, &faults), 2u);
  EXPECT_EQ(TakeFaults(&faults), "out.orca:2: the line is binary, not text\n");
}

TEST(Stream, ReturnsNoLinesOfAMissingFile) {
  struct faults faults = {};
  struct stream *s = stream_open("/nowhere/out.orca", DUMP_EVENTS, &faults);
  EXPECT_EQ(s, nullptr);
  struct event_line e;
  EXPECT_FALSE(stream_event(s, &e));
  EXPECT_EQ(stream_line(s), 0u);
  EXPECT_FALSE(stream_cut(s));
  stream_close(s);
  EXPECT_EQ(TakeFaults(&faults), "out.orca: does not exist\n");
}

TEST(Stream, CountsNoFaultForAMissingOptionalFile) {
  struct faults faults = {};
  EXPECT_EQ(stream_open("/nowhere/out.counts", DUMP_COUNTS, &faults), nullptr);
  struct count_line line;
  EXPECT_FALSE(stream_count(nullptr, &line));
  EXPECT_EQ(TakeFaults(&faults), "");
  EXPECT_EQ(stream_open("/", DUMP_COUNTS, &faults), nullptr);  // exists, but is a folder
  EXPECT_EQ(TakeFaults(&faults), "out.counts: is not a regular file\n");
}

TEST(Stream, ForgetsTheFaultsOfAnEarlierReading) {
  struct faults faults = {};
  ReadEvents("rubbish\n", &faults);
  ReadEvents("rubbish\n", &faults);
  EXPECT_EQ(TakeFaults(&faults), "out.orca:1: the timestamp is not seconds with ten decimals\n");
}

TEST(StreamReadCallback, GetsAllBytesAndTheEnd) {
  DumpFiles files;
  WriteGoodDump(&files);
  struct builder why = {};
  struct dump *d = dump_open(files.Prefix().c_str(), &why);
  ASSERT_NE(d, nullptr);
  std::vector<uint64_t> calls;
  dump_set_read_callback(d, {[](void *arg, uint64_t bytes) {
                               static_cast<std::vector<uint64_t> *>(arg)->push_back(bytes);
                             },
                             &calls});
  size_t bytes = 0;
  for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES, DUMP_COUNTS}) {
    bytes += files.Text(file).size();
  }
  EXPECT_EQ(dump_bytes(d), bytes);
  struct stream *s = dump_stream(d, DUMP_EVENTS);
  for (struct event_line line; stream_event(s, &line);) continue;
  stream_close(s);
  EXPECT_EQ(calls, (std::vector<uint64_t>{files.Text(DUMP_EVENTS).size(), 0}));
  dump_close(d);
}

}  // namespace
