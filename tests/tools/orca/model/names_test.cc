#include "tools/orca/model/names.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

std::string WriteType(const std::string &signature) {
  struct builder b = {};
  names_type(&b, Span(signature));
  return TakeText(&b);
}

TEST(NamesType, WritesTypesAsInJava) {
  EXPECT_EQ(WriteType("Ljava/util/HashMap;"), "java.util.HashMap");
  EXPECT_EQ(WriteType("LPingPong;"), "PingPong");
  EXPECT_EQ(WriteType("[I"), "int[]");
  EXPECT_EQ(WriteType("[[Ljava/lang/String;"), "java.lang.String[][]");
  EXPECT_EQ(WriteType("Z"), "boolean");
  EXPECT_EQ(WriteType("LMap$Entry;"), "Map$Entry");
  EXPECT_EQ(WriteType("Lshop/Caf\\u002C\xc3\xa9;"), "shop.Caf,\xc3\xa9");
  EXPECT_EQ(WriteType(""), "");
}

TEST(NamesType, CutsTheAddressOfHiddenClasses) {
  EXPECT_EQ(WriteType("Lcom/acme/Main$$Lambda$14.0x0000000800c03000;"), "com.acme.Main$$Lambda$14");
  EXPECT_EQ(WriteType("Lcom/acme/Main$$Lambda/0x00007f0c;"), "com.acme.Main$$Lambda");
  EXPECT_EQ(WriteType("Lcom/acme/Main$$Lambda$1/1234;"), "com.acme.Main$$Lambda$1");
}

class Names : public testing::Test {
 protected:
  template <typename Writer, typename... Args>
  std::string Write(Writer writer, Args... args) {
    if (small_.dump == nullptr) small_.Read();
    struct builder b = {};
    writer(&b, small_.dump, args...);
    return TakeText(&b);
  }
  std::string WriteThread(uint32_t hash) {
    if (small_.dump == nullptr) small_.Read();
    struct builder b = {};
    names_thread(&b, &small_.model.threads, hash);
    return TakeText(&b);
  }

  SmallModel small_;
};

TEST_F(Names, WritesMethods) {
  EXPECT_EQ(Write(names_method, 0x10), "OrderService.price");
  EXPECT_EQ(Write(names_method, 0x13), "HashMap.get");
  EXPECT_EQ(Write(names_method, 0xFF), "method 000000FF");
}

TEST_F(Names, WritesPlaces) {
  EXPECT_EQ(Write(names_source, place(0x10, 88)), "OrderService.java:88");
  EXPECT_EQ(Write(names_source, place(0x14, 0)), "EPoll.java");
  EXPECT_EQ(Write(names_place, place(0x10, 88)), "OrderService.price (OrderService.java:88)");
  EXPECT_EQ(Write(names_place, place(0xFF, 1)), "method 000000FF");
  EXPECT_EQ(Write(names_short_place, place(0x10, 88)), "OrderService.price:88");
  EXPECT_EQ(Write(names_short_place, place(0x14, 0)), "EPoll.wait");
}

TEST_F(Names, WritesFullMethodsAndPaths) {
  EXPECT_EQ(Write(names_full_method, 0x10), "com.acme.OrderService.price");
  EXPECT_EQ(Write(names_full_method, 0x99), "method 00000099");
  EXPECT_EQ(Write(names_path, 0x10), "com/acme/OrderService.java");
  EXPECT_EQ(Write(names_path, 0x99), "");
}

TEST_F(Names, WritesPathsOfTheUnnamedPackage) {
  small_.files.Write(DUMP_CLASSES,
                     "100.0000000000,000000C4,LOrderService;,OrderService.java\n"
                     "100.0000000000,000000C5,Lcom/acme/Inventory;,\n");
  EXPECT_EQ(Write(names_path, 0x10), "OrderService.java");
  EXPECT_EQ(Write(names_path, 0x12), "");
}

TEST_F(Names, WritesParameters) {
  small_.files.Append(
      DUMP_METHODS,
      "100.0000000000,00000071,f,(I[[Lcom/acme/Cart;Ljava/lang/String;[J)V,000000C4,-1\n"
      "100.0000000000,00000072,f,(Lbroken,000000C4,-1\n"
      "100.0000000000,00000073,f,([),000000C4,-1\n");
  EXPECT_EQ(Write(names_parameters, 0x10), "()");
  EXPECT_EQ(Write(names_parameters, 0x71), "(int, Cart[][], String, long[])");
  EXPECT_EQ(Write(names_parameters, 0x72), "");
  EXPECT_EQ(Write(names_parameters, 0x73), "([])");
  EXPECT_EQ(Write(names_parameters, 0xFF), "");
}

TEST_F(Names, MatchesMethodsByPattern) {
  small_.Read();
  for (const char *pattern :
       {"price", "OrderService.price", "com.acme.OrderService.price", "pr*", "OrderService.*",
        "*.price", "com.acme.*", "acme.OrderService.price", "*"}) {
    EXPECT_TRUE(names_method_matches(small_.dump, 0x10, pattern)) << pattern;
  }
  for (const char *pattern :
       {"rice", "Service.price", "Inventory.price", "com.acme", "price.*", ""}) {
    EXPECT_FALSE(names_method_matches(small_.dump, 0x10, pattern)) << pattern;
  }
  EXPECT_FALSE(names_method_matches(small_.dump, 0xFF, "*"));
}

TEST_F(Names, MatchesAnyMethodOfAStack) {
  const struct model *m = small_.Read();
  auto matches = [&](stack_id_t stack, const char *pattern) {
    return names_stack_matches(small_.dump, &m->stacks, stack, pattern);
  };
  ASSERT_GT(m->stacks.num, 0u);
  stack_id_t reserve = 1;  // of the first event
  EXPECT_TRUE(matches(reserve, "Inventory.reserve"));
  EXPECT_TRUE(matches(reserve, "OrderService.run"));
  EXPECT_FALSE(matches(reserve, "OrderService.price"));
  EXPECT_FALSE(matches(0, "*"));
}

