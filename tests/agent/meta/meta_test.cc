#include "agent/meta/meta.h"

#include "gtest/gtest.h"

namespace {

TEST(Meta, BeginsWithTablesAndNothingToWrite) {
  static struct meta m; /* never freed */
  ASSERT_TRUE(meta_init(&m, 64));
  EXPECT_NE(m.classes, nullptr);
  EXPECT_NE(m.methods, nullptr);
  EXPECT_NE(m.objects, nullptr);
  EXPECT_NE(m.stacks, nullptr);
  for (struct outbox *box : {&m.class_box, &m.method_box, &m.object_box}) {
    EXPECT_EQ(outbox_take(box), nullptr);
  }
  EXPECT_EQ(m.methods_unloaded + m.stacks_unshared + m.stacks_cut, 0u);
}

}  // namespace
