// The programs of tests/workloads/opcodes contain every instruction and every kind of stack map
// frame. When they are woven, they must print the same output, and each call of `enter` must be
// followed by a call of `exit` or `thrown`.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "agent/classfile/frames.h"
#include "agent/classfile/opcodes.h"
#include "agent/classfile/weave.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/support/jvm.h"
#include "tests/support/text.h"

namespace fs = std::filesystem;

namespace {

void WriteFile(const fs::path &path, const std::string &bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Output {
  int status;
  std::string out, err;
};

class OpcodesFixture : public testing::TestWithParam<Jdk> {
 protected:
  void SetUp() override {
    dir_ = testing::TempDir() + "/opcodes_" + GetParam().name;
    fs::remove_all(dir_);
    fs::create_directories(dir_ / "plain");
    ASSERT_EQ(Run("unzip -q " + Runfile("tests/workloads/opcodes/opcodes.jar") + " -d " +
                  (dir_ / "plain").string())
                  .status,
              0);
    ASSERT_EQ(RunJava("plain", "opcodes.Assembled " + (dir_ / "plain").string()).status, 0);
  }
  void TearDown() override { fs::remove_all(dir_); }

  Output Run(const std::string &command) {
    std::string out = dir_ / "out", err = dir_ / "err";
    int status = std::system((command + " >" + out + " 2>" + err).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(out), ReadFile(err)};
  }

  // Runs java with the classes of a folder below dir_. `words` is the main class and its arguments.
  Output RunJava(const std::string &classes, const std::string &words) {
    std::string command = "env";
    for (const auto &[name, value] : JavaEnvironment()) command += " " + name + "=" + value;
    for (const std::string &word : JavaProgram(GetParam())) command += " " + word;
    return Run(command + " -Xverify:all -cp " + (dir_ / classes).string() + " " + words);
  }

  std::vector<fs::path> FindClassFiles() {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(dir_ / "plain" / "opcodes")) {
      if (entry.path().extension() == ".class") files.push_back(entry.path());
    }
    return files;
  }

  // Weaves the classes of "plain", except the class with the hooks, and writes them to "woven".
  void WeaveAll();

  fs::path dir_;
};

// --- the contents of the programs

void FindOpcodes(const std::string &code, std::set<int> *seen) {
  for (uint32_t pc = 0, length; pc < code.size(); pc += length) {
    length = opcode_length(MakeSpan(code), pc);
    ASSERT_NE(length, 0u);
    seen->insert(static_cast<uint8_t>(code[pc]));
  }
}

// Adds the forms of the frames to `seen`, as "append 2" or "same extended", and the types in them,
// as "type 7".
void FindFrames(const std::string &table, std::set<std::string> *seen) {
  struct frame_origin origin = {};
  origin.descriptor = {"()V", 3};
  origin.is_static = true;
  origin.max_locals = origin.max_stack = 1000;
  origin.table = MakeSpan(table);
  static const char *const forms[] = {"same", "stack", "chop", "append", "full"};
  struct frame_walk w;
  ASSERT_EQ(frame_walk_start(&w, &origin, nullptr), WEAVE_WOVEN);
  // A chop frame can remove arguments, and the descriptor is unknown here. So start with 20 locals.
  for (int i = 0; i < 20; i++) w.types.locals[w.types.num_locals++] = {V_TOP, 0};
  for (;;) {
    uint32_t type = static_cast<uint8_t>(w.table.data[w.table.at]);
    if (!frame_walk_next(&w)) break;
    std::string name = forms[w.types.form];
    if (w.types.form == FRAME_CHOP || w.types.form == FRAME_APPEND) {
      name += " " + std::to_string(w.types.num_changed);
    }
    seen->insert(name + (type == 247 || type == 251 ? " extended" : ""));
    for (uint32_t i = 0; i < w.types.num_stack; i++) {
      seen->insert("type " + std::to_string(w.types.stack[i].tag));
    }
    if (w.types.form != FRAME_FULL && w.types.form != FRAME_APPEND) continue;
    for (uint32_t i = 0; i < w.types.num_locals; i++) {
      seen->insert("type " + std::to_string(w.types.locals[i].tag));
    }
  }
  EXPECT_TRUE(cursor_is_done(&w.table));
  frame_walk_end(&w);
}

TEST_P(OpcodesFixture, ContainsEveryOpcodeAndFrame) {
  std::set<int> opcodes;
  std::set<std::string> frames;
  for (const fs::path &file : FindClassFiles()) {
    for (const auto &[name, code] : ReadParts(ReadFile(file)).methods) {
      FindOpcodes(code.code, &opcodes);
      if (std::string table = code.Attribute("StackMapTable"); !table.empty()) {
        FindFrames(table, &frames);
      }
    }
  }
  for (int i = 0; i <= OPCODE_jsr_w; i++) {
    EXPECT_EQ(opcodes.count(i), 1u) << opcode_infos[i].name << " is missing";
  }
  for (const char *form :
       {"same",     "same extended", "stack",    "stack extended", "chop 1", "chop 2", "chop 3",
        "append 1", "append 2",      "append 3", "full",           "type 0", "type 1", "type 2",
        "type 3",   "type 4",        "type 5",   "type 6",         "type 7", "type 8"}) {
    EXPECT_EQ(frames.count(form), 1u) << form << " is missing";
  }
}

// --- the woven programs

const uint32_t kStatic = 8;

// Every kind of hook that the method can have.
struct weave_hooking MakeHooking(const struct weave_method &m, int32_t id) {
  struct weave_hooking h = {};
  h.id = id;
  h.enter = ENTER_LOCAL_ZERO;
  h.exit = EXIT_VALUE;
  h.monitors = true;
  if (m.access & kStatic) return h;
  h.at_entry = {"opcodes/Counter", "count"};
  if (span_is(m.name, "<init>")) {
    h.at_returns = {"opcodes/Counter", "made"};
  } else if (span_is(m.class_name, "opcodes/Cut") && !span_is(m.name, "called")) {
    h.shortcut = {"opcodes/Counter", "isOver"};
  }
  return h;
}

std::string Weave(const std::string &class_file, int32_t id) {
  const struct weave_hooks hooks = {"opcodes/Counter", "enter",          "exit",       "thrown",
                                    "monitorEnter",    "monitorEntered", "monitorExit"};
  struct weave_chooser chooser = {
      [](void *context, const struct weave_method *m, struct weave_hooking *out) {
        *out = MakeHooking(*m, *static_cast<int32_t *>(context));
        return true;
      },
      [](void *, const struct weave_method *m, enum weave_status status) {
        EXPECT_EQ(status, WEAVE_WOVEN) << MakeText(m->name);
      },
      &id};
  struct builder out = {};
  EXPECT_EQ(weave_class(MakeSpan(class_file), &hooks, &chooser, &out), WEAVE_WOVEN);
  return TakeBytes(&out);
}

void OpcodesFixture::WeaveAll() {
  const int32_t ids[] = {1, 1000, 100000}, values = 42;
  int number = 0;
  for (const fs::path &file : FindClassFiles()) {
    std::string name = file.filename(), bytes = ReadFile(file);
    int32_t id = name == "Values.class" ? values : ids[number++ % 3];
    if (name != "Counter.class") bytes = Weave(bytes, id);
    WriteFile(dir_ / "woven" / "opcodes" / name, bytes);
  }
}

// Returns the line of the text that starts with `start`.
std::string FindLine(const std::string &text, const std::string &start) {
  size_t from = text.find(start);
  if (from == std::string::npos) return start + "is missing";
  return text.substr(from, text.find('\n', from) - from);
}

TEST_P(OpcodesFixture, WovenProgramsPrintTheSame) {
  WeaveAll();
  Output plain = RunJava("plain", "opcodes.Main"), woven = RunJava("woven", "opcodes.Main");
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(woven.status, 0) << woven.err;
  EXPECT_EQ(plain.out, woven.out);
  EXPECT_NE(woven.err.find(" entered, 0 more than left, "), std::string::npos) << woven.err;
  for (const char *counted : {"values: ", "monitors: ", "shortcuts: "}) {
    EXPECT_EQ(FindLine(woven.out, counted), FindLine(woven.err, counted));
  }
}

// A method with hooks at its monitors is still compiled. If a hook overflows the stack, every
// monitor is released and no handler loops forever.
TEST_P(OpcodesFixture, WovenMonitorsAreCompiledAndReleased) {
  WeaveAll();
  Output run = RunJava(
      "woven", "-Xss512k -Xbatch -XX:+PrintCompilation -Xlog:monitormismatch=info opcodes.Locks");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("and every monitor is free"), std::string::npos) << run.err;
  EXPECT_EQ(run.out.find("onitor mismatch"), std::string::npos);
  for (const char *method : {"statement", "nested", "method", "staticMethod"}) {
    std::regex compiled("[ s!b]+ 4 +opcodes\\.Locks::" + std::string(method) + " \\(");
    EXPECT_TRUE(std::regex_search(run.out, compiled)) << method << " was not compiled";
  }
}

INSTANTIATE_TEST_SUITE_P(Jdks, OpcodesFixture, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