TEST_F(Names, WritesTheIdOfAMissingClass) {
  small_.files.Append(DUMP_METHODS, "100.0000000000,00000077,go,()V,000000EE,-1\n");
  EXPECT_EQ(Write(names_method, 0x77), "class 000000EE.go");
  EXPECT_EQ(Write(names_place, place(0x77, 0)), "class 000000EE.go");
  EXPECT_EQ(Write(names_class, 0xEE), "class 000000EE");
}

TEST_F(Names, WritesObjects) {
  small_.files.Append(DUMP_OBJECTS, "101.0000000000,000000A1,000000C6\n");
  EXPECT_EQ(Write(names_object, 0xA1), "com.acme.Inventory or java.util.HashMap@000000A1");
  EXPECT_EQ(Write(names_object, 0xA2), "java.lang.Object@000000A2");
  EXPECT_EQ(Write(names_object, 0xBB), "object@000000BB");
}

// The ClassID of a class is the hash of its object.
TEST_F(Names, WritesTheClassThatAnObjectRepresents) {
  small_.files.Append(DUMP_CLASSES, "100.0000000000,000000C8,Ljava/lang/Class;,Class.java\n");
  small_.files.Append(DUMP_OBJECTS,
                      "101.0000000000,000000C5,000000C8\n"
                      "101.0000000000,000000EE,000000C8\n"
                      "101.0000000000,000000C6,000000C8\n"
                      "101.0000000000,000000C6,000000C1\n"
                      "101.0000000000,000000C4,000000C1\n");
  EXPECT_EQ(Write(names_object, 0xC5), "class com.acme.Inventory@000000C5");
  EXPECT_EQ(Write(names_short_object, 0xC5), "class Inventory@000000C5");
  EXPECT_EQ(Write(names_object, 0xEE), "java.lang.Class@000000EE") << "its class is not known";
  EXPECT_EQ(Write(names_object, 0xC4), "java.lang.Object@000000C4") << "only the hash is equal";
  EXPECT_EQ(Write(names_object, 0xC6), "class java.util.HashMap or java.lang.Object@000000C6");
}

TEST_F(Names, WritesThreads) {
  small_.files.Append(DUMP_EVENTS,
                      "109.1000000000,ThreadStarted,00000005,a\\u002Cb\\u001B[1m\n"
                      "109.1000000000,ThreadStarted,00000006,\n");
  EXPECT_EQ(WriteThread(2), "worker-1");
  EXPECT_EQ(WriteThread(5), "a,b\\u001B[1m");  // control characters stay escaped
  EXPECT_EQ(WriteThread(6), "thread 00000006");
  EXPECT_EQ(WriteThread(7), "thread 00000007");
}

TEST(NamesCall, IsTheMethodThatTheProgramCalls) {
  EXPECT_STREQ(names_call(EVENT_OBJECT_WAIT), "Object.wait");
  EXPECT_STREQ(names_call(EVENT_THREAD_JOIN), "Thread.join");
  EXPECT_STREQ(names_call(EVENT_QUEUE_REMOVE), "BlockingQueue.take");
}

// An event that begins no pair has its own name.
TEST(NamesCall, IsNeverEmpty) {
  for (int i = 0; i < NUM_EVENTS; i++) {
    const char *name = names_call(static_cast<enum event_kind>(i));
    ASSERT_NE(name, nullptr) << event_infos[i].name;
    EXPECT_NE(*name, '\0') << event_infos[i].name;
  }
  EXPECT_STREQ(names_call(EVENT_THREAD_STARTED), "ThreadStarted");
}

std::string ProgramOf(const std::string &command) {
  SmallModel small;
  small.files.Replace(
      DUMP_INFO, "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", command);
  small.Read();
  struct builder b = {};
  names_program(&b, small.dump);
  return TakeText(&b);
}

TEST(NamesProgram, IsTheMainClassTheJarOrTheModule) {
  EXPECT_EQ(ProgramOf("java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService a b"),
            "com.acme.OrderService");
  EXPECT_EQ(ProgramOf("/usr/bin/java -Xmx1g -jar /opt/shop/shop.jar --port 80"), "shop.jar");
  EXPECT_EQ(ProgramOf("java -p mods -m com.acme/com.acme.Shop x"), "com.acme.Shop");
  EXPECT_EQ(
      ProgramOf("java @args --add-opens java.base/java.lang=ALL-UNNAMED --class-path a:b Main"),
      "Main");
}

TEST(NamesProgram, IsTheExecutableIfTheNameIsNotClear) {
  EXPECT_EQ(ProgramOf("java -cp /my dir/shop.jar com.acme.Shop"), "java");
  EXPECT_EQ(ProgramOf("java @args"), "java");
  EXPECT_EQ(ProgramOf("java -jar"), "java");
  EXPECT_EQ(ProgramOf("/opt/shop/bin/shop --serve"), "shop");
}

TEST(NamesProgram, IsEmptyWithoutACommand) {
  SmallModel small;
  small.files.Remove(DUMP_INFO);
  small.Read();
  struct builder b = {};
  names_program(&b, small.dump);
  EXPECT_EQ(TakeText(&b), "");
  EXPECT_EQ(ProgramOf(""), "");
}

TEST(NamesProgram, IsTheMainClassOfAMaskedCommand) {
  EXPECT_EQ(
      ProgramOf("java -Dpassword=*** --add-opens java.base/sun.security.key=*** com.acme.Shop"),
      "com.acme.Shop");
}

}  // namespace
