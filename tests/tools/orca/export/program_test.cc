#include "tools/orca/export/program.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

std::string NameOf(const std::string &command) {
  SmallModel small;
  small.files.Replace(
      DUMP_INFO, "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", command);
  small.Read();
  struct builder b = {};
  program_put_name(&b, small.dump);
  return TakeText(&b);
}

TEST(Program, IsTheMainClassTheJarOrTheModule) {
  EXPECT_EQ(NameOf("java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService a b"),
            "com.acme.OrderService");
  EXPECT_EQ(NameOf("/usr/bin/java -Xmx1g -jar /opt/shop/shop.jar --port 80"), "shop.jar");
  EXPECT_EQ(NameOf("java -p mods -m com.acme/com.acme.Shop x"), "com.acme.Shop");
  EXPECT_EQ(NameOf("java @args --add-opens java.base/java.lang=ALL-UNNAMED --class-path a:b Main"),
            "Main");
}

TEST(Program, IsTheExecutableIfTheNameIsNotClear) {
  EXPECT_EQ(NameOf("java -cp /my dir/shop.jar com.acme.Shop"), "java");
  EXPECT_EQ(NameOf("java @args"), "java");
  EXPECT_EQ(NameOf("java -jar"), "java");
  EXPECT_EQ(NameOf("/opt/shop/bin/shop --serve"), "shop");
}

TEST(Program, IsEmptyWithoutACommand) {
  SmallModel small;
  small.files.Remove(DUMP_INFO);
  small.Read();
  struct builder b = {};
  program_put_name(&b, small.dump);
  EXPECT_EQ(TakeText(&b), "");
  EXPECT_EQ(NameOf(""), "");
}

TEST(Program, IsTheMainClassOfAMaskedCommand) {
  EXPECT_EQ(NameOf("java -Dpassword=*** --add-opens java.base/sun.security.key=*** com.acme.Shop"),
            "com.acme.Shop");
}

}  // namespace
