#include "tools/orca/attach/control.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <regex>
#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

/* What asking came to: "RESULT TEXT", or the refusal. */
std::string Ask(const FakeJvm &jvm, const char *word, const char *about,
                const struct patience &patience = kPatient) {
  OpenTarget target(jvm.Pid(), patience);
  if (!target.good) return target.why.text;
  struct library library = {"/where/liborca.so", false};
  struct control_answer answer = {};
  bool good = control_ask(&target.t, &target.w, &library, word, about, &answer, &target.why);
  std::string text(answer.text.data == nullptr ? "" : answer.text.data, answer.text.len);
  control_free(&answer);
  return good ? std::to_string(answer.result) + " " + text : target.why.text;
}

std::string ReplyPath(const FakeJvm &jvm) {
  std::smatch found;
  std::string request = jvm.Request();
  return std::regex_search(request, found, std::regex("reply=([^,|]*)")) ? found.str(1) : "none";
}

FakeJvmPlan Answering(const std::string &answer) {
  FakeJvmPlan plan;
  plan.answer = answer;
  return plan;
}

TEST(Control, AWordAndItsReply) {
  FakeJvmPlan plan;
  plan.reply = "recording\nfor 5 s\n";
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@status", nullptr), "0 recording\nfor 5 s\n");
  std::string path = ReplyPath(jvm);
  EXPECT_EQ(jvm.Request(), "1|load|/where/liborca.so|true|@status,reply=" + path + "|");
  EXPECT_FALSE(Exists(path));
  EXPECT_FALSE(Exists(jvm.Trigger()));
  EXPECT_EQ(Ask(jvm, "@stop", nullptr), "0 recording\nfor 5 s\n");
  EXPECT_EQ(jvm.NumQuits(), 1);
}

TEST(Control, WhatTheWordIsAbout) {
  FakeJvm jvm;
  EXPECT_EQ(Ask(jvm, "@start", "/a/b,interval=5ms"), "0 ");
  EXPECT_EQ(jvm.Request(),
            "1|load|/where/liborca.so|true|@start,reply=" + ReplyPath(jvm) + ",/a/b,interval=5ms|");
}

TEST(Control, TheAgentRefuses) {
  FakeJvmPlan plan = Answering("0\nreturn code: -1\n");
  plan.reply = "it records already\n";
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@start", "x"), "-1 it records already\n");
}

TEST(Control, ASlowAnswer) {
  FakeJvmPlan plan;
  plan.byte_ms = 5;
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@stop", nullptr), "0 ");
}

TEST(Control, AnAnswerThatTakesTooLong) {
  FakeJvmPlan plan;
  plan.byte_ms = 200; /* more than the time for all, though each byte comes soon */
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@stop", nullptr, kSoonAnswered),
            "the JVM took the request, but has not answered it in 0 s");
}

TEST(Control, NoAnswer) {
  FakeJvmPlan plan;
  plan.silent = true;
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@stop", nullptr, kSoonAnswered),
            "the JVM took the request, but has not answered it in 0 s");
  EXPECT_FALSE(Exists(ReplyPath(jvm)));
}

TEST(Control, AnEarlyEnd) {
  FakeJvm jvm(Answering(""));
  EXPECT_EQ(Ask(jvm, "@stop", nullptr), "the JVM closed the connection without an answer");
}

TEST(Control, Garbage) {
  FakeJvm jvm(Answering("\x7f\x45\x4c\x46\x02\x01\x01"));
  EXPECT_EQ(Ask(jvm, "@stop", nullptr), "the JVM's answer is none of the attach protocol");
}

TEST(Control, EndlessGarbage) {
  FakeJvm jvm(Answering("0\n" + std::string(1000000, 'x')));
  EXPECT_EQ(Ask(jvm, "@stop", nullptr).find("the JVM did not load the agent: xxx"), 0u);
}

TEST(Control, AsksAgainWhileTheJvmStarts) {
  FakeJvmPlan plan;
  plan.early = {"0\nDynamic agent loading is only permitted in the live phase\n",
                "0\nreturn code: -2\n"};
  plan.reply = "fine";
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@start", "x"), "0 fine");
}

TEST(Control, AJvmThatNeverStarts) {
  FakeJvm jvm(Answering("0\nreturn code: -2\n"));
  EXPECT_EQ(Ask(jvm, "@start", "x", kSoonGrownUp), "the JVM is still starting");
}

TEST(Control, OptionsThatAreTooLong) {
  FakeJvm jvm;
  std::string why = Ask(jvm, "@start", std::string(1024, 'x').c_str());
  EXPECT_EQ(why.find("a running JVM takes 1024 bytes of prefix and options, not "), 0u) << why;
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(Control, AnotherUsersJvm) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  plan.reply = "mine";
  FakeJvm jvm(plan);
  EXPECT_EQ(Ask(jvm, "@status", nullptr), "0 mine");
  EXPECT_EQ(geteuid(), 0u);
}

}  // namespace
