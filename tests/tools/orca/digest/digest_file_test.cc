#include "tools/orca/digest/digest.h"

#include <fstream>

#include "tests/tools/orca/digest/digested.h"

namespace {

// Reads the lines of a digest between its first and its last line.
struct Parsed {
  explicit Parsed(const std::string &lines) {
    std::string text = std::string(DIGEST_FIRST_LINE) + "\n" + lines;
    size_t num = 1;
    for (char c : lines) num += c == '\n';
    Parse(text + "end," + std::to_string(num) + "\n");
  }
  Parsed(const std::string &text, bool) { Parse(text); }
  ~Parsed() { digest_file_free(&file); }
  Parsed(const Parsed &) = delete;

  void Parse(const std::string &text) {
    struct builder reason = {};
    is_good = digest_parse({text.data(), text.size()}, &file, &reason);
    why.assign(reason.data == nullptr ? "" : reason.data, reason.len);
    builder_free(&reason);
  }

  struct digest_file file = {};
  bool is_good = false;
  std::string why;
};

std::string Refusal(const std::string &line) {
  Parsed p(line + "\n");
  return p.is_good ? "accepted" : p.why;
}

std::string RefusalOfText(const std::string &text) {
  Parsed p(text, true);
  return p.is_good ? "accepted" : p.why;
}

const std::string kFirst = "orca.digest,1\n";

TEST(DigestFile, ReadsEachLine) {
  Parsed p(
      "info,pid=7\n"
      "class,1.0000000000,000000C1,Lcom/acme/Cart;,Cart.java\n"
      "method,1.0000000000,00000007,add,()V,000000C1,0\n"
      "value,threads,12\n"
      "task,Jit,5,6\n"
      "sum,method,,00000007,00000007,42,1000,0\n"
      "sum,lock,monitor,000000C1,00000007,43,2000,3\n"
      "sum,wait,ThreadSleep,00000000,00000007,44,3000,4\n"
      "cut,lock,9,8,7,6,5\n"
      "scale,1500\n"
      "unproven,io,I/O needs samples\n"
      "figure,lock,4,5,43,com/acme/Cart.java,Cart at Cart.add,first,second\\u002C third\n"
      "lock.sorts,Cart at Cart.add,monitor,write\n"
      "more.waits,monitor,7,9000000\n"
      "more.waits,read,8,1\n");
  ASSERT_TRUE(p.is_good) << p.why;
  const struct digest_file &f = p.file;
  EXPECT_EQ(std::string(f.tables[DUMP_INFO].data, f.tables[DUMP_INFO].len), "pid=7\n");
  EXPECT_EQ(std::string(f.tables[DUMP_METHODS].data, f.tables[DUMP_METHODS].len),
            "1.0000000000,00000007,add,()V,000000C1,0\n");
  EXPECT_EQ(f.values.recording.num_threads, 12u);
  EXPECT_TRUE(f.tasks[TASK_KIND_JIT].is_known);
  EXPECT_EQ(f.tasks[TASK_KIND_JIT].wait_ns, 6u);
  ASSERT_EQ(f.sums.num, 3u);
  EXPECT_EQ(f.sums.rows[0].part, COMPARE_METHODS);
  EXPECT_EQ(f.sums.rows[1].kind, static_cast<unsigned>(LOCK_MONITOR));
  EXPECT_EQ(f.sums.rows[1].place, place(7, 43));
  EXPECT_EQ(f.sums.rows[2].kind, static_cast<unsigned>(EVENT_THREAD_SLEEP));
  EXPECT_EQ(f.sums.rows[2].count, 4u);
  EXPECT_EQ(f.sums.cut[COMPARE_LOCKS].most_count, 5u);
  EXPECT_EQ(f.figures.scale, 1500u);
  EXPECT_STREQ(f.figures.unproven[BUDGET_IO], "I/O needs samples");
  EXPECT_EQ(f.figures.more[LOCK_MONITOR].number, 7u);
  EXPECT_EQ(f.figures.more[LOCK_MONITOR].longest_ns, 9000000u);
  EXPECT_EQ(f.figures.more[LOCK_READ_SIDE].number, 8u);
  ASSERT_EQ(f.figures.num, 1u);
  EXPECT_EQ(f.figures.rows[0].sorts, 1u << LOCK_MONITOR | 1u << LOCK_WRITE_SIDE);
  EXPECT_STREQ(f.figures.rows[0].key, "Cart at Cart.add");
  EXPECT_STREQ(f.figures.rows[0].text, "first\nsecond, third");
  EXPECT_STREQ(f.figures.rows[0].path, "com/acme/Cart.java");
}

TEST(DigestFile, RefusesAnotherFileOrVersion) {
  const std::string why =
      "line 1: a digest of this version of Orca begins with orca.digest,1; make it again with orca "
      "digest";
  EXPECT_EQ(RefusalOfText(""), why);
  EXPECT_EQ(RefusalOfText("orca.digest,2\nend,1\n"), why);
  EXPECT_EQ(RefusalOfText("orca.digest,1x\n"), why);
}

TEST(DigestFile, RefusesACutFile) {
  EXPECT_EQ(RefusalOfText(kFirst), "line 2: the line end is missing: the file is cut");
  EXPECT_EQ(RefusalOfText(kFirst + "value,threads,1\n"),
            "line 3: the line end is missing: the file is cut");
  EXPECT_EQ(RefusalOfText(kFirst + "value,threads,1"),
            "line 2: the line has no end: the file is cut");
  EXPECT_EQ(RefusalOfText(kFirst + "value,threads,1\nend,1\n"),
            "line 3: lines are missing before the end");
  EXPECT_EQ(RefusalOfText(kFirst + "end,1\nvalue,threads,1\n"),
            "line 3: the digest goes on after its end");
  EXPECT_EQ(RefusalOfText(kFirst + "end,1\n"), "accepted");
}

TEST(DigestFile, RefusesAFileThatIsTooLarge) {
  EXPECT_EQ(RefusalOfText(std::string(DIGEST_MOST_BYTES + 1, '\n')), "a digest has at most 16 MiB");
}

TEST(DigestFile, RefusesUnknownWords) {
  EXPECT_EQ(Refusal("frob,1"),
            "line 2: a line of a digest is expected, such as value,threads,7, not \"frob\"");
  EXPECT_EQ(Refusal("value,frob,1"), "line 2: a value is expected, such as threads, not \"frob\"");
  EXPECT_EQ(Refusal("task,Frob,1,1"), "line 2: a kind of task is expected, not \"Frob\"");
  EXPECT_EQ(Refusal("sum,frob,,00000001,00000001,1,1,1"),
            "line 2: method, lock or wait is expected, not \"frob\"");
  EXPECT_EQ(Refusal("sum,lock,frob,00000001,00000001,1,1,1"),
            "line 2: a kind of lock is expected, not \"frob\"");
  EXPECT_EQ(Refusal("sum,method,lock,00000001,00000001,1,1,1"),
            "line 2: a method has no kind, not \"lock\"");
  for (const char *event : {"frob", "ThreadSlept", "ObjectNotify", "MonitorContendedEnter"}) {
    EXPECT_EQ(Refusal(std::string("sum,wait,") + event + ",00000001,00000001,1,1,1"),
              std::string("line 2: the event at which a call begins to wait is expected, not \"") +
                  event + "\"");
  }
  for (const char *line : {"more.waits,frob,1,1", "figure,lock,1,1,1,,k,t\nlock.sorts,k,frob"}) {
    std::string why = Refusal(line);
    EXPECT_EQ(why.substr(why.find(':')), ": a kind of lock is expected, not \"frob\"");
  }
  EXPECT_EQ(Refusal("unproven,frob,x"),
            "line 2: a kind of budget is expected, such as lock, not \"frob\"");
  EXPECT_EQ(Refusal(std::string(100, 'x')),
            "line 2: a line of a digest is expected, such as value,threads,7");
  EXPECT_EQ(Refusal("\x1B[2J"),
            "line 2: a line of a digest is expected, such as value,threads,7, not "
            "\"\\u001B[2J\"");
}

TEST(DigestFile, RefusesWrongFields) {
  const std::string number = "line 2: a number from 0 to 1000000000000000000 is expected, not ";
  EXPECT_EQ(Refusal("value,threads,-1"), number + "\"-1\"");
  EXPECT_EQ(Refusal("value,threads,1000000000000000001"), number + "\"1000000000000000001\"");
  EXPECT_EQ(Refusal("value,threads,"), number + "\"\"");
  EXPECT_EQ(Refusal("value,cpu.known,2"), "line 2: a number from 0 to 1 is expected, not \"2\"");
  EXPECT_EQ(Refusal("value,threads"), "line 2: a field is missing");
  EXPECT_EQ(Refusal("value,start.ticks,8\nvalue,end.ticks,8"), "accepted");
  EXPECT_EQ(Refusal("value,start.ticks,9\nvalue,end.ticks,8"),
            "line 4: start.ticks is larger than end.ticks");
  EXPECT_EQ(Refusal("value,threads,1,2"), "line 2: the line has too many fields");
  EXPECT_EQ(Refusal("sum,lock,monitor,xyz,00000001,1,1,1"),
            "line 2: eight hexadecimal digits are expected, not \"xyz\"");
  EXPECT_EQ(Refusal("sum,lock,monitor,00000001,00000001,4294967296,1,1"),
            "line 2: a number from 0 to 4294967295 is expected, not \"4294967296\"");
  EXPECT_EQ(Refusal("sum,lock,monitor,00000001,00000001,1,1,1,1"),
            "line 2: the line has too many fields");
  EXPECT_EQ(Refusal("scale,999"), "line 2: a scale is at least 1000");
  EXPECT_EQ(Refusal("unproven,io,\\x"), "line 2: a text is not correctly escaped UTF-8");
  EXPECT_EQ(Refusal("figure,lock,1,1,1,,\xFF,t"), "line 2: a text is not correctly escaped UTF-8");
  EXPECT_EQ(Refusal("figure,lock,1,1,1,,k"), "line 2: a field is missing");
  EXPECT_EQ(Refusal("more.waits,read,1"), "line 2: a field is missing");
  EXPECT_EQ(Refusal("more.waits,read,1,1,1"), "line 2: the line has too many fields");
  EXPECT_EQ(Refusal("lock.sorts,k,read"), "line 2: no line before has the figure of this lock");
  EXPECT_EQ(Refusal("figure,lock,1,1,1,,k,t\nlock.sorts,k"), "line 3: a field is missing");
  EXPECT_EQ(Refusal("info,frob=1"),
            "line 2: a key of .info and its value are expected, such as info,pid=7");
  EXPECT_EQ(Refusal("info"),
            "line 2: a key of .info and its value are expected, such as info,pid=7");
  EXPECT_EQ(Refusal("class,1.0000000000,C1,Lx;,"),
            "line 2: the class id is not eight hexadecimal digits");
  EXPECT_EQ(Refusal("method,1.0000000000,00000007,add,()V,000000C1,1"),
            "line 2: the line table's length is not the number of its entries");
}

TEST(DigestFile, RefusesLinesThatAreThereTwice) {
  EXPECT_EQ(Refusal("unproven,io,a\nunproven,io,b"), "line 3: another line has this kind too");
  EXPECT_EQ(Refusal("figure,lock,1,1,1,,k,t\nfigure,lock,1,1,1,,k,t"),
            "line 3: another line has this figure too");
  EXPECT_EQ(Refusal("more.waits,read,1,1\nmore.waits,write,1,1"), "accepted");
  EXPECT_EQ(Refusal("more.waits,read,0,1\nmore.waits,read,1,1"),
            "line 3: another line has this kind too");
  EXPECT_EQ(Refusal("figure,lock,1,1,1,,k,t\nlock.sorts,k,read\nlock.sorts,k,write"),
            "line 4: another line has this lock too");
}

TEST(DigestFile, RefusesMoreThanADigestHas) {
  std::string rows, figures, text = "figure,lock,1,1,1,,k";
  for (int i = 0; i < 300; i++) rows += "sum,lock,monitor,00000001,00000001,1,1,1\n";
  EXPECT_EQ(Refusal(rows + "sum,wait,ThreadSleep,00000000,00000001,1,1,1"), "accepted");
  EXPECT_EQ(Refusal(rows + "sum,lock,monitor,00000001,00000001,1,1,1"),
            "line 302: a digest has at most 300 rows of this kind");
  for (int i = 0; i < 200; i++) figures += "figure,lock,1,1,1,," + std::to_string(i) + ",t\n";
  EXPECT_EQ(Refusal(figures + "figure,io,1,1,1,,k,t"), "accepted");
  EXPECT_EQ(Refusal(figures + "figure,lock,1,1,1,,k,t"),
            "line 202: a digest has at most 200 figures of a kind");
  for (int i = 0; i < 300; i++) text += ",x";
  EXPECT_EQ(Refusal(text), "accepted");
  EXPECT_EQ(Refusal(text + ",x"), "line 2: the text of a figure has more than 300 lines");
}

TEST(DigestFile, IsKnownByItsFirstBytes) {
  DumpFiles files;
  std::string name = files.Folder() + "/x";
  std::ofstream(name) << "orca.digest,7\n";
  EXPECT_TRUE(digest_is_file(name.c_str()));
  std::ofstream(name) << "orca.diges";
  EXPECT_FALSE(digest_is_file(name.c_str()));
  EXPECT_FALSE(digest_is_file(files.Folder().c_str()));
  EXPECT_FALSE(digest_is_file("/none"));
  unlink(name.c_str());
}

}  // namespace
