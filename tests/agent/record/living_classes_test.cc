#include "agent/record/living_classes.h"

#include <stdlib.h>

#include "gtest/gtest.h"

namespace {

struct living_classes *MakeLiving(uint32_t id) {
  auto *l = static_cast<struct living_classes *>(calloc(1, sizeof(struct living_classes)));
  hashmap_put(&l->ids, id, 1);
  return l;
}

TEST(LivingClasses, HasItsClasses) {
  struct living_classes *l = MakeLiving(0xA);
  EXPECT_TRUE(living_classes_has(l, 0xA));
  EXPECT_TRUE(living_classes_has_methods(l, 0xA));
  EXPECT_FALSE(living_classes_has(l, 0xB));
  EXPECT_FALSE(living_classes_has(l, 0)) << "no stand-in";
  living_classes_free(l);
}

TEST(LivingClasses, TheStandInLivesButItsMethodsDoNot) {
  struct living_classes *l = MakeLiving(0xA);
  l->stand_in = 1;
  EXPECT_TRUE(living_classes_has(l, 1));
  EXPECT_FALSE(living_classes_has_methods(l, 1));
  living_classes_free(l);
}

// The leak checker finds what a slot does not free.
TEST(LivingClasses, ASlotHasTheLatestClasses) {
  struct living_classes *slot = nullptr, *second = MakeLiving(0xB);
  living_classes_put(&slot, MakeLiving(0xA));
  living_classes_put(&slot, second);
  EXPECT_EQ(living_classes_take(&slot), second);
  EXPECT_EQ(living_classes_take(&slot), nullptr);
  living_classes_put(&slot, second);
  living_classes_put(&slot, nullptr);
  EXPECT_EQ(slot, nullptr);
  living_classes_free(nullptr);
}

}  // namespace
