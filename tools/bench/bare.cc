// The native method of bench.Walk. It takes the stack of its caller from JVMTI and ignores it. Its
// cost is the lower bound for the cost of an event with a stack.
#include <jvmti.h>

namespace {

constexpr jint kDepth = 64;  // the agent's default depth

jvmtiEnv *jvmti;

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *) {
  return vm->GetEnv(reinterpret_cast<void **>(&jvmti), JVMTI_VERSION_1_2) == JNI_OK
             ? JNI_VERSION_1_6
             : JNI_ERR;
}

// Returns the number of frames, or -1 if JVMTI failed.
JNIEXPORT jint JNICALL Java_bench_Walk_walk(JNIEnv *, jclass) {
  jvmtiFrameInfo frames[kDepth];
  jint n = 0;
  return jvmti->GetStackTrace(nullptr, 0, kDepth, frames, &n) == JVMTI_ERROR_NONE ? n : -1;
}
}
