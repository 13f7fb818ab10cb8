// The program itself, as a client starts it.
#include <algorithm>
#include <string>

#include "tests/tools/orca/cmd/orca_program.h"

namespace {

TEST(CmdMcp, AnswersFromARecording) {
  OrcaProgram p;
  ASSERT_EQ(p.RunShell("./orca run -o shop -- java -jar shop.jar"), 0) << p.err;
  p.Write("asked", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"
                   "\n"
                   R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                   "\n"
                   R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"report",)"
                   R"("arguments":{"recording":"shop","max_bytes":100000}}})"
                   "\n"
                   R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"report",)"
                   R"("arguments":{"recording":"none"}}})"
                   "\n");
  ASSERT_EQ(p.RunShell("./orca mcp <asked"), 0) << p.err;
  EXPECT_EQ(p.err, "");
  EXPECT_TRUE(p.OutHas("\"id\":1,\"result\":{\"protocolVersion\":")) << p.out;
  EXPECT_TRUE(p.OutHas("java -jar shop.jar")) << p.out;
  EXPECT_TRUE(p.OutHas("no recording at none")) << p.out;
  EXPECT_TRUE(p.OutHas("\"isError\":true")) << p.out;
  EXPECT_EQ(std::count(p.out.begin(), p.out.end(), '\n'), 3) << p.out;
}

// A fault of the files must be in the part of a long answer that the client gets.
TEST(CmdMcp, TellsFaultsFirst) {
  OrcaProgram p;
  ASSERT_EQ(p.RunShell("./orca run --quiet -o shop -- java; echo noise >>shop.methods"), 0)
      << p.err;
  EXPECT_EQ(p.RunShell("./orca report shop >both 2>&1"), 1);
  std::string both = p.Read("both");
  EXPECT_LT(both.find("In short"), both.find("\norca: report: shop.methods:")) << both;
  p.Write("asked", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"report",)"
                   R"("arguments":{"recording":"shop"}}})"
                   "\n");
  ASSERT_EQ(p.RunShell("./orca mcp <asked"), 0) << p.err;
  EXPECT_TRUE(p.OutHas("\"text\":\"orca: report: shop.methods:")) << p.out;
  EXPECT_TRUE(p.OutHas("Next: threads (")) << p.out;
}

TEST(CmdMcp, EndsWhenTheClientIsGone) {
  OrcaProgram p;
  p.Write("asked", R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                   "\n");
  EXPECT_EQ(p.RunShell("./orca mcp </dev/null"), 0);
  EXPECT_NE(p.RunShell("set -o pipefail 2>/dev/null; ./orca mcp <asked >/dev/full"), 0);
}

TEST(CmdMcp, RefusesArguments) {
  OrcaProgram p;
  EXPECT_EQ(p.RunShell("./orca mcp /tmp/shop"), 2);
  EXPECT_TRUE(p.ErrHas("mcp: there is an extra argument: /tmp/shop; see orca mcp --help")) << p.err;
}

}  // namespace
