#include "agent/event/line.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace {

struct span Span(const std::string &s) {
  return {s.data(), s.size()};
}

std::string Text(struct span s) { return {s.data, s.len}; }

std::string Taken(struct builder *b) {
  std::string out(b->data, b->len);
  builder_free(b);
  return out;
}

// A written line without its newline, which must be there, once and last.
std::string Line(struct builder *b) {
  std::string out = Taken(b);
  EXPECT_EQ(out.find('\n'), out.size() - 1) << out;
  return out.substr(0, out.size() - 1);
}

std::string Fault(fault_t fault) { return fault == nullptr ? "" : fault; }

// A line and the fault a reader finds in it, "" for none.
struct Case {
  std::string line, fault;
};

constexpr ticks_t kTime = 4801820012345670;
const char kAt[] = "480182.0012345670,";
const char kStack[] = "2;00000007;FFFFFFFF;00000012;0000001C";
const char kName[] = "pool-1 \\u002C";

const char kMissing[] = "a field is missing";
const char kMore[] = "there are more fields than the line has";
const char kBadTime[] = "the timestamp is not seconds with ten decimals";
const char kBadThread[] = "the thread is not eight hexadecimal digits";
const char kBadObject[] = "the object is not eight hexadecimal digits";
const char kBadClass[] = "the class id is not eight hexadecimal digits";
const char kBadDepth[] = "the stack does not begin with its depth";
const char kBadFrame[] = "a frame of the stack is not ;METHODID;LOCATION";
const char kWrongDepth[] = "the stack's depth is not the number of its frames";
const char kBadLines[] = "the line table does not begin with its length";
const char kBadEntry[] = "an entry of the line table is not ;LOCATION;LINE";
const char kWrongLines[] = "the line table's length is not the number of its entries";

// --- .orca -----------------------------------------------------------------------------

std::string Written(const struct event_line &line) {
  struct builder b = {};
  event_line_write(&b, &line);
  return Line(&b);
}

std::string EventFault(const std::string &line) {
  struct event_line out;
  return Fault(event_line_read(Span(line), &out));
}

struct event_line Example(int kind) {
  enum event_shape shape = event_infos[kind].shape;
  struct event_line line = {};
  line.time = kTime;
  line.kind = static_cast<enum event_kind>(kind);
  line.thread = 0x0A1B2C3D;
  if (shape_has_object(shape)) line.object = 0x15DB9742;
  if (shape_has_owner(shape)) line.owner = 0x7FFFFFFF;
  if (shape_has_stack(shape)) line.stack = {kStack, strlen(kStack)};
  if (shape_has_name(shape)) line.name = {kName, strlen(kName)};
  if (shape_has_outcome(shape)) line.thrown = 0x2E, line.cpu_ns = 1500;
  return line;
}

TEST(EventLine, EveryKindReadsBack) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    struct event_line line = Example(kind), back;
    std::string text = Written(line);
    ASSERT_EQ(Fault(event_line_read(Span(text), &back)), "") << text;
    EXPECT_EQ(back.time, line.time);
    EXPECT_EQ(back.kind, line.kind);
    EXPECT_EQ(back.thread, line.thread);
    EXPECT_EQ(back.object, line.object);
    EXPECT_EQ(back.owner, line.owner);
    EXPECT_EQ(back.thrown, line.thrown);
    EXPECT_EQ(back.cpu_ns, line.cpu_ns);
    EXPECT_EQ(Text(back.stack), Text(line.stack));
    EXPECT_EQ(Text(back.name), Text(line.name));
    EXPECT_EQ(Written(back), text);
  }
}

