#include "tools/orca/collect/file_uri.h"

#include <string>

#include "gtest/gtest.h"

namespace {

std::string Path(const std::string &uri) {
  struct builder b = {};
  bool is_local = file_uri_path(&b, uri.c_str());
  std::string path = is_local ? b.data : "refused";
  EXPECT_EQ(b.len, is_local ? path.size() + 1 : 0) << uri;
  builder_free(&b);
  return path;
}

TEST(FileUri, IsAPathOfThisMachine) {
  EXPECT_EQ(Path("file:///a/b.zip"), "/a/b.zip");
  EXPECT_EQ(Path("file:/a/b.zip"), "/a/b.zip");
  EXPECT_EQ(Path("file://localhost/a"), "/a");
  EXPECT_EQ(Path("file:///a%20b/%C3%a4%2Fc"), "/a b/\xc3\xa4/c");
  EXPECT_EQ(Path("file:///"), "/");
}

TEST(FileUri, RefusesOtherUris) {
  for (const char *uri :
       {"", "/a", "file:", "file:a", "file://", "file://machine/a", "file:////machine/a",
        "bytestream://cache/blobs/1", "http://a/b", "FILE:///a", "file:///a%", "file:///a%2",
        "file:///a%2g", "file:///a%00b", "file:///a%1Bb", "file:///a\nb", "file:///a%7f"}) {
    EXPECT_EQ(Path(uri), "refused") << uri;
  }
}

}  // namespace
