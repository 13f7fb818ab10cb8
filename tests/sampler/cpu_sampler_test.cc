// Tests the CPU sampler on a JVM that it cannot sample: a FakeJvm has no HotSpot structures. The
// tests cpu, truth and torture in tests/e2e test sampling on real JVMs.
#include "sampler/cpu_sampler.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

class CpuSampler : public testing::Test {
 protected:
  CpuSampler() {
    static auto &all = *new std::vector<struct cpu_sampler *>; /* never freed, like in the agent */
    all.push_back(sampler_ = new struct cpu_sampler);
    cpu_sampler_init(sampler_, r_.recorder);
  }

  Recording r_;
  struct cpu_sampler *sampler_;
};

TEST_F(CpuSampler, ReportsWhyItCannotStart) {
  const char *why = nullptr;
  EXPECT_FALSE(cpu_sampler_start(sampler_, r_.threads, r_.ti, r_.jni, &why));
  EXPECT_STREQ(why, "the JVM's library was not found");
  EXPECT_FALSE(cpu_sampler_is_on(sampler_));
  EXPECT_FALSE(r_.jvm.IsEnabled(JVMTI_EVENT_COMPILED_METHOD_LOAD));
}

TEST_F(CpuSampler, IgnoresAllCallbacksWhileItIsOff) {
  FakeThread *a = r_.jvm.AddThread("A", 0xA);
  FakeClass *klass = r_.jvm.AddClass("LA;");
  for (int i = 0; i < 2; i++) {
    cpu_sampler_thread_begins(sampler_, r_.jni, reinterpret_cast<jthread>(a->Ref()), 0xA, true);
    cpu_sampler_virtual_begins(sampler_, r_.jni, reinterpret_cast<jthread>(a->Ref()), 0xB);
    cpu_sampler_code_loaded(sampler_, nullptr, this, 10, nullptr);
    cpu_sampler_code_unloaded(sampler_, this);
    cpu_sampler_class_prepared(sampler_, r_.ti, klass->Ref());
    cpu_sampler_thread_ends(sampler_, 0xA, 0);
    cpu_sampler_stop(sampler_, r_.ti, r_.jni);
    /* This start fails, so the second round tests the state after a failed start. */
    const char *why = nullptr;
    cpu_sampler_start(sampler_, r_.threads, r_.ti, r_.jni, &why);
  }
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetClassMethods), 0);
}

}  // namespace