TEST(EventLine, IsSpelledAsTheFormatSays) {
  EXPECT_EQ(Written(Example(EVENT_OBJECT_WAIT)),
            "480182.0012345670,ObjectWait,0A1B2C3D,15DB9742,2;00000007;FFFFFFFF;00000012;0000001C");
  EXPECT_EQ(Written(Example(EVENT_THREAD_SLEPT)),
            "480182.0012345670,ThreadSlept,0A1B2C3D,2;00000007;FFFFFFFF;00000012;0000001C");
  EXPECT_EQ(Written(Example(EVENT_MONITOR_CONTENDED_ENTER)),
            "480182.0012345670,MonitorContendedEnter,0A1B2C3D,15DB9742,7FFFFFFF,"
            "2;00000007;FFFFFFFF;00000012;0000001C");
  EXPECT_EQ(Written(Example(EVENT_THREAD_STARTED)),
            "480182.0012345670,ThreadStarted,0A1B2C3D,pool-1 \\u002C");
  EXPECT_EQ(Written(Example(EVENT_THREAD_ENDED)), "480182.0012345670,ThreadEnded,0A1B2C3D");
  EXPECT_EQ(Written(Example(EVENT_METHOD_EXIT)),
            "480182.0012345670,MethodExit,0A1B2C3D,0000002E,1500,"
            "2;00000007;FFFFFFFF;00000012;0000001C");
}

TEST(CountLine, ReadsBackAsItIsSpelled) {
  struct builder b = {};
  struct count_line line = {kTime, EVENT_LOCK_ACQUIRED, 0x15DB9742, 1234567}, back;
  count_line_write(&b, &line);
  std::string text = Line(&b);
  EXPECT_EQ(text, "480182.0012345670,LockAcquired,15DB9742,1234567");
  ASSERT_EQ(Fault(count_line_read(Span(text), &back)), "");
  EXPECT_EQ(back.time, line.time);
  EXPECT_EQ(back.kind, line.kind);
  EXPECT_EQ(back.object, line.object);
  EXPECT_EQ(back.count, line.count);
}

TEST(CountLine, Refusals) {
  const std::string at = kAt;
  const Case cases[] = {
      {"x", kBadTime},
      {at + "Lock,15DB9742,1", "no event has this name"},
      {at + "LockAcquired,15db9742,1", kBadObject},
      {at + "LockAcquired,15DB9742,-1", "the count is not a decimal number"},
      {at + "LockAcquired,15DB9742,", "the count is not a decimal number"},
      {at + "LockAcquired,15DB9742", kMissing},
      {at + "LockAcquired,15DB9742,1,2", kMore},
  };
  for (const Case &c : cases) {
    struct count_line out;
    EXPECT_EQ(Fault(count_line_read(Span(c.line), &out)), c.fault) << c.line;
  }
}

TEST(EventLine, NoFieldMayBeMissingOrTooMany) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    std::string text = Written(Example(kind));
    EXPECT_EQ(EventFault(text + ","), kMore) << text;
    EXPECT_EQ(EventFault(text + ",x"), kMore) << text;
    for (size_t comma; (comma = text.rfind(',')) != std::string::npos;) {
      text.resize(comma);
      EXPECT_EQ(EventFault(text), kMissing) << text;
    }
  }
}

TEST(EventLine, Refusals) {
  const std::string at = kAt, head = at + "MonitorContendedEnter,";
  const Case cases[] = {
      {"", kBadTime},
      {"x", kBadTime},
      {"480182.001234567,ThreadEnded,0A1B2C3D", kBadTime},
      {"480182,ThreadEnded,0A1B2C3D", kBadTime},
      {"0480182.0012345670,ThreadEnded,0A1B2C3D", kBadTime},
      {at, "no event has this name"},
      {at + "Threadended,0A1B2C3D", "no event has this name"},
      {at + "Tick,1,2,3", "no event has this name"},
      {at + "ThreadEnded,0a1b2c3d", kBadThread},
      {at + "ThreadEnded,0A1B2C3", kBadThread},
      {at + "ThreadEnded,", kBadThread},
      {head + "0A1B2C3D,xxxxxxxx,00000000,0", kBadObject},
      {head + "0A1B2C3D,15DB9742,0,0", "the owner is not eight hexadecimal digits"},
      {head + "0A1B2C3D,15DB9742,00000000,", kBadDepth},
      {at + "ThreadStarted,0A1B2C3D,a\\b", "the thread's name is not spelled as it must"},
      {at + "ThreadStarted,0A1B2C3D,a\tb", "the thread's name is not spelled as it must"},
      {at + "ThreadStarted,0A1B2C3D,\xff", "the thread's name is not spelled as it must"},
      {at + "ThreadStarted,0A1B2C3D,", ""},
      {at + "ThreadSleep,0A1B2C3D,0", ""},
  };
  for (const Case &c : cases) EXPECT_EQ(EventFault(c.line), c.fault) << c.line;
}

