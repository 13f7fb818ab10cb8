#include "tools/orca/answer/operations.h"

#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

// OrderService.price calls HashMap.put and HashMap.get, which call Key.equals, that calls
// String.equals. Stacks: 11 put > find > Key.equals > String.equals, 12 put > find, 13 get > find,
// 14 price > String.equals, 15 put > find > Key.check > String.equals.
class Operations : public testing::Test {
 protected:
  Operations() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Ljava/util/HashMap$TreeNode;,HashMap.java\n"
                        "100.0000000000,000000D2,Lcom/acme/Key;,Key.java\n"
                        "100.0000000000,000000D3,Ljava/lang/String;,String.java\n"
                        "100.0000000000,000000D4,Ljava/util/TreeMap;,TreeMap.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000041,find,()V,000000D1,1;00000000;00000007\n"
                        "100.0000000000,00000042,equals,()Z,000000D2,1;00000000;00000008\n"
                        "100.0000000000,00000043,equals,()Z,000000D3,1;00000000;00000009\n"
                        "100.0000000000,00000044,put,()V,000000C6,1;00000000;0000000A\n"
                        "100.0000000000,00000045,check,()Z,000000D2,1;00000000;0000000B\n"
                        "100.0000000000,00000046,put,()V,000000D4,1;00000000;0000000C\n");
    AddStack(11, "5;00000043;00000000;00000042;00000000;00000041;00000000;00000044;00000000");
    AddStack(12, "3;00000041;00000000;00000044;00000000");
    AddStack(13, "3;00000041;00000000;00000013;00000000");
    AddStack(14, "2;00000043;00000000");
    AddStack(15, "5;00000043;00000000;00000045;00000000;00000041;00000000;00000044;00000000");
    AddStack(16, "4;00000043;00000000;00000042;00000000;00000046;00000000");
  }

  // Frames up to the method of the JDK that price calls.
  void AddStack(int id, const std::string &frames) {
    small_.files.Append(DUMP_SAMPLES, "105.5000000000,Stack," + std::to_string(id) + "," + frames +
                                          ";00000010;00000000\n");
  }
  void Sample(int stack, int times) {
    AddCpu(&small_.files, "00000001,10000000," + std::to_string(stack) + ",Java", times);
  }
  std::string SayCpu() { return Say(small_.Read(), {FINDING_cpu}); }

  SmallModel small_;
};

TEST_F(Operations, AddUpWhatACollectionDoesForItsKeys) {
  Sample(11, 60);
  Sample(12, 40);
  EXPECT_EQ(SayCpu(),
            "* 100 % of the Java threads' CPU time is spent in HashMap.put at OrderService.price "
            "(OrderService.java:88) and what it calls, by main: 60 % in String.equals "
            "(String.java:9); it is called most by Key.equals (Key.java:8). Many keys share a "
            "bucket there: their hash codes are equal or similar.\n");
}

TEST_F(Operations, OfOneCollectionAreOne) {
  Sample(11, 60);
  Sample(13, 40);
  EXPECT_TRUE(Has(SayCpu(),
                  "* 100 % of the Java threads' CPU time is spent in HashMap at "
                  "OrderService.price (OrderService.java:88) and what it calls, by main: "));
}

// The program compares most keys on its own.
TEST_F(Operations, MustHaveNearlyAllTimeOfTheMethod) {
  Sample(11, 50);
  Sample(14, 50);
  EXPECT_TRUE(Has(SayCpu(), "* 100 % of the Java threads' CPU time is spent in String.equals "));
}

// Without nodes of shared buckets, nothing is known of hash codes.
TEST_F(Operations, OfATreeSayNothingOfHashCodes) {
  Sample(16, 60);
  AddCpu(&small_.files, "00000001,10000000,1,Java", 40);
  std::string text = SayCpu();
  EXPECT_FALSE(Has(text, "hash codes")) << text;
}

TEST_F(Operations, AreKnownByTheirStacks) {
  Sample(11, 60);
  Sample(12, 40);
  Said said;
  said.answer.model = small_.Read();
  struct finder f = {&said.answer, said.answer.model, &said.answer.findings};
  struct operation o = operations_find(&f, cpu_hottest(&said.answer.model->cpu));
  EXPECT_EQ(o.class_id, 0xC6u);
  EXPECT_EQ(o.method, 0x44u);
  EXPECT_EQ(o.ns, UINT64_C(1000000000));
  EXPECT_TRUE(o.has_shared_buckets && o.has_one_caller);
  size_t in = 0;
  const struct model *m = said.answer.model;
  for (stack_id_t id = 1; id < m->cpu.num_stacks; id++) {
    in += m->cpu.stack_ns[id] > 0 && operations_has(m, &o, id);
  }
  EXPECT_EQ(in, 2u);
}

}  // namespace
