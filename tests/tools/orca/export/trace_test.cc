#include "tools/orca/export/trace.h"

#include <map>

#include "tests/tools/orca/export/trace_reader.h"

namespace {

class Trace : public testing::Test {
 protected:
  Trace() {
    small_.Read();
    job_ = {small_.dump, &small_.model, PROFILE_CPU, false, &out_, nullptr, nullptr};
    trace_.job = &job_;
    trace_.json.out = &out_.text;
  }
  ~Trace() override {
    builder_free(&trace_.text);
    output_free(&out_);
  }
  std::vector<TraceEvent> Events() {
    return ReadTrace("{\"traceEvents\":[" + TakeText(&out_.text) + "]}");
  }

  SmallModel small_;
  struct output out_ = {};
  struct export_job job_ = {};
  struct trace trace_ = {};
};

TEST_F(Trace, TimesAreMicrosecondsSinceTheStart) {
  trace_begin(&trace_, "X", TRACE_THREADS, 2, 101 * kSecond + 1234567);
  trace_put_duration(&trace_, 101 * kSecond + 1234567, 102 * kSecond);
  json_text_member(&trace_.json, "name", "x");
  EXPECT_TRUE(trace_end(&trace_));
  std::string text(out_.text.data, out_.text.len);
  EXPECT_EQ(text,
            "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1000123.456,\"dur\":999876.544,"
            "\"name\":\"x\"}\n");
}

TEST_F(Trace, NothingIsBeforeTheStart) {
  trace_begin(&trace_, "X", TRACE_THREADS, 2, 1);
  trace_put_duration(&trace_, 9, 5);
  json_text_member(&trace_.json, "name", "x");
  EXPECT_TRUE(trace_end(&trace_));
  TraceEvent e = Events().at(0);
  EXPECT_EQ(e.ts, 0);
  EXPECT_EQ(e.dur, 0);
}

TEST_F(Trace, WritesValuesByName) {
  trace_begin(&trace_, "i", TRACE_STATES, 2, 101 * kSecond);
  json_text_member(&trace_.json, "name", "x");
  json_key(&trace_.json, "args");
  json_begin_object(&trace_.json);
  trace_put_object(&trace_, "object", 0xA1);
  trace_put_object(&trace_, "none", 0);
  trace_put_thread(&trace_, "owner", 3);
  trace_put_thread(&trace_, "nobody", 0);
  trace_put_place(&trace_, "at", place(0x10, 88));
  trace_put_place(&trace_, "nowhere", 0);
  json_end_object(&trace_.json);
  EXPECT_TRUE(trace_end(&trace_));
  TraceEvent e = Events().at(0);
  EXPECT_EQ(e.thread, 2u);
  EXPECT_EQ(e.args.members.size(), 3u);
  EXPECT_EQ(e.args["object"].text, "com.acme.Inventory@000000A1");
  EXPECT_EQ(e.args["owner"].text, "worker-2");
  EXPECT_EQ(e.args["at"].text, "OrderService.price (OrderService.java:88)");
}

TEST_F(Trace, AnArrowHasTwoEnds) {
  EXPECT_TRUE(trace_arrow(&trace_, "wakes", 2, 101 * kSecond, 3, 102 * kSecond));
  EXPECT_TRUE(trace_arrow(&trace_, "wakes", 3, 103 * kSecond, 2, 104 * kSecond));
  std::vector<TraceEvent> events = Events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].id, events[1].id);
  EXPECT_EQ(events[2].id, events[3].id);
  EXPECT_NE(events[0].id, events[2].id);
  EXPECT_EQ(events[1].phase, 'f');
  EXPECT_EQ(events[1].thread, 3u);
}

TEST_F(Trace, NamesGroupsAndThreads) {
  EXPECT_TRUE(trace_names(&trace_));
  std::map<std::string, std::string> names;
  for (const TraceEvent &e : Only(Events(), 'M', "thread_name")) {
    names[std::to_string(e.thread)] = e.args["name"].text;
  }
  EXPECT_EQ(names, (std::map<std::string, std::string>{
                       {"1", "main"}, {"2", "worker-1"}, {"3", "worker-2"}, {"4", "poller"}}));
}

TEST_F(Trace, AllThreadsHaveStates) {
  EXPECT_TRUE(trace_names(&trace_));
  std::vector<TraceEvent> events = Events();
  EXPECT_EQ(Only(events, 'M', "thread_name", TRACE_STATES).size(), 4u);
  EXPECT_EQ(Only(events, 'M', "process_name", TRACE_STATES).size(), 1u);
  EXPECT_EQ(Only(events, 'M', "process_name").at(0).args["name"].text, "com.acme.OrderService");
}

}  // namespace
