#include "agent/meta/meta.h"

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

TEST(MetaTest, InitMakesTablesAndEmptyBoxes) {
  static struct meta m; /* never freed */
  static struct recording_figures figures;
  ASSERT_TRUE(meta_init(&m, &figures));
  EXPECT_NE(m.classes, nullptr);
  EXPECT_NE(m.methods, nullptr);
  EXPECT_NE(m.objects, nullptr);
  EXPECT_NE(m.stacks, nullptr);
  for (struct outbox *box : {&m.class_box, &m.method_box, &m.object_box}) {
    EXPECT_EQ(outbox_take(box), nullptr);
  }
  EXPECT_EQ(m.figures, &figures);
  EXPECT_EQ(meta_recording(&m), 0u);  // no recording yet
}

TEST(MetaTest, BeginDiscardsDefinitionsOfTheLastRecording) {
  Recording r;
  EXPECT_EQ(meta_recording(r.meta), 1u);
  object_hash(r.meta, r.ti, r.jni, r.jvm.AddObject(r.jvm.AddClass("LA;"))->Ref());
  r.Again();
  EXPECT_EQ(meta_recording(r.meta), 2u);
  EXPECT_EQ(r.Classes(), Lines{});
  EXPECT_EQ(r.Objects(), Lines{});
}

}  // namespace
