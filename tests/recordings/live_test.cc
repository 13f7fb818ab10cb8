/* Records the programs of all cases on each JDK. Their recordings must show what the stored ones
   show. With $ORCA_RENEW=FOLDER, stores them in the folder: see README.md. */
#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/recordings/agreement.h"
#include "tests/recordings/cases.h"
#include "tests/recordings/findings.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

namespace fs = std::filesystem;

/* Removes the folders of this machine from the command in .info. */
void RemoveFolders(const std::string &prefix) {
  std::string text = ReadFile(prefix + ".info");
  for (std::string folder : {Runfile(""), fs::path(prefix).parent_path().string() + "/"}) {
    for (size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
  }
  std::ofstream(prefix + ".info") << text;
}

void Store(const std::string &prefix, const std::string &out, const std::string &name) {
  RemoveFolders(prefix);
  EXPECT_EQ(RunOrca({"pack", "-o", name + ".tar.gz", prefix}).status, 0);
  std::ofstream(name + ".txt") << out;
}

/* Waits until the files show the deadlock, and kills the program. */
void KillWhenStuck(Session *session) {
  ASSERT_TRUE(session->process().WaitForLine("fact stuck 2", 60));
  Recording recording(session->prefix(), "");
  Outcome outcome;
  EXPECT_TRUE(Eventually(
      [&] {
        outcome = recording.RunCommand("deadlocks", {});
        return Has(outcome.out, "Deadlocks (times");
      },
      [&] { return outcome.out + outcome.err; }));
  session->process().Signal(SIGKILL);
}

/* The words of the program, after the flags of the JVM. The last class path counts. */
std::vector<std::string> ListWords(const Case &made_by) {
  std::vector<std::string> words = {"-cp", Runfile("tests/workloads/" + made_by.jar + ".jar")};
  words.insert(words.end(), made_by.program.begin(), made_by.program.end());
  return words;
}

void Pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/* Lets the program run for its time, and kills it. */
void KillInTime(Session *session, const Case &made_by) {
  if (made_by.by_attach) {
    Pause(made_by.seconds / 2);
    Result attached =
        RunOrcaOn("attach", {std::to_string(session->process().pid())},
                  session->prefix() + made_by.options, fs::path(session->prefix()).parent_path());
    EXPECT_EQ(attached.status, 0) << attached.err;
  }
  Pause(made_by.by_attach ? made_by.seconds / 2 : made_by.seconds);
  session->process().Signal(SIGKILL);
}

class LiveRecording : public testing::TestWithParam<std::tuple<Jdk, Case>> {};

TEST_P(LiveRecording, ShowsTheFactsOfTheProgram) {
  const auto &[jdk, made_by] = GetParam();
  if (jdk.version < made_by.least_version) GTEST_SKIP() << "not for this JDK";
  if (made_by.is_only_stored) GTEST_SKIP() << "only a stored recording";
  const std::string options = made_by.options + (made_by.by_attach ? ",start=later" : "");
  Session session(jdk, Program(ListWords(made_by), made_by.flags, options));
  if (made_by.hangs) KillWhenStuck(&session);
  if (made_by.seconds > 0) KillInTime(&session, made_by);
  session.Wait(120);
  const bool is_killed = made_by.hangs || made_by.seconds > 0;
  EXPECT_EQ(session.result().status, is_killed ? -1 : 0) << session.result().err;
  session.ExpectQuiet();
  Recording recording(session.prefix(), session.result().out);
  recording.RunView("check");
  made_by.check(recording);
  ExpectAgreement(recording);
  ExpectFindings(recording);
  const char *folder = getenv("ORCA_RENEW");
  if (folder == nullptr || HasFailure()) return;
  Store(recording.prefix(), recording.out(),
        std::string(folder) + "/" + StoredName(made_by, jdk.version));
}

INSTANTIATE_TEST_SUITE_P(Jvm, LiveRecording,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::ValuesIn(ListCases())),
                         [](const auto &info) {
                           return std::get<1>(info.param).name + "_" + std::get<0>(info.param).name;
                         });

}  // namespace
