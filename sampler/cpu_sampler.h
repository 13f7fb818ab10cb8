#pragma once
/* CPU samples: one timer per thread, and the decoding of captures into Cpu lines of .samples. See
 * cpu_signal.h (how a sample is taken) and unwinder.h (what it means). */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/hashmap.h"
#include "agent/meta/method_ids.h"
#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "agent/thread/tids.h"
#include "sampler/cpu_signal.h"
#include "sampler/jvm_memory.h"
#include "sampler/unwinder.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NUM_MOUNTED (1 << 16) /* a power of two */

/* All zero: not started. Lives as long as the process. */
struct cpu_sampler {
  struct recorder *recorder;
  struct tids *tids; /* NULL, or where the kernel's numbers of threads are entered; the caller's */
  struct hotspot hotspot;
  struct cpu_signal signal;
  struct unwinder unwinder;
  struct code_map *codes;
  struct method_ids *ids;
  jvmtiFrameInfo *frames; /* for the decoder */
  jfieldID thread_number; /* of java.lang.Thread: `tid` */
  pthread_mutex_t lock;
  struct hashmap timers; /* hash of a thread -> its struct cpu_timer, 0: none; under lock */
  size_t num_timers;     /* under lock */
  uint64_t *mounted;     /* number of a virtual thread and its hash, 32 bits each; atomic */
  bool is_on;            /* threads are sampled; under lock, and atomic */
  bool hears;            /* JVMTI's events are taken; atomic */
  const char *fallback;  /* why threads are not sampled by signals; NULL: they are */
  const char *stopped;   /* why they are not any more; NULL: they are */
  uint64_t lost;         /* captures of which no stack, or only a part, was decoded; atomic */
};

/* cpu_sampler_reset forgets what the last recording counted. Before each start. */
void cpu_sampler_reset(struct cpu_sampler *s);

/* cpu_sampler_init sets up the lock. Once. */
void cpu_sampler_init(struct cpu_sampler *s, struct recorder *recorder);

/* cpu_sampler_start begins to sample all platform threads that live, and those that begin. False,
   with `fallback` set, where this JVM or machine does not let it. Live phase. */
bool cpu_sampler_start(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni);

/* cpu_sampler_learn requests events for all compiled code, and all jmethodIDs. Captures cannot be
   decoded before it returns. The decoder's thread, once. */
void cpu_sampler_learn(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* cpu_sampler_drain decodes what was captured. The decoder's thread. */
void cpu_sampler_drain(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* cpu_sampler_stop ends it; what the threads used since their last sample is recorded as not
   sampled. The decoder's thread, or after its end. */
void cpu_sampler_stop(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* Callbacks, on the thread itself: a platform thread begins or ends, a virtual one begins. `lane`:
   of its records. */
void cpu_sampler_thread_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash);
void cpu_sampler_thread_ends(struct cpu_sampler *s, uint32_t hash, unsigned lane);
void cpu_sampler_virtual_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash);

/* Callbacks: the JVM's own threads. */
void cpu_sampler_code_loaded(struct cpu_sampler *s, jmethodID method, const void *code, jint size,
                             const void *info);
void cpu_sampler_code_unloaded(struct cpu_sampler *s, const void *code);
void cpu_sampler_class(struct cpu_sampler *s, jvmtiEnv *ti, jclass klass);

static inline bool cpu_sampler_is_on(const struct cpu_sampler *s) {
  return __atomic_load_n(&s->is_on, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}
#endif
