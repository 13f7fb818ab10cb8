#include "agent/tracked/orca_classes.h"
#include "tests/support/check_dump.h"

namespace {

TEST(Check, AcceptsAGoodDump) {
  DumpFiles files;
  WriteGoodDump(&files);
  Found found = Check(files);
  EXPECT_EQ(Joined(found.lines), "");
  EXPECT_EQ(found.totals.lines[DUMP_EVENTS], 21u);
  EXPECT_EQ(found.totals.samples, 5u);
  EXPECT_FALSE(found.totals.is_lossy);
}

TEST(Check, ReportsEachBrokenRule) {
  ExpectRefusals(
      RULE_TIME_ORDER, RULE_OBJECT_CLASS,
      {
          {RULE_TIME_ORDER,
           "out.methods:10: the timestamp is earlier than that of the line before\n",
           Line(DUMP_METHODS, "100.0000000001,0000000A,x,()V,000000C1,-1")},
          {RULE_TIME_ORDER,
           "out.classtable:6: the timestamp is earlier than that of the line before\n",
           Line(DUMP_CLASSES, "99.0000000001,000000C5,LX;,X.java")},
          {RULE_TIME_ORDER,
           "out.objects:6: the timestamp is earlier than that of the line before\n",
           Line(DUMP_OBJECTS, "99.0000000001,000000FF,000000C1")},
          {RULE_TIME_ORDER,
           "out.samples:11: the timestamp is earlier than that of the line before\n",
           Line(DUMP_SAMPLES, "199.0000000001,Tick,9,0,0")},
          {RULE_TIME_STRICT,
           "out.orca:6: the timestamp is not later than that of the line before\n",
           Replaced(DUMP_EVENTS, "200.0000000006", "200.0000000005")},
          {RULE_TIME_STRICT,
           "out.orca:6: the timestamp is not later than that of the line before\n",
           Replaced(DUMP_EVENTS, "200.0000000006", "200.0000000004")},

          {RULE_CLASS_ZERO, "out.classtable:6: a class has the id 00000000\n",
           Line(DUMP_CLASSES, "100.0000000009,00000000,LX;,X.java")},
          {RULE_CLASS_OWN, "out.classtable:6: a class of the Orca agent is listed\n",
           Line(DUMP_CLASSES, "100.0000000009,000000C9,Ljava/lang/OrcaHook;,OrcaHook.java")},
          {RULE_CLASS_AGAIN,
           "out.classtable:6: the class id 000000C1 is already used by another class\n",
           Line(DUMP_CLASSES, "100.0000000009,000000C1,LX;,X.java")},
          {RULE_METHOD_AGAIN, "out.methods:10: the method 00000001 is defined a second time\n",
           Line(DUMP_METHODS, "100.0000000009,00000001,wait,(J)V,000000C1,-1")},
          {RULE_METHOD_CLASS,
           "out.methods:10: the class 000000FF of the method has no line in .classtable\n",
           Line(DUMP_METHODS, "100.0000000009,0000000A,x,(J)V,000000FF,-1")},
          {RULE_OBJECT_ZERO, "out.objects:6: an object has the hash 00000000\n",
           Line(DUMP_OBJECTS, "100.0000000009,00000000,000000C1")},
          {RULE_OBJECT_CLASS,
           "out.objects:6: the class 000000FF of the object has no line in .classtable\n",
           Line(DUMP_OBJECTS, "100.0000000009,0000000E,000000FF")},
      });
}

// Syntax faults of single lines, with the message of the line reader.
TEST(Check, ReportsMalformedLines) {
  const struct {
    enum dump_file file;
    const char *line, *message;
  } cases[] = {
      {DUMP_CLASSES, "101.1,000000C5,LX;,", "the timestamp is not seconds with ten decimals"},
      {DUMP_CLASSES, "101.0000000000,C5,LX;,", "the class id is not eight hexadecimal digits"},
      {DUMP_CLASSES, "101.0000000000,000000C5,LX;", "a field is missing"},
      {DUMP_METHODS, "101.0000000000,000000aa,x,()V,000000C1,0",
       "the method id is not eight hexadecimal digits"},
      {DUMP_METHODS, "101.0000000000,000000AA,x,()V,000000C1,2;00000000;00000001",
       "the line table's length is not the number of its entries"},
      {DUMP_OBJECTS, "101.0000000000,0000000F,000000C1,1",
       "there are more fields than the line has"},
      {DUMP_EVENTS, "201.0000000000,ObjectWeight,0000000A,0000000C,0", "no event has this name"},
      {DUMP_EVENTS, "201.0000000000,ObjectNotify,0000000A,0000000C,2;00000002;00000000",
       "the stack's depth is not the number of its frames"},
      {DUMP_EVENTS, "201.0000000000,ObjectNotify,0000000A,0000000C,",
       "the stack does not begin with its depth"},
      {DUMP_EVENTS, "201.0000000000,ObjectNotify,0000000A,0000000C,1;0002;0000",
       "a frame of the stack is not ;METHODID;LOCATION"},
      {DUMP_EVENTS, "201.0000000000,ThreadStarted,0000000C,a\\b",
       "the name is not correctly escaped UTF-8"},
      {DUMP_SAMPLES, "201.0000000000,Tock,9,0,0",
       "the line is none of Tick, Stack, Sample, Cpu, Process, Task, Sched and Pause"},
      {DUMP_SAMPLES, "201.0000000000,Sample,0000000A,Dozing,0,1", "no state has this name"},
      {DUMP_SAMPLES, "201.0000000000,Sample,0000000A,Parked,-2,1",
       "the CPU time is neither decimal nor -1"},
      {DUMP_COUNTS, "201.0000000000,SemaphoreAcquired,0000000D", "a field is missing"},
      {DUMP_INFO, "no equals sign", "the line is not key=value"},
  };
  for (const auto &c : cases) {
    DumpFiles files;
    WriteGoodDump(&files);
    files.Append(c.file, std::string(c.line) + "\n");
    if (c.file == DUMP_EVENTS) files.Replace(DUMP_INFO, "written=21", "written=22");
    Found found = Check(files);
    EXPECT_EQ(found.lines.size(), 1u) << Joined(found.lines);
    EXPECT_NE(Joined(found.lines).find(c.message), std::string::npos) << Joined(found.lines);
  }
}

TEST(Check, KnowsEachClassOfTheAgent) {
  for (const std::string name : orca_classes) {
    DumpFiles files;
    WriteGoodDump(&files);
    files.Append(DUMP_CLASSES, "100.0000000009,000000C9,L" + name + ";,X.java\n");
    files.Append(DUMP_CLASSES, "100.0000000009,000000CA,L" + name + "s;,X.java\n");
    EXPECT_EQ(Joined(Check(files).lines), "out.classtable:6: a class of the Orca agent is listed\n")
        << name;
  }
}

TEST(Check, CountsHowOftenARuleIsBroken) {
  DumpFiles files;
  WriteGoodDump(&files);
  for (int i = 1; i <= 3; i++) {
    files.Append(DUMP_EVENTS, "200.000000010" + std::to_string(i) + ",ThreadStarted,000000F" +
                                  std::to_string(i) + ",x\n");
  }
  files.Replace(DUMP_INFO, "events.written=21", "events.written=24");
  EXPECT_EQ(Joined(Check(files).lines),
            "out.orca:22: the thread 000000F1 has no line in .objects (3 times)\n");
}

TEST(Check, ReportsEachMissingFile) {
  for (int file = DUMP_METHODS; file < NUM_DUMP_FILES; file++) {
    DumpFiles files;
    WriteGoodDump(&files);
    files.Remove(static_cast<enum dump_file>(file));
    std::string message = Joined(Check(files).lines);
    std::string expected = std::string("out") + dump_suffixes[file] + ": does not exist\n";
    if (dump_optional[file]) {
      EXPECT_EQ(message, "");
    } else {
      EXPECT_NE(message.find(expected), std::string::npos) << message;
    }
  }
}

TEST(Check, AcceptsADumpOfAKilledJvm) {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string info = files.Text(DUMP_INFO);
  files.Write(DUMP_INFO, info.substr(0, info.find("end.monotonic")));
  files.Append(DUMP_EVENTS, "200.0000000030,ObjectNot");
  files.Append(DUMP_SAMPLES, "200.00");
  Found found = Check(files);
  EXPECT_EQ(Joined(found.lines), "");
  EXPECT_TRUE(found.totals.is_cut[DUMP_EVENTS]);
  EXPECT_TRUE(found.totals.is_cut[DUMP_SAMPLES]);
  EXPECT_FALSE(found.totals.is_cut[DUMP_METHODS]);
}

}  // namespace
