#include "tools/orca/attach/control.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <regex>
#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

/* Sends a command. Returns "RESULT TEXT", or the refusal. */
std::string SendCommand(const FakeJvm &jvm, const char *command, const char *arguments,
                        const struct wait_limits &limits = kLongLimits) {
  OpenTarget target(jvm.Pid(), limits);
  if (!target.good) return target.why.text;
  struct library library = {"/where/liborca.so", false};
  struct control_answer answer = {};
  bool good = control_ask(&target.t, &target.w, &library, command, arguments, &answer, &target.why);
  std::string text(answer.text.data == nullptr ? "" : answer.text.data, answer.text.len);
  control_free(&answer);
  return good ? std::to_string(answer.result) + " " + text : target.why.text;
}

std::string GetReplyPath(const FakeJvm &jvm) {
  std::smatch found;
  std::string request = jvm.Request();
  return std::regex_search(request, found, std::regex("reply=([^,|]*)")) ? found.str(1) : "none";
}

FakeJvmPlan MakePlan(const std::string &answer) {
  FakeJvmPlan plan;
  plan.answer = answer;
  return plan;
}

TEST(Control, SendsACommandAndReadsTheReply) {
  FakeJvmPlan plan;
  plan.reply = "recording\nfor 5 s\n";
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@status", nullptr), "0 recording\nfor 5 s\n");
  std::string path = GetReplyPath(jvm);
  EXPECT_EQ(jvm.Request(), "1|load|/where/liborca.so|true|@status,reply=" + path + "|");
  EXPECT_FALSE(Exists(path));
  EXPECT_FALSE(Exists(jvm.AttachFile()));
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr), "0 recording\nfor 5 s\n");
  EXPECT_EQ(jvm.NumQuits(), 1);
}

TEST(Control, SendsTheArgumentsOfACommand) {
  FakeJvm jvm;
  EXPECT_EQ(SendCommand(jvm, "@start", "/a/b,interval=5ms"), "0 ");
  EXPECT_EQ(jvm.Request(), "1|load|/where/liborca.so|true|@start,reply=" + GetReplyPath(jvm) +
                               ",/a/b,interval=5ms|");
}

// The agent names files as the client sees them.
TEST(Control, SaysHowItSeesTheFilesOfAnotherRoot) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.root = MakeFolder();
  plan.inside = true;
  ASSERT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@start", "x"), "0 ");
  EXPECT_EQ(jvm.Request(), "1|load|/where/liborca.so|true|@start,reply=" + GetReplyPath(jvm) +
                               ",seen=/proc/" + std::to_string(jvm.Pid()) + ",x|");
}

TEST(Control, ReturnsTheRefusalOfTheAgent) {
  FakeJvmPlan plan = MakePlan("0\nreturn code: -1\n");
  plan.reply = "it records already\n";
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@start", "x"), "-1 it records already\n");
}

TEST(Control, WaitsForASlowAnswer) {
  FakeJvmPlan plan;
  plan.byte_ms = 5;
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr), "0 ");
}

TEST(Control, RefusesAnAnswerThatTakesTooLong) {
  FakeJvmPlan plan;
  plan.byte_ms = 200; /* each byte is in time, but the whole answer is not */
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr, kShortAnswer),
            "the JVM accepted the request, but did not answer within 0 s");
}

TEST(Control, RefusesAJvmThatDoesNotAnswer) {
  FakeJvmPlan plan;
  plan.silent = true;
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr, kShortAnswer),
            "the JVM accepted the request, but did not answer within 0 s");
  EXPECT_FALSE(Exists(GetReplyPath(jvm)));
}

TEST(Control, RefusesAnEmptyAnswer) {
  FakeJvm jvm(MakePlan(""));
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr), "the JVM closed the connection without an answer");
}

TEST(Control, RefusesGarbage) {
  FakeJvm jvm(MakePlan("\x7f\x45\x4c\x46\x02\x01\x01"));
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr),
            "the JVM's answer does not follow the attach protocol");
}

