#include "tools/orca/run/shown_path.h"

#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace {

class ShownPath : public testing::Test {
 protected:
  ShownPath() { unsetenv("TEST_UNDECLARED_OUTPUTS_DIR"); }  // of this test

  static std::string Show(const std::string &path) {
    struct builder b = {};
    shown_path(&b, path.c_str());
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }
  static std::string Here() {
    char here[4096];
    return getcwd(here, sizeof here);
  }
};

TEST_F(ShownPath, IsRelativeBelowTheWorkingDirectory) {
  EXPECT_EQ(Show(Here() + "/a/b"), "a/b");
  EXPECT_EQ(Show("/no/a"), "/no/a");
  EXPECT_EQ(Show(Here() + "x/a"), Here() + "x/a");
  EXPECT_EQ(Show("a/b"), "a/b");
  EXPECT_FALSE(shown_path_is_test());
}

TEST_F(ShownPath, IsThatOfTheConvenienceLinksInATest) {
  const std::string out = "/b/sandbox/1/execroot/shop/bazel-out/k8-fastbuild";
  setenv("TEST_UNDECLARED_OUTPUTS_DIR", (out + "/testlogs/app/t/shard_1_of_2/test.outputs").c_str(),
         1);
  EXPECT_TRUE(shown_path_is_test());
  EXPECT_EQ(Show(out + "/testlogs/app/t/shard_1_of_2/test.outputs/orca-7"),
            "bazel-testlogs/app/t/shard_1_of_2/test.outputs/orca-7");
  // bazel-bin is the folder of k8-fastbuild, so it does not contain this program.
  EXPECT_EQ(Show("/b/execroot/shop/bazel-out/k8-opt-ST-1/bin/external/orca/orca"),
            "bazel-out/k8-opt-ST-1/bin/external/orca/orca");
  EXPECT_EQ(Show("/tmp/shop"), "/tmp/shop");
}

TEST_F(ShownPath, IsNotThatOfATestInOtherFolders) {
  for (const char *folder : {"", "/tmp/kept", "/bazel-out/k8/bin/a", "/bazel-out/k8/testlogsx/a",
                             "/bazel-out/", "/bazel-out/k8"}) {
    setenv("TEST_UNDECLARED_OUTPUTS_DIR", folder, 1);
    EXPECT_FALSE(shown_path_is_test()) << folder;
    EXPECT_EQ(Show("/tmp/kept/orca-7"), "/tmp/kept/orca-7");
  }
}

}  // namespace
