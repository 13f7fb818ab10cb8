// The native of bench.Walk: takes the stack of the caller as JVMTI gives it, and does nothing with
// it. That is the least that an event with a stack can cost.
#include <jvmti.h>

namespace {

constexpr jint kDepth = 64;  // as the agent takes it by default

jvmtiEnv *ti;

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *) {
  return vm->GetEnv(reinterpret_cast<void **>(&ti), JVMTI_VERSION_1_2) == JNI_OK ? JNI_VERSION_1_6
                                                                                 : JNI_ERR;
}

// How many frames there are.
JNIEXPORT jint JNICALL Java_bench_Walk_walk(JNIEnv *, jclass) {
  jvmtiFrameInfo frames[kDepth];
  jint n = 0;
  return ti->GetStackTrace(nullptr, 0, kDepth, frames, &n) == JVMTI_ERROR_NONE ? n : -1;
}
}
