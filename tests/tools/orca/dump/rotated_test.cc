// Reads and checks a recording in several sets of files.
#include "tests/tools/orca/dump/rotated.h"

#include <array>
#include <vector>

#include "tools/orca/check/check.h"
#include "tools/orca/dump/dump.h"

namespace {

class Rotated : public testing::Test {
 protected:
  ~Rotated() override { dump_close(dump_); }

  struct dump *Open(const std::string &suffix = "") {
    struct builder why = {};
    dump_close(dump_);
    dump_ = dump_open((files_.Prefix() + suffix).c_str(), &why);
    EXPECT_NE(dump_, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    return dump_;
  }
  // Returns the faults that the checker finds, one per line.
  std::string Check(const std::string &suffix = "") {
    struct dump *d = Open(suffix);
    EXPECT_TRUE(check_dump(d, &totals_));
    const struct faults *f = dump_faults(d);
    struct builder b = {};
    for (size_t i = 0; i < f->num; i++) fault_write(&b, "out", &f->rows[i]);
    std::string text = b.len == 0 ? "" : std::string(b.data, b.len);
    builder_free(&b);
    return text;
  }
  std::vector<std::string> ReadEventNames() {
    std::vector<std::string> names;
    struct stream *s = dump_stream(dump_, DUMP_EVENTS);
    for (struct event_line e; stream_event(s, &e);) {
      names.push_back(std::string(event_infos[e.kind].name) + (stream_is_repeated(s) ? "*" : ""));
    }
    stream_close(s);
    return names;
  }
  std::string GetInfo(enum info_key key) {
    struct span value = {"", 0};
    dump_info(dump_, key, &value);
    return std::string(value.data, value.len);
  }

  // The counts of the lines, after `texts` were written as the files .counts of the three sets.
  std::vector<int64_t> ReadCounts(const std::array<std::string, 3> &texts) {
    const std::string prefixes[] = {first_, second_, files_.Prefix()};
    for (size_t i = 0; i < 3; i++) files_.Write(prefixes[i], DUMP_COUNTS, texts[i]);
    std::vector<int64_t> counts;
    struct stream *s = dump_stream(Open(), DUMP_COUNTS);
    for (struct count_line l; stream_count(s, &l);) {
      EXPECT_FALSE(l.is_more);
      counts.push_back(l.count);
    }
    stream_close(s);
    return counts;
  }