TEST(EventLine, ABinaryLineIsRefused) {
  std::string line = kAt;
  line += std::string("ThreadEnded\0,0A1B2C3D", 21);
  EXPECT_EQ(EventFault(line), "no event has this name");
  EXPECT_EQ(EventFault(std::string(1000, '\0')), kBadTime);
}

// --- stacks ----------------------------------------------------------------------------

using Frames = std::vector<std::pair<uint32_t, uint32_t>>;

Frames Walk(const std::string &stack) {
  Frames frames;
  struct span rest = stack_frames(Span(stack));
  for (struct frame f; stack_next(&rest, &f);) frames.emplace_back(f.method, f.location);
  return frames;
}

TEST(Stack, IsWrittenCheckedAndWalked) {
  for (size_t depth : {0, 1, 2, 64, 2048}) {
    std::vector<struct frame> frames;
    Frames expected;
    for (size_t i = 0; i < depth; i++) {
      struct frame f = {static_cast<uint32_t>(i + 1),
                        i % 3 ? static_cast<uint32_t>(i) : LOCATION_NATIVE};
      frames.push_back(f);
      expected.emplace_back(f.method, f.location);
    }
    struct builder b = {};
    stack_write(&b, frames.data(), frames.size());
    std::string text = Taken(&b);
    size_t found = 99999;
    EXPECT_EQ(Fault(stack_check(Span(text), &found)), "");
    EXPECT_EQ(found, depth);
    EXPECT_EQ(Walk(text), expected);
  }
}

TEST(Stack, EmptyIsZero) {
  struct builder b = {};
  stack_write(&b, nullptr, 0);
  EXPECT_EQ(Taken(&b), "0");
}

TEST(Stack, Refusals) {
  const Case cases[] = {
      {"", kBadDepth},
      {";", kBadDepth},
      {"-1", kBadDepth},
      {"01;00000007;00000001", kBadDepth},
      {"x;00000007;00000001", kBadDepth},
      {"99999999999999999999", kBadDepth},
      {"0;", kBadFrame},
      {"1;00000007", kBadFrame},
      {"1;00000007;", kBadFrame},
      {"1;00000007;0000001", kBadFrame},
      {"1;00000007;000000011", kBadFrame},
      {"1;0000000a;00000001", kBadFrame},
      {"1;00000007:00000001", kBadFrame},
      {"1;00000007;00000001;", kBadFrame},
      {"1", kWrongDepth},
      {"0;00000007;00000001", kWrongDepth},
      {"2;00000007;00000001", kWrongDepth},
      {"9223372036854775807;00000007;00000001", kWrongDepth},
  };
  for (const Case &c : cases) {
    size_t depth;
    EXPECT_EQ(Fault(stack_check(Span(c.line), &depth)), c.fault) << c.line;
    EXPECT_EQ(EventFault(kAt + ("ThreadSleep,0A1B2C3D," + c.line)), c.fault) << c.line;
  }
}

// --- line tables -------------------------------------------------------------------------

TEST(Lines, FindTakesTheEntryThatStartsLast) {
  const std::string lines = "3;00000000;00000046;00000008;00000047;00000010;00000049";
  EXPECT_EQ(lines_find(Span(lines), 0), 0x46u);
  EXPECT_EQ(lines_find(Span(lines), 7), 0x46u);
  EXPECT_EQ(lines_find(Span(lines), 8), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0xF), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0x10), 0x49u);
  EXPECT_EQ(lines_find(Span(lines), 0xFFFF), 0x49u);
}

TEST(Lines, FindTakesThePairsTheOtherWayRound) {
  const std::string lines = "3;00000046;00000000;00000047;00000008;00000049;00000010";
  EXPECT_EQ(lines_find(Span(lines), 0), 0x46u);
  EXPECT_EQ(lines_find(Span(lines), 9), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0x10), 0x49u);
}

