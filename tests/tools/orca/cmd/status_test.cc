#include "tools/orca/cmd/status.h"

#include <string>

#include "gtest/gtest.h"

namespace {

std::string Put(void (*put)(struct builder *, struct span), const std::string &answer) {
  struct builder b = {};
  put(&b, {answer.data(), answer.size()});
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

const char kAnswer[] =
    "recording into /tmp/x.*\n"
    "options=/tmp/x,events=all,interval=5ms,locks=all,filter=,"
    "trigger=cpu>90%:locks=all;for=30s,rest=10m\n"
    "changed=interval=5ms\n"
    "changed=locks=all\n"
    "escalation=cpu,12,locks=all\n"
    "duration.left.ms=252000\n"
    "recorded.ms=7200000\n"
    "events.written=1234567\n"
    "samples.written=1\n"
    "recent.ms=5000\n"
    "recent.events=617\n"
    "recent.samples=250\n"
    "recent.bytes=600000\n"
    "disk.sets=3\n"
    "disk.bytes=245000000\n"
    "disk.kept=2\n"
    "sets.delayed=0\n"
    "disk.free=12300000000\n"
    "events.dropped=12\n"
    "events.waited=1\n"
    "locks.full=1\n"
    "memory.failed=1\n"
    "sampler.pauses=317\n"
    "sampler.pause.total=16800000\n"
    "sampler.pause.longest=6290000\n"
    "table.queue=8,1835840\n"
    "table.locks=0,3768376\n"
    "tables.bytes=5604216";

TEST(Status, PutsTheAnswerInGroups) {
  EXPECT_EQ(Put(status_put_text, kAnswer),
            "recording into /tmp/x.*\n"
            "Options   interval=5ms locks=all trigger=cpu>90%:locks=all;for=30s\n"
            "Changed   interval=5ms; locks=all\n"
            "Trigger   cpu has changed locks=all for 12 s more\n"
            "Ends      by itself in 4 min 12 s\n"
            "Written   1,234,567 events and 1 sample of threads in 2 h 00 min\n"
            "Rates     123 events, 50 samples, 120 kB a second in the last 5.00 s\n"
            "Lost      12 events (queue full, or file not written), 1 full table of lock counts "
            "(some acquisitions are not counted), 1 allocation failed\n"
            "Delayed   1 time a thread waited for room in its queue\n"
            "Pauses    317 times the JVM stopped for a look at all threads: 16.8 ms in total, "
            "longest 6.29 ms\n"
            "Disk      3 sets of files, 245 MB; kept by triggers: 2; 12.3 GB are free\n"
            "Memory    5.6 MB in tables (entries, bytes):\n"
            "table.queue=8,1835840\n"
            "table.locks=0,3768376\n");
}

TEST(Status, LeavesOutWhatThereIsNot) {
  EXPECT_EQ(Put(status_put_text, "recording into x.*\noptions=x,locks=waits\nevents.written=0"),
            "recording into x.*\n"
            "Options   all have their defaults\n"
            "Written   0 events and 0 samples of threads in 0 s\n"
            "Lost      nothing\n"
            "Pauses    0 times the JVM stopped for a look at all threads\n"
            "Disk      0 sets of files, 0 bytes\n"
            "Memory    0 bytes in tables (entries, bytes):\n");
}

TEST(Status, PutsOtherAnswersAsTheyAre) {
  EXPECT_EQ(Put(status_put_text, "nothing is being recorded"), "nothing is being recorded\n");
  EXPECT_EQ(Put(status_put_text, ""), "\n");
  EXPECT_EQ(
      Put(status_put_json, "nothing is being recorded"),
      "{\"schema\":2,\"state\":\"nothing is being recorded\",\"changed\":[],\"escalation\":[]}\n");
}

TEST(Status, PutsJson) {
  std::string json = Put(status_put_json, kAnswer);
  for (const char *part :
       {"{\"schema\":2,\"state\":\"recording into "
        "/tmp/x.*\",\"changed\":[\"interval=5ms\",\"locks=all\"],"
        "\"escalation\":[\"cpu,12,locks=all\"],\"options\":\"/tmp/x,events=all,",
        ",\"duration.left.ms\":252000,\"recorded.ms\":7200000,\"events.written\":1234567,",
        ",\"table.locks\":{\"entries\":0,\"bytes\":3768376},\"tables.bytes\":5604216}\n"}) {
    EXPECT_NE(json.find(part), std::string::npos) << json;
  }
}

}  // namespace
