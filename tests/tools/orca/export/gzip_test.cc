#include "tools/orca/export/gzip.h"

#include <stdio.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace {

// The data after a round trip through gzip_stored and the program gzip.
std::string PackAndUnpack(const std::string &data) {
  struct builder b = {};
  gzip_stored(&b, {data.data(), data.size()});
  std::string path = testing::TempDir() + "/stored.gz", unpacked;
  std::ofstream(path, std::ios::binary) << std::string(b.data, b.len);
  builder_free(&b);
  FILE *gzip = popen(("gzip -dc " + path).c_str(), "r");
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, gzip)) > 0;) unpacked.append(buffer, n);
  EXPECT_EQ(pclose(gzip), 0);
  unlink(path.c_str());
  return unpacked;
}

TEST(Gzip, UnpacksToTheSameBytes) {
  std::string all_bytes;
  for (int i = 0; i < 256; i++) all_bytes += static_cast<char>(i);
  EXPECT_EQ(PackAndUnpack("x"), "x");
  EXPECT_EQ(PackAndUnpack(all_bytes), all_bytes);
}

TEST(Gzip, HandlesTheLengthsAroundABlock) {
  for (size_t len : {0u, 0xFFFEu, 0xFFFFu, 0x10000u, 0x1FFFEu, 0x1FFFFu}) {
    std::string data(len, 'a');
    EXPECT_TRUE(PackAndUnpack(data) == data) << len;
  }
}

}  // namespace
