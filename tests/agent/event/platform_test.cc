#include "agent/event/platform.h"

#include <string>

#include "gtest/gtest.h"

namespace {

bool IsPlatform(const std::string &signature) {
  return is_platform_type({signature.data(), signature.size()});
}

TEST(Platform, IsTheJdkAndEveryArray) {
  for (const char *signature :
       {"Ljava/lang/Object;", "Ljavax/swing/Timer;", "Ljdk/internal/misc/Unsafe;",
        "Lsun/nio/ch/Net;", "Lcom/sun/net/httpserver/HttpServer;", "[I", "[Lshop/Order;"})
    EXPECT_TRUE(IsPlatform(signature)) << signature;
}

TEST(Platform, IsNotTheProgram) {
  for (const char *signature : {"Lshop/Order;", "LMain;", "Lcom/sunny/Day;", "Ljavafx/Stage;",
                                "Lorg/java/Thing;", "Lsunday/Brunch;", ""})
    EXPECT_FALSE(IsPlatform(signature)) << signature;
}

}  // namespace