TEST(Lines, FindDoesNotNeedAscendingEntries) {
  const std::string lines = "3;00000000;00000046;00000010;00000049;00000008;00000047";
  EXPECT_EQ(lines_find(Span(lines), 9), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0x11), 0x49u);
}

TEST(Lines, FindWithoutAnEntryIsZero) {
  EXPECT_EQ(lines_find(Span("0"), 3), 0u);
  EXPECT_EQ(lines_find(Span("-1"), 3), 0u);
  EXPECT_EQ(lines_find(Span("1;00000008;00000046"), 3), 0u);
}

TEST(Lines, Check) {
  const Case cases[] = {
      {"0", ""},
      {"-1", ""},
      {"1;00000000;00000001", ""},
      {"1;00000001;00000000", ""},
      {"", kBadLines},
      {"x", kBadLines},
      {"+1;00000000;00000001", kBadLines},
      {"1;00000000", kBadEntry},
      {"1;00000000;1", kBadEntry},
      {"1,00000000,00000001", kBadLines},
      {"2;00000000;00000001", kWrongLines},
      {"0;00000000;00000001", kWrongLines},
      {"-1;00000000;00000001", kWrongLines},
  };
  for (const Case &c : cases) {
    size_t entries = 99;
    EXPECT_EQ(Fault(lines_check(Span(c.line), &entries)), c.fault) << c.line;
    if (!c.fault.empty()) continue;
    EXPECT_EQ(entries, c.line[0] == '1' ? 1u : 0u) << c.line;
  }
}

// --- .classtable, .methods, .objects -------------------------------------------------------

TEST(ClassLine, ReadsWhatIsWritten) {
  struct builder b = {};
  builder_string(&b, kAt);
  class_body_write(&b, 0x15DB9742, "LPing,\xed\xa0\xbd\xed\xb8\x80;", "Ping\nPong.java");
  std::string text = Line(&b);
  EXPECT_EQ(text, "480182.0012345670,15DB9742,LPing\\u002C\xf0\x9f\x98\x80;,Ping\\u000APong.java");
  struct class_line line;
  ASSERT_EQ(Fault(class_line_read(Span(text), &line)), "");
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(line.class_id, 0x15DB9742u);
  EXPECT_EQ(Text(line.signature), "LPing\\u002C\xf0\x9f\x98\x80;");
  EXPECT_EQ(Text(line.source), "Ping\\u000APong.java");
}

