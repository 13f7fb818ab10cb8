#include "agent/monitor/acquisition.h"

#include "agent/base/jvmti_compat.h"
#include "agent/base/os_thread.h"
#include "agent/jvm/jvm.h"
#include "agent/thread/ends.h"

#define TRIES 3

/* Returns the depth of the frame that acquired the monitor; -1: the thread does not hold it, or it
   is not known. */
static int find_depth_by_jvmti(jvmtiEnv *ti, JNIEnv *jni, jthread owner, jobject monitor) {
  jint n = 0;
  jvmtiMonitorStackDepthInfo *held = NULL;
  int depth = -1;
  if ((*ti)->GetOwnedMonitorStackDepthInfo(ti, owner, &n, &held) != JVMTI_ERROR_NONE) return -1;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    /* The outermost of several acquisitions comes last. */
    if ((*jni)->IsSameObject(jni, held[i].monitor, monitor)) depth = held[i].stack_depth;
    (*jni)->DeleteLocalRef(jni, held[i].monitor);
  }
  (*ti)->Deallocate(ti, (unsigned char *)held);
  return depth;
}

bool acquisitions_open(struct acquisitions *a, JNIEnv *jni) {
  a->is_refused = a->facts.klass == NULL && !facts_open(&a->facts, &a->recorder->meta, jni);
  return !a->is_refused;
}

static int find_depth_by_facts(struct acquisitions *a, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                               const jvmtiFrameInfo *frames, int num_frames, uint32_t hash) {
  struct thread_facts facts;
  int depth = -1;
  if (!acquisitions_open(a, jni)) return -1;
  if (!facts_read(&a->facts, ti, jni, owner, frames, num_frames, true, &facts)) return -1;
  for (int i = 0; i < facts.num_held; i++) {
    if (facts.held[i].object == hash) depth = facts.held[i].depth;
  }
  return depth;
}

/* Are the frames from `depth` on the same? The frame at `depth` may have moved on. */
static bool is_same_from(const jvmtiFrameInfo *a, const jvmtiFrameInfo *b, int num, int depth) {
  if (a[depth].method != b[depth].method) return false;
  for (int i = depth + 1; i < num; i++) {
    if (a[i].method != b[i].method || a[i].location != b[i].location) return false;
  }
  return true;
}

/* The answer about the depth and the two stacks around it are from different moments. They agree if
   the stack had the same frames, from the depth on, before and after. */
static struct stack *try_to_find(struct acquisitions *a, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                                 jobject monitor, uint32_t hash) {
  jint max = meta_frames_wanted(a->recorder->options.depth), before = 0, after = 0;
  size_t size = (size_t)max * sizeof(jvmtiFrameInfo);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, 2 * size);
  if (frames == NULL) return NULL;
  jvmtiFrameInfo *later = frames + max;
  (*ti)->GetStackTrace(ti, owner, 0, max, frames, &before);
  int depth = a->has_capability ? find_depth_by_jvmti(ti, jni, owner, monitor)
                                : find_depth_by_facts(a, ti, jni, owner, frames, before, hash);
  (*ti)->GetStackTrace(ti, owner, 0, max, later, &after);
  bool agree =
      depth >= 0 && depth < before && before == after && is_same_from(frames, later, before, depth);
  return agree ? stack_of(&a->recorder->meta, ti, jni, later + depth, after - depth, 1) : NULL;
}

struct stack *acquisition_find(struct acquisitions *a, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                               jobject monitor, uint32_t hash) {
  struct stack *stack = NULL;
  if (compat_is_virtual(jni, owner) && !facts_know_virtual(ti)) return NULL;
  for (int i = 0; i < TRIES && stack == NULL && (a->has_capability || !a->is_refused); i++) {
    if (!ends_hold(ti, owner)) break;
    stack = try_to_find(a, ti, jni, owner, monitor, hash);
    ends_release();
  }
  return stack;
}
