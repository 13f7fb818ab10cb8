// The lines of .orca.
#include "agent/event/info.h"
#include "tests/agent/event/line_case.h"

namespace {

std::string WriteLine(const struct event_line &line) {
  struct builder b = {};
  event_line_write(&b, &line);
  return TakeLine(&b);
}

struct event_line MakeExample(int kind) {
  enum event_shape shape = event_infos[kind].shape;
  struct event_line line = {};
  line.time = kTime;
  line.kind = static_cast<enum event_kind>(kind);
  line.thread = 0x0A1B2C3D;
  if (shape_has_object(shape)) line.object = 0x15DB9742;
  if (shape_has_owner(shape)) line.owner = 0x7FFFFFFF;
  if (shape_has_executor(shape)) line.executor = 0x1B;
  if (shape_has_size(shape)) line.size = {4, INT32_MAX, -1};
  if (shape_has_parties(shape)) line.parties = {1, -1};
  if (shape_has_stack(shape)) line.stack = {kStack, strlen(kStack)};
  if (shape_has_name(shape)) line.name = {kName, strlen(kName)};
  if (shape_has_outcome(shape)) line.class_id = 0x2E, line.cpu_ns = 1500;
  return line;
}

TEST(EventLine, ReadsBackEveryKind) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    struct event_line line = MakeExample(kind), back;
    std::string text = WriteLine(line);
    ASSERT_EQ(FaultText(event_line_read(Span(text), &back)), "") << text;
    EXPECT_EQ(back.time, line.time);
    EXPECT_EQ(back.kind, line.kind);
    EXPECT_EQ(back.thread, line.thread);
    EXPECT_EQ(back.object, line.object);
    EXPECT_EQ(back.owner, line.owner);
    EXPECT_EQ(back.executor, line.executor);
    EXPECT_EQ(back.size.core, line.size.core);
    EXPECT_EQ(back.size.maximum, line.size.maximum);
    EXPECT_EQ(back.size.capacity, line.size.capacity);
    EXPECT_EQ(back.parties.missing, line.parties.missing);
    EXPECT_EQ(back.parties.of, line.parties.of);
    EXPECT_EQ(back.class_id, line.class_id);
    EXPECT_EQ(back.cpu_ns, line.cpu_ns);
    EXPECT_EQ(Text(back.stack), Text(line.stack));
    EXPECT_EQ(Text(back.name), Text(line.name));
    EXPECT_EQ(WriteLine(back), text);
  }
}

TEST(EventLine, WritesTheDocumentedFormat) {
  EXPECT_EQ(WriteLine(MakeExample(EVENT_OBJECT_WAIT)),
            "480182.0012345670,ObjectWait,0A1B2C3D,15DB9742,2;00000007;FFFFFFFF;00000012;0000001C");
  EXPECT_EQ(WriteLine(MakeExample(EVENT_THREAD_SLEPT)),
            "480182.0012345670,ThreadSlept,0A1B2C3D,2;00000007;FFFFFFFF;00000012;0000001C");
  EXPECT_EQ(WriteLine(MakeExample(EVENT_MONITOR_CONTENDED_ENTER)),
            "480182.0012345670,MonitorContendedEnter,0A1B2C3D,15DB9742,7FFFFFFF,"
            "2;00000007;FFFFFFFF;00000012;0000001C");
  EXPECT_EQ(WriteLine(MakeExample(EVENT_THREAD_STARTED)),
            "480182.0012345670,ThreadStarted,0A1B2C3D,pool-1 \\u002C");
  EXPECT_EQ(WriteLine(MakeExample(EVENT_THREAD_ENDED)), "480182.0012345670,ThreadEnded,0A1B2C3D");
  EXPECT_EQ(WriteLine(MakeExample(EVENT_METHOD_EXIT)),
            "480182.0012345670,MethodExit,0A1B2C3D,0000002E,1500,"
            "2;00000007;FFFFFFFF;00000012;0000001C");
}