TEST(ClassLine, Refusals) {
  const std::string at = kAt;
  const Case cases[] = {
      {at + "15DB9742,LPingPong;,PingPong.java", ""},
      {at + "15DB9742,LPingPong;,", ""},
      {"", kBadTime},
      {"1,15DB9742,LPingPong;,PingPong.java", kBadTime},
      {"480182.0012345670", kMissing},
      {at + "15DB974,LPingPong;,PingPong.java", kBadClass},
      {at + "15DB9742", kMissing},
      {at + "15DB9742,LPing\\Pong;,", "the class's signature is not spelled as it must"},
      {at + "15DB9742,LPingPong;", kMissing},
      {at + "15DB9742,LPingPong;,\x7f", "the source file's name is not spelled as it must"},
      {at + "15DB9742,LPingPong;,a,", kMore},
  };
  for (const Case &c : cases) {
    struct class_line line;
    EXPECT_EQ(Fault(class_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

std::string Method(const char *name, const char *signature, const struct line_entry *entries,
                   int num_entries) {
  struct builder b = {};
  builder_string(&b, kAt);
  method_body_write(&b, 0x19831020, name, signature, 0x15DB9742, entries, num_entries);
  return Line(&b);
}

TEST(MethodLine, ReadsWhatIsWritten) {
  const struct line_entry entries[] = {{0, 0x46}, {8, 0x47}, {0x10, 0x49}};
  std::string text = Method("main", "([Ljava/lang/String;)V", entries, 3);
  EXPECT_EQ(text,
            "480182.0012345670,19831020,main,([Ljava/lang/String;)V,15DB9742,"
            "3;00000000;00000046;00000008;00000047;00000010;00000049");
  struct method_line line;
  ASSERT_EQ(Fault(method_line_read(Span(text), &line)), "");
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(line.method_id, 0x19831020u);
  EXPECT_EQ(line.class_id, 0x15DB9742u);
  EXPECT_EQ(Text(line.name), "main");
  EXPECT_EQ(Text(line.signature), "([Ljava/lang/String;)V");
  EXPECT_EQ(lines_find(line.lines, 9), 0x47u);
}

TEST(MethodLine, WithoutALineTable) {
  for (int num_entries : {0, -1}) {
    std::string text = Method("a,b", "()V", nullptr, num_entries);
    struct method_line line;
    ASSERT_EQ(Fault(method_line_read(Span(text), &line)), "") << text;
    EXPECT_EQ(Text(line.name), "a\\u002Cb");
    EXPECT_EQ(Text(line.lines), std::to_string(num_entries));
    EXPECT_EQ(lines_find(line.lines, 9), 0u);
  }
}

TEST(MethodLine, ALongNameStaysWhole) {
  std::string name(60000, 'n');
  std::string text = Method(name.c_str(), "()V", nullptr, -1);
  struct method_line line;
  ASSERT_EQ(Fault(method_line_read(Span(text), &line)), "");
  EXPECT_EQ(Text(line.name), name);
}

TEST(MethodLine, Refusals) {
  const std::string at = kAt;
  const Case cases[] = {
      {at + "19831020,run,()V,15DB9742,-1", ""},
      {"run", kBadTime},
      {at + "1983102,run,()V,15DB9742,-1", "the method id is not eight hexadecimal digits"},
      {at + "19831020", kMissing},
      {at + "19831020,r\tn,()V,15DB9742,-1", "the method's name is not spelled as it must"},
      {at + "19831020,run", kMissing},
      {at + "19831020,run,(\\)V,15DB9742,-1", "the method's signature is not spelled as it must"},
      {at + "19831020,run,()V", kMissing},
      {at + "19831020,run,()V,15db9742,-1", kBadClass},
      {at + "19831020,run,()V,15DB9742", kMissing},
      {at + "19831020,run,()V,15DB9742,", kBadLines},
      {at + "19831020,run,()V,15DB9742,1;00000000", kBadEntry},
      {at + "19831020,run,()V,15DB9742,1", kWrongLines},
      {at + "19831020,run,()V,15DB9742,0,", kMore},
  };
  for (const Case &c : cases) {
    struct method_line line;
    EXPECT_EQ(Fault(method_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

TEST(ObjectLine, ReadsWhatIsWritten) {
  struct builder b = {};
  builder_string(&b, kAt);
  object_body_write(&b, 0x0A1B2C3D, 0x15DB9742);
  std::string text = Line(&b);
  EXPECT_EQ(text, "480182.0012345670,0A1B2C3D,15DB9742");
  struct object_line line;
  ASSERT_EQ(Fault(object_line_read(Span(text), &line)), "");
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(line.hash, 0x0A1B2C3Du);
  EXPECT_EQ(line.class_id, 0x15DB9742u);
}

TEST(ObjectLine, Refusals) {
  const std::string at = kAt;
  const Case cases[] = {
      {".0012345670,0A1B2C3D,15DB9742", kBadTime},
      {at + "A1B2C3D,15DB9742", kBadObject},
      {at + "0A1B2C3D", kMissing},
      {at + "0A1B2C3D,15DB974Z", kBadClass},
      {at + "0A1B2C3D,15DB9742,", kMore},
  };
  for (const Case &c : cases) {
    struct object_line line;
    EXPECT_EQ(Fault(object_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

// --- .samples ---------------------------------------------------------------------------------

std::string Written(const struct sample_line &line) {
  struct builder b = {};
  sample_line_write(&b, &line);
  return Line(&b);
}

// The stack of the line points into `text`.
struct sample_line ReadSample(const std::string &text) {
  struct sample_line line;
  EXPECT_EQ(Fault(sample_line_read(Span(text), &line)), "") << text;
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(Written(line), text);
  return line;
}

TEST(SampleLine, Tick) {
  struct sample_line line = ReadSample("480182.0012345670,Tick,17,81000,12");
  EXPECT_EQ(line.kind, SAMPLE_TICK);
  EXPECT_EQ(line.number, 17);
  EXPECT_EQ(line.pause_ns, 81000);
  EXPECT_EQ(line.threads, 12);
}

TEST(SampleLine, Stack) {
  const std::string text = std::string(kAt) + "Stack,5," + kStack;
  struct sample_line line = ReadSample(text);
  EXPECT_EQ(line.kind, SAMPLE_STACK);
  EXPECT_EQ(line.stack_id, 5u);
  EXPECT_EQ(Text(line.stack), kStack);
}

TEST(SampleLine, ThreadInEveryState) {
  for (int state = 0; state < NUM_STATES; state++) {
    std::string name = thread_state_names[state];
    struct sample_line line = ReadSample(kAt + ("Sample,0A1B2C3D," + name + ",20000000,5"));
    EXPECT_EQ(line.kind, SAMPLE_THREAD);
    EXPECT_EQ(line.thread, 0x0A1B2C3Du);
    EXPECT_EQ(line.state, state);
    EXPECT_EQ(line.cpu_ns, 20000000);
    EXPECT_EQ(line.stack_id, 5u);
  }
}

TEST(SampleLine, CpuTimeMayBeUnknownAndTheStackNone) {
  struct sample_line line = ReadSample("480182.0012345670,Sample,0A1B2C3D,Terminated,-1,0");
  EXPECT_EQ(line.cpu_ns, -1);
  EXPECT_EQ(line.stack_id, 0u);
}

TEST(SampleLine, Refusals) {
  const std::string at = kAt, sample = at + "Sample,";
  const char no_kind[] = "the line is neither Tick, Stack nor Sample";
  const char bad_id[] = "the stack's id is not decimal";
  const char bad_cpu[] = "the CPU time is neither decimal nor -1";
  const Case cases[] = {
      {"", kBadTime},
      {"480182.0012345670", kMissing},
      {at, no_kind},
      {at + "tick,1,2,3", no_kind},
      {at + "Tick", kMissing},
      {at + "Tick,x,2,3", "the tick's number is not decimal"},
      {at + "Tick,-1,2,3", "the tick's number is not decimal"},
      {at + "Tick,1", kMissing},
      {at + "Tick,1,-2,3", "the tick's pause is not decimal"},
      {at + "Tick,1,2", kMissing},
      {at + "Tick,1,2,", "the tick's number of threads is not decimal"},
      {at + "Tick,1,2,3,4", kMore},
      {at + "Stack,-5,0", bad_id},
      {at + "Stack,05,0", bad_id},
      {at + "Stack,5", kMissing},
      {at + "Stack,5,x", kBadDepth},
      {at + "Stack,5,1;00000007", kBadFrame},
      {at + "Stack,5,1", kWrongDepth},
      {at + "Stack,5,0,", kMore},
      {sample + "A1B2C3D,Runnable,0,5", kBadThread},
      {sample + "0A1B2C3D", kMissing},
      {sample + "0A1B2C3D,runnable,0,5", "no state has this name"},
      {sample + "0A1B2C3D,Runnable", kMissing},
      {sample + "0A1B2C3D,Runnable,-2,5", bad_cpu},
      {sample + "0A1B2C3D,Runnable,,5", bad_cpu},
      {sample + "0A1B2C3D,Runnable,0", kMissing},
      {sample + "0A1B2C3D,Runnable,0,-1", bad_id},
      {sample + "0A1B2C3D,Runnable,0,5,", kMore},
  };
  for (const Case &c : cases) {
    struct sample_line line;
    EXPECT_EQ(Fault(sample_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

// --- .info
// ----------------------------------------------------------------------------------------

std::string Info(const char *key, const char *value) {
  struct builder b = {};
  info_line_write(&b, key, value);
  return Line(&b);
}

TEST(InfoLine, ReadsWhatIsWritten) {
  const Case cases[] = {
      // the value from the program, the line
      {"17.0.15", "k=17.0.15"},
      {"", "k="},
      {"a=b=c", "k=a=b=c"},
      {"orca,depth=64,", "k=orca,depth=64,"},
      {"java -cp a\nb C:\\x", "k=java -cp a\\u000Ab C:\\u005Cx"},
      {"\xed\xa0\xbd\xed\xb8\x80,\xff", "k=\xf0\x9f\x98\x80,\\uFFFD"},
  };
  for (const Case &c : cases) {
    std::string text = Info("k", c.line.c_str());
    EXPECT_EQ(text, c.fault);
    struct span key, value;
    EXPECT_EQ(Fault(info_line_read(Span(text), &key, &value)), "") << text;
    EXPECT_EQ(Text(key), "k");
    EXPECT_EQ("k=" + Text(value), text);
  }
}

TEST(InfoLine, Refusals) {
  const Case cases[] = {
      {"", "the line is not key=value"},
      {"pid", "the line is not key=value"},
      {"=17", "the line is not key=value"},
      {"p\x01id=17", "the key is not spelled as it must"},
      {"p,id=17", "the key is not spelled as it must"},
      {"pid=1\t7", "the value is not spelled as it must"},
      {"pid=1,\\", "the value is not spelled as it must"},
      {"pid=\xff", "the value is not spelled as it must"},
  };
  for (const Case &c : cases) {
    struct span key, value;
    EXPECT_EQ(Fault(info_line_read(Span(c.line), &key, &value)), c.fault) << c.line;
  }
}

// --- writers that find no memory
// ----------------------------------------------------------------------

TEST(Writers, AFailedBuilderStaysAsItIs) {
  struct builder b = {};
  b.failed = true;
  struct event_line event = Example(EVENT_MONITOR_CONTENDED_ENTER);
  struct sample_line sample = ReadSample("480182.0012345670,Tick,17,81000,12");
  struct frame frame = {7, 1};
  struct line_entry entry = {0, 1};
  event_line_write(&b, &event);
  sample_line_write(&b, &sample);
  stack_write(&b, &frame, 1);
  class_body_write(&b, 1, "LA;", "A.java");
  method_body_write(&b, 1, "m", "()V", 1, &entry, 1);
  object_body_write(&b, 1, 2);
  info_line_write(&b, "pid", "17,18");
  EXPECT_TRUE(b.failed);
  EXPECT_EQ(b.len, 0u);
  EXPECT_EQ(b.data, nullptr);
}

TEST(EventLine, OfAThreadWithoutAName) {
  struct event_line line = {};
  line.kind = EVENT_THREAD_STARTED;
  line.thread = 1;
  line.name = {nullptr, 0};
  struct builder b = {};
  event_line_write(&b, &line);
  EXPECT_EQ(std::string(b.data, b.len), "0.0000000000,ThreadStarted,00000001,\n");
  builder_free(&b);
}

// The stack is what is left of the line, right or wrong; event_line_check tells which.
TEST(EventLine, InTwoSteps) {
  const std::string head = "1.0000000000,ThreadSleep,00000001,";
  struct event_line line;
  for (const char *stack : {"0", "1;00000001;00000002", "x", "", "0,0", "2;00000001;00000002"}) {
    const std::string text = head + stack;
    ASSERT_EQ(event_line_split({text.data(), text.size()}, &line), nullptr) << stack;
    EXPECT_EQ(std::string(line.stack.data, line.stack.len), stack);
    fault_t fault = event_line_check(&line);
    EXPECT_STREQ(fault, event_line_read({text.data(), text.size()}, &line)) << stack;
    EXPECT_EQ(fault == nullptr, stack == std::string("0") || stack[0] == '1') << stack;
  }
  const std::string bare = "1.0000000000,ThreadSleep,00000001";
  EXPECT_NE(event_line_split({bare.data(), bare.size()}, &line), nullptr);
  const std::string end = "1.0000000000,ThreadEnded,00000001";
  ASSERT_EQ(event_line_split({end.data(), end.size()}, &line), nullptr);
  EXPECT_EQ(event_line_check(&line), nullptr);
}

}  // namespace
