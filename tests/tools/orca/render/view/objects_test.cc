#include "tests/support/json.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

// The JSON that `put` writes.
template <typename Put>
std::string Write(Put put) {
  struct builder b = {};
  struct json j = {};
  j.out = &b;
  put(&j);
  std::string text(b.data, b.len);
  builder_free(&b);
  JsonReader(text).Read();
  return text;
}

std::string Place(const struct dump *d, place_t p) {
  return Write([&](struct json *j) { view_place_object(j, d, p); });
}

std::string Lock(const struct dump *d, const char *kind, uint32_t object, uint32_t class_id,
                 uint64_t num) {
  return Write([&](struct json *j) { view_lock_object(j, d, kind, object, class_id, num); });
}

TEST(Objects, APlaceHasClassMethodFileAndLine) {
  SmallModel small;
  const struct dump *d = small.Read()->dump;
  EXPECT_EQ(Place(d, place(0x10, 88)),
            R"({"class":"com.acme.OrderService","method":"price","file":"OrderService.java",)"
            R"("line":88})");
  EXPECT_EQ(Place(d, place(0x10, 0)),
            R"({"class":"com.acme.OrderService","method":"price","file":"OrderService.java",)"
            R"("line":null})");
  EXPECT_EQ(Place(d, 0), "null");
}

TEST(Objects, APlaceWithoutAMethodHasItsName) {
  SmallModel small;
  const struct dump *d = small.Read()->dump;
  EXPECT_EQ(Place(d, place(0xABC, 0)),
            R"({"class":null,"method":"method 00000ABC","file":null,"line":null})");
  EXPECT_EQ(Place(d, place(pseudo_method(PSEUDO_NATIVE), 0)),
            "{\"class\":null,\"method\":\"(native)\",\"file\":null,\"line\":null}");
}

TEST(Objects, ALockHasKindClassHashAndNumber) {
  SmallModel small;
  const struct dump *d = small.Read()->dump;
  EXPECT_EQ(Lock(d, "monitor", 0xA1, 0, 0),
            R"({"kind":"monitor","class":"com.acme.Inventory","hash":"000000A1","objects":1})");
  EXPECT_EQ(Lock(d, "lock", 0, 0xC5, 12),
            R"({"kind":"lock","class":"com.acme.Inventory","hash":null,"objects":12})");
  EXPECT_EQ(Lock(d, nullptr, 0xEE, 0, 0),
            R"({"kind":null,"class":null,"hash":"000000EE","objects":1})");
}

}  // namespace