TEST(EventLine, AnEarlierAgentWroteNoExecutor) {
  struct event_line line = MakeExample(EVENT_TASK_QUEUED), back;
  EXPECT_EQ(WriteLine(line),
            "480182.0012345670,TaskQueued,0A1B2C3D,15DB9742,0000001B,"
            "2;00000007;FFFFFFFF;00000012;0000001C");
  for (std::string stack : {"0", "2;00000007;FFFFFFFF;00000012;0000001C"}) {
    std::string text = "480182.0012345670,TaskQueued,0A1B2C3D,15DB9742," + stack;
    ASSERT_EQ(FaultText(event_line_read(Span(text), &back)), "") << text;
    EXPECT_EQ(back.object, line.object);
    EXPECT_EQ(back.executor, 0u);
    EXPECT_EQ(Text(back.stack), stack);
  }
  EXPECT_EQ(ReadEventFault("480182.0012345670,TaskQueued,0A1B2C3D,15DB9742,0000001b,0"),
            "the executor is not eight hexadecimal digits");
}

TEST(EventLine, NamesWhereAnExceptionWasThrown) {
  struct event_line line = MakeExample(EVENT_TASK_FAILED);
  line.name = Span("com.acme.Cart.add (Cart.java:7)");
  EXPECT_EQ(WriteLine(line),
            "480182.0012345670,TaskFailed,0A1B2C3D,15DB9742,com.acme.Cart.add (Cart.java:7)");
}

TEST(EventLine, HasTheClassBeforeTheOwner) {
  struct event_line line = MakeExample(EVENT_CLASS_INIT_WAIT);
  line.class_id = 0x2E;
  line.owner = 0xB;
  EXPECT_EQ(WriteLine(line),
            "480182.0012345670,ClassInitWait,0A1B2C3D,0000002E,0000000B,"
            "2;00000007;FFFFFFFF;00000012;0000001C");
}

TEST(EventLine, RefusesMissingAndExtraFields) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    std::string text = WriteLine(MakeExample(kind));
    EXPECT_EQ(ReadEventFault(text + ","), kMore) << text;
    EXPECT_EQ(ReadEventFault(text + ",x"), kMore) << text;
    for (size_t comma; (comma = text.rfind(',')) != std::string::npos;) {
      text.resize(comma);
      EXPECT_EQ(ReadEventFault(text), kMissing) << text;
    }
  }
}

TEST(EventLine, RefusesInvalidFields) {
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
      {at + "ThreadStarted,0A1B2C3D,a\\b", "the name is not correctly escaped UTF-8"},
      {at + "ThreadStarted,0A1B2C3D,a\tb", "the name is not correctly escaped UTF-8"},
      {at + "ThreadStarted,0A1B2C3D,\xff", "the name is not correctly escaped UTF-8"},
      {at + "ThreadStarted,0A1B2C3D,", ""},
      {at + "ThreadSleep,0A1B2C3D,0", ""},
  };
  for (const Case &c : cases) EXPECT_EQ(ReadEventFault(c.line), c.fault) << c.line;
}

TEST(EventLine, RefusesBinaryData) {
  std::string line = kAt;
  line += std::string("ThreadEnded\0,0A1B2C3D", 21);
  EXPECT_EQ(ReadEventFault(line), "no event has this name");
  EXPECT_EQ(ReadEventFault(std::string(1000, '\0')), kBadTime);
}

TEST(EventLine, WritesAnEmptyThreadName) {
  struct event_line line = {};
  line.kind = EVENT_THREAD_STARTED;
  line.thread = 1;
  line.name = {nullptr, 0};
  struct builder b = {};
  event_line_write(&b, &line);
  EXPECT_EQ(std::string(b.data, b.len), "0.0000000000,ThreadStarted,00000001,\n");
  builder_free(&b);
}

// event_line_split takes the rest of the line as the stack; event_line_check finds its faults.
TEST(EventLine, SplitAndCheckEqualRead) {
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

TEST(Writers, ChangeNoFailedBuilder) {
  struct builder b = {};
  b.failed = true;
  struct event_line event = MakeExample(EVENT_MONITOR_CONTENDED_ENTER);
  struct sample_line sample = {};
  struct frame frame = {7, 1};
  struct line_entry entry = {0, 1};
  event_line_write(&b, &event);
  sample_line_write(&b, &sample);
  stack_write(&b, &frame, 1);
  class_body_write(&b, 1, "LA;", "A.java");
  method_body_write(&b, 1, "m", "()V", 1, &entry, 1);
  object_body_write(&b, 1, 2);
  info_line_write(&b, INFO_PID, "17,18");
  EXPECT_TRUE(b.failed);
  EXPECT_EQ(b.len, 0u);
  EXPECT_EQ(b.data, nullptr);
}

}  // namespace