TEST(Control, RefusesEndlessGarbage) {
  FakeJvm jvm(MakePlan("0\n" + std::string(1000000, 'x')));
  EXPECT_EQ(SendCommand(jvm, "@stop", nullptr).find("the JVM did not load the agent: xxx"), 0u);
}

TEST(Control, RetriesWhileTheJvmStarts) {
  FakeJvmPlan plan;
  plan.early = {"0\nDynamic agent loading is only permitted in the live phase\n",
                "0\nreturn code: -2\n"};
  plan.reply = "fine";
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@start", "x"), "0 fine");
}

TEST(Control, GivesUpOnAJvmThatNeverStarts) {
  FakeJvm jvm(MakePlan("0\nreturn code: -2\n"));
  EXPECT_EQ(SendCommand(jvm, "@start", "x", kShortStartup), "the JVM is still starting");
}

TEST(Control, RefusesOptionsThatAreTooLong) {
  FakeJvm jvm;
  std::string why = SendCommand(jvm, "@start", std::string(1024, 'x').c_str());
  EXPECT_EQ(why.find("prefix and options have "), 0u) << why;
  EXPECT_NE(why.find(" bytes; a running JVM accepts at most 1024"), std::string::npos) << why;
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(Control, SendsToAJvmOfAnotherUser) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  plan.reply = "mine";
  FakeJvm jvm(plan);
  EXPECT_EQ(SendCommand(jvm, "@status", nullptr), "0 mine");
  EXPECT_EQ(geteuid(), 0u);
}

// --- the file for the reply ---

std::string ReadReply(const struct reply &reply) {
  struct builder b = {};
  reply_read(&reply, &b);
  std::string text(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(Reply, IsAPrivateFile) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  struct reply reply;
  ASSERT_TRUE(reply_open(&reply, &target.t, &target.why)) << target.why.text;
  struct stat st;
  ASSERT_EQ(stat(reply.path, &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0600u);
  EXPECT_EQ(std::string(reply.path).find(','), std::string::npos);
  EXPECT_EQ(ReadReply(reply), "");
  WriteFile(reply.path, "one\ntwo\n");
  EXPECT_EQ(ReadReply(reply), "one\ntwo\n");
  WriteFile(reply.path, std::string(100000, 'x'));
  EXPECT_EQ(ReadReply(reply).size(), 65536u);
  reply_close(&reply, &target.t);
  EXPECT_FALSE(Exists(reply.path));
}

TEST(Reply, HasAUniquePath) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  struct reply one, two;
  ASSERT_TRUE(reply_open(&one, &target.t, &target.why));
  ASSERT_TRUE(reply_open(&two, &target.t, &target.why));
  EXPECT_STRNE(one.path, two.path);
  reply_close(&one, &target.t);
  EXPECT_TRUE(Exists(two.path));
  reply_close(&two, &target.t);
}

TEST(Reply, BelongsToTheUserOfTheProcess) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  struct user before;
  struct reply reply;
  ASSERT_TRUE(user_become(target.t.user, &before));
  EXPECT_TRUE(reply_open(&reply, &target.t, &target.why)) << target.why.text;
  struct stat st;
  EXPECT_EQ(stat(reply.path, &st), 0);
  EXPECT_EQ(st.st_uid, 65534u);
  reply_close(&reply, &target.t);
  user_return(before);
}

TEST(Reply, IsRefusedWithoutAFolder) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.root = MakeFolder();
  std::string tmp = plan.root + "/tmp";
  ASSERT_EQ(mkdir(tmp.c_str(), 0777), 0);
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  ASSERT_EQ(rmdir(tmp.c_str()), 0);
  struct reply reply;
  EXPECT_FALSE(reply_open(&reply, &target.t, &target.why));
  EXPECT_EQ(target.why.text, "cannot create " + std::string(reply.path) + " of process " +
                                 std::to_string(jvm.Pid()) + ": No such file or directory");
}

}  // namespace
