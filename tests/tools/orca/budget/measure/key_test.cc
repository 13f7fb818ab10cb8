#include "tools/orca/budget/measure/key.h"

#include "tests/tools/orca/budget/measure/measured.h"

namespace {

class Key : public Measured {
 protected:
  template <typename Put, typename... Args>
  std::string Write(Put put, Args... args) {
    if (small_.dump == nullptr) small_.Read();
    struct builder b = {};
    put(&b, small_.dump, args...);
    return TakeText(&b);
  }
  void AddClass(const std::string &id, const std::string &signature) {
    small_.files.Append(DUMP_CLASSES, "100.0000000001,000000" + id + "," + signature + ",A.java\n");
  }
  void AddMethod(const std::string &id, const std::string &name) {
    small_.files.Append(DUMP_METHODS,
                        "100.0000000001,000000" + id + "," + name + ",()V,000000C4,-1\n");
  }
};

TEST_F(Key, NamesALockByItsClassAndMethod) {
  EXPECT_EQ(Write(key_lock, 0xA1u, place(0x12, 42)),
            "com.acme.Inventory at com.acme.Inventory.reserve");
  EXPECT_EQ(Write(key_lock, 0xA2u, place(0x10, 88)), Write(key_lock, 0xA2u, place(0x10, 90)));
  EXPECT_EQ(Write(key_lock, 0xFFu, place_t{0}), "(unknown class) at (unknown method)");
}

TEST_F(Key, CutsTheNumbersOfClassesThatAreMadeAtRunTime) {
  AddClass("D1", "Lshop/Cart$$Lambda$14.0x0000000800c03000;");
  AddClass("D2", "Lshop/Cart$$Lambda.0x00007f0c;");
  AddClass("D3", "Ljdk/proxy2/$Proxy12;");
  EXPECT_EQ(Write(key_class, 0xD1u), "shop.Cart$$Lambda");
  EXPECT_EQ(Write(key_class, 0xD2u), "shop.Cart$$Lambda");
  EXPECT_EQ(Write(key_class, 0xD3u), "jdk.proxy.$Proxy");
}

TEST_F(Key, CutsWhatLibrariesAddToClassesThatTheyMake) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"shop/Cart$MockitoMock$1808743421", "shop.Cart$MockitoMock$"},
      {"shop/Cart$$EnhancerBySpringCGLIB$$9f3a1c", "shop.Cart$$EnhancerBySpringCGLIB$$"},
      {"shop/Cart$$SpringCGLIB$$0", "shop.Cart$$SpringCGLIB$$"},
      {"shop/Cart$HibernateProxy$x7Yz", "shop.Cart$HibernateProxy$"},
      {"shop/Cart$ByteBuddy$q1Ab", "shop.Cart$ByteBuddy$"},
      {"shop/Cart_$$_jvst1a2_0", "shop.Cart_$$_jvst"},
      {"jdk/internal/reflect/GeneratedConstructorAccessor17",
       "jdk.internal.reflect.GeneratedConstructorAccessor"},
      {"shop/$Proxy7", "shop.$Proxy"},
      {"shop/Cart$ProxyList", "shop.Cart$ProxyList"},
      {"jdk/proxy/Cart2", "jdk.proxy.Cart2"}};
  for (size_t i = 0; i < names.size(); i++) {
    AddClass("D" + std::string(1, "0123456789"[i]), "L" + names[i].first + ";");
  }
  for (size_t i = 0; i < names.size(); i++) {
    EXPECT_EQ(Write(key_class, static_cast<uint32_t>(0xD0 + i)), names[i].second);
  }
}

// An anonymous class further up in the file changes the numbers of all that follow.
TEST_F(Key, CutsTheNumbersOfAnonymousClasses) {
  AddClass("D1", "Lshop/Cart$12;");
  AddClass("D2", "Lshop/Cart$1$Part$2;");
  AddClass("D3", "Lshop/Cart$1Local;");
  AddClass("D4", "Lshop/Cart$Size2;");
  AddClass("D5", "Lshop2/Größe$3;");
  EXPECT_EQ(Write(key_class, 0xD1u), "shop.Cart$");
  EXPECT_EQ(Write(key_class, 0xD2u), "shop.Cart$$Part$");
  EXPECT_EQ(Write(key_class, 0xD3u), "shop.Cart$1Local");
  EXPECT_EQ(Write(key_class, 0xD4u), "shop.Cart$Size2");
  EXPECT_EQ(Write(key_class, 0xD5u), "shop2.Größe$");
}

TEST_F(Key, CutsTheNumbersOfLambdas) {
  AddMethod("E1", "lambda$add$3");
  AddMethod("E2", "$anonfun$add$17");
  AddMethod("E3", "add$3");
  AddMethod("E4", "lambda$add$x");
  AddMethod("E5", "lambda$");
  EXPECT_EQ(Write(key_method, 0xE1u), "com.acme.OrderService.lambda$add");
  EXPECT_EQ(Write(key_method, 0xE2u), "com.acme.OrderService.$anonfun$add");
  EXPECT_EQ(Write(key_method, 0xE3u), "com.acme.OrderService.add$3");
  EXPECT_EQ(Write(key_method, 0xE4u), "com.acme.OrderService.lambda$add$x");
  EXPECT_EQ(Write(key_method, 0xE5u), "com.acme.OrderService.lambda$");
}

// Two threads acquire A1 and A2 in opposite orders. The key does not depend on the first one.
TEST_F(Key, ARingBeginsWithTheFirstNameOfTheAlphabet) {
  for (bool swapped : {false, true}) {
    std::string one = swapped ? "00000003" : "00000002", two = swapped ? "00000002" : "00000003";
    auto nest = [](int at, const std::string &thread, const std::string &a, const std::string &b) {
      std::string t = "10" + std::to_string(at) + ".", text;
      text += t + "1000000000,MonitorEntered," + thread + ",000000" + a + ",1;00000012;00000000\n";
      text += t + "2000000000,MonitorEntered," + thread + ",000000" + b + ",1;00000010;00000000\n";
      text += t + "3000000000,MonitorExit," + thread + ",000000" + b + ",1;00000010;00000000\n";
      text += t + "4000000000,MonitorExit," + thread + ",000000" + a + ",1;00000012;00000000\n";
      return text;
    };
    SmallModel small;
    small.files.Write(DUMP_EVENTS, nest(1, one, "A1", "A2") + nest(2, two, "A2", "A1"));
    struct model *m = small.Read();
    ASSERT_EQ(m->orders.num_rings, 1u);
    struct builder b = {};
    key_order_ring(&b, m, &m->orders.rings[0]);
    EXPECT_EQ(TakeText(&b),
              "com.acme.Inventory at com.acme.OrderService.price > java.lang.Object at "
              "com.acme.OrderService.price");
  }
}

}  // namespace