  RotatedFiles files_;
  struct dump *dump_ = nullptr;
  struct check_totals totals_ = {};
  const std::string first_ = files_.Prefix() + ".0001", second_ = files_.Prefix() + ".0002";
};

using Names = std::vector<std::string>;

TEST_F(Rotated, IsReadAsOneRecording) {
  Open();
  EXPECT_EQ(ReadEventNames(),
            (Names{"ThreadStarted", "ObjectWait", "ObjectWaited", "ObjectNotify", "ThreadEnded"}));
  EXPECT_EQ(GetInfo(INFO_START_MONOTONIC), "99.0000000000");
  EXPECT_EQ(GetInfo(INFO_START_UTC), "2026-11-20T11:37:31.123456789Z");
  EXPECT_EQ(GetInfo(INFO_END_REASON), "exit");
  EXPECT_EQ(dump_objects(dump_, 0xA)->next, nullptr);  // three lines, one object
}

TEST_F(Rotated, KeepsTheStackLinesOfEachSet) {
  struct stream *s = dump_stream(Open(), DUMP_SAMPLES);
  Names lines;
  for (struct sample_line l; stream_sample(s, &l);) {
    if (l.kind == SAMPLE_TICK) lines.push_back("tick " + std::to_string(l.number));
    if (l.kind == SAMPLE_STACK) lines.push_back("stack " + std::to_string(l.stack_id));
    if (l.kind == SAMPLE_THREAD) lines.push_back(thread_state_names[l.state]);
  }
  stream_close(s);
  EXPECT_EQ(lines, (Names{"tick 1", "stack 1", "Waiting", "stack 2", "tick 2", "Runnable",
                          "stack 3", "tick 3", "Terminated"}));
}

TEST_F(Rotated, AddsUpCounts) {
  struct stream *s = dump_stream(Open(), DUMP_COUNTS);
  std::vector<int64_t> counts;
  for (struct count_line l; stream_count(s, &l);) counts.push_back(l.count);
  stream_close(s);
  EXPECT_EQ(counts, (std::vector<int64_t>{3, 4, 5}));
}

using Counts = std::vector<int64_t>;

TEST_F(Rotated, AddsCountsOfMoreEventsInAllSets) {
  EXPECT_EQ(ReadCounts({"100.0000000006,LockAcquired,0000000A,+3\n"
                        "100.0000000007,LockAcquired,0000000A,+3\n"
                        "100.0000000008,ReadLockAcquired,0000000A,+7\n"
                        "100.0000000009,LockAcquired,0000000B,+2\n",
                        "200.0000000006,LockAcquired,0000000A,+1\n"
                        "200.0000000007,ReadLockAcquired,0000000A,+1\n",
                        ""}),
            (Counts{3, 6, 7, 2, 7, 8}));
}

TEST_F(Rotated, AddsCountsOfSetsOfEarlierAgents) {
  EXPECT_EQ(ReadCounts({"100.0000000006,LockAcquired,0000000A,3\n"
                        "100.0000000007,LockAcquired,0000000A,5\n"
                        "100.0000000008,ReadLockAcquired,0000000A,7\n",
                        "200.0000000006,LockAcquired,0000000A,1\n"
                        "200.0000000007,LockAcquired,0000000B,2\n"  // another object
                        "200.0000000008,LockAcquired,0000000A,4\n",
                        "300.0000000006,LockAcquired,0000000A,1\n"
                        "300.0000000007,ReadLockAcquired,0000000A,1\n"}),  // none in the set before
            (Counts{3, 5, 7, 6, 2, 9, 10, 8}));
}

TEST_F(Rotated, CountsDoNotOverflow) {
  const std::string most = std::to_string(INT64_MAX);
  EXPECT_EQ(ReadCounts({"100.0000000006,LockAcquired,0000000A," + most +
                            "\n100.0000000007,LockAcquired,0000000A,+5\n",
                        "200.0000000006,LockAcquired,0000000A,5\n", ""}),
            (Counts{INT64_MAX, INT64_MAX, INT64_MAX}));
}

TEST_F(Rotated, ReadsOneSetAsARecording) {
  Open(".0002");
  EXPECT_EQ(ReadEventNames(), (Names{"ThreadStarted*", "ObjectWaited", "ObjectNotify"}));
  EXPECT_EQ(GetInfo(INFO_START_MONOTONIC), "200.0000000000");
  struct stream *s = dump_stream(dump_, DUMP_COUNTS);
  struct count_line line;
  ASSERT_TRUE(stream_count(s, &line) && stream_count(s, &line));
  EXPECT_EQ(line.count, 2);
  stream_close(s);
}

TEST_F(Rotated, PassesTheCheckAsAWholeAndSetBySet) {
  EXPECT_EQ(Check(), "");
  EXPECT_EQ(totals_.lines[DUMP_EVENTS], 5u);
  EXPECT_EQ(totals_.samples, 3u);
  EXPECT_EQ(totals_.num_early_ends, 0u);
  for (const char *set : {".0001", ".0002"}) EXPECT_EQ(Check(set), "") << set;
  EXPECT_EQ(totals_.num_early_ends, 1u);  // the wait that began in the first set
}

TEST_F(Rotated, AcceptsAnEndEventWithoutItsBeginEventIfTheFirstSetIsMissing) {
  files_.Remove(first_);
  EXPECT_EQ(Check(), "");
  EXPECT_EQ(totals_.num_early_ends, 1u);
  Open();
  EXPECT_EQ(ReadEventNames(),
            (Names{"ThreadStarted*", "ObjectWaited", "ObjectNotify", "ThreadEnded"}));
}

TEST_F(Rotated, RefusesThatEndEventForAThreadThatStartedLater) {
  files_.Remove(first_);
  files_.Replace(second_, DUMP_INFO, "set.threads=1", "set.threads=0");
  EXPECT_EQ(Check(), "out.0002.orca:2: ObjectWaited without its begin event\n");
}

TEST_F(Rotated, ReportsMissingSetsAsOneFault) {
  files_.Remove(second_);
  EXPECT_EQ(Check(),
            "out.orca: sets of the recording are missing between the first and the last: "
            "1\n");
}

TEST_F(Rotated, NamesTheSetOfAFault) {
  files_.Replace(second_, DUMP_EVENTS, "200.0000000007,ObjectNotify", "200.0000000007,Object");
  EXPECT_EQ(Check(), "out.0002.orca:3: no event has this name\n");
  files_.Replace(second_, DUMP_EVENTS, "200.0000000007,Object,", "200.0000000001,ObjectNotify,");
  EXPECT_EQ(Check(), "out.0002.orca:3: the timestamp is not later than that of the line before\n");
}

TEST_F(Rotated, RequiresAscendingTimestampsAcrossSets) {
  files_.Replace(files_.Prefix(), DUMP_EVENTS, "300.0000000006", "150.0000000006");
  EXPECT_EQ(Check(), "out.orca:2: the timestamp is not later than that of the line before\n");
}

TEST_F(Rotated, RequiresTheKeysOfTheEndExceptInTheLastSet) {
  files_.Write(files_.Prefix(), DUMP_INFO, RotatedFiles::Info(3, "300.0000000000", 1, 3, "", 0, 0));
  EXPECT_EQ(Check(), "");
  files_.Write(second_, DUMP_INFO, RotatedFiles::Info(2, "200.0000000000", 1, 3, "", 0, 0));
  EXPECT_EQ(
      Check(),
      "out.0002.info: keys of the end are missing: end.monotonic, end.reason, "
      "events.written, events.dropped, events.waited, samples.written, sampler.pause.total\n");
}

TEST_F(Rotated, ComparesEventsWrittenWithTheSumOfAllSets) {
  files_.Replace(second_, DUMP_INFO, "events.written=3", "events.written=4");
  EXPECT_EQ(Check(), "out.info: events.written is not the number of lines in .orca, 7\n");
}

TEST_F(Rotated, ReportsAnUnreadableFileAndReadsTheOtherSets) {
  std::filesystem::remove(second_ + ".orca");
  std::filesystem::create_directory(second_ + ".orca");  // sets_find still finds the set
  Open();
  EXPECT_EQ(ReadEventNames(), (Names{"ThreadStarted", "ObjectWait", "ThreadEnded"}));
  EXPECT_EQ(dump_faults(dump_)->num, 1u);
  EXPECT_STREQ(dump_faults(dump_)->rows[0].text, "is not a regular file");
}

// The writer finishes the last set after the dump was opened, and begins the next set.
TEST_F(Rotated, ReadsASetThatIsFinishedMeanwhile) {
  Open();
  files_.Rename(files_.Prefix(), files_.Prefix() + ".0003");
  files_.Write(files_.Prefix(), DUMP_EVENTS, "400.0000000005,ThreadStarted,0000000B,new\n");
  EXPECT_EQ(ReadEventNames(),
            (Names{"ThreadStarted", "ObjectWait", "ObjectWaited", "ObjectNotify", "ThreadEnded"}));
}

TEST_F(Rotated, IsFoundByTheNameOfAnyOfItsFiles) {
  EXPECT_EQ(dump_prefix(Open(".orca")), files_.Prefix());
  EXPECT_EQ(dump_prefix(Open(".0002.samples")), second_);
  files_.Remove(files_.Prefix());  // killed between two sets
  EXPECT_EQ(dump_prefix(Open()), files_.Prefix());
  EXPECT_EQ(ReadEventNames(),
            (Names{"ThreadStarted", "ObjectWait", "ObjectWaited", "ObjectNotify"}));
}

TEST_F(Rotated, IsListedOnceAmongTheDumpsOfTheFolder) {
  struct builder why = {};
  EXPECT_EQ(dump_open((files_.Folder() + "/foo").c_str(), &why), nullptr);
  std::string text(why.data, why.len);
  EXPECT_NE(text.find("(found there: " + files_.Prefix() + ")"), std::string::npos) << text;
  builder_free(&why);
}

}  // namespace
