#pragma once
/* Samples CPU time by signals: keeps one timer per platform thread, and decodes captures into the
   Cpu lines of .samples. cpu_signal.h describes how a capture is made, unwinder.h how it is
   decoded. The decoder thread is the sampler's thread (sampler.h). */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/hotspot/jvm_memory.h"
#include "agent/meta/method_ids.h"
#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "agent/thread/tids.h"
#include "sampler/cpu_signal.h"
#include "sampler/unwinder.h"

BEGIN_C

#define NUM_VIRTUAL_THREADS (1 << 16) /* a power of two */

/* Never freed: callbacks may use it as long as the process lives. */
struct cpu_sampler {
  struct recorder *recorder;
  struct tids *tids; /* receives the tids of living threads; owned by the caller; may be NULL */
  struct hotspot hotspot;
  struct cpu_signal signal;
  struct unwinder unwinder;
  struct code_map *codes;
  struct method_ids *ids;
  jvmtiFrameInfo *frames;       /* buffer of the decoder */
  jfieldID thread_number;       /* the field java.lang.Thread.tid; NULL: not looked up */
  jmethodID continuation_entry; /* Continuation.enterSpecial; NULL: not known; atomic */
  bool has_sought_entry;        /* continuation_entry was looked up; atomic */
  pthread_mutex_t lock;
  struct hashmap timers; /* identity hash -> struct cpu_timer; 0: freed. Under lock */
  size_t num_timers;     /* timers that are not freed; under lock */
  /* For recent virtual threads, at index (number % NUM_VIRTUAL_THREADS): number << 32 | identity
     hash. The number is java.lang.Thread.tid. Entries are atomic. NULL: this JVM has no numbers */
  uint64_t *virtual_threads;
  uint64_t *virtual_begun_ns; /* when they began (clock_monotonic_ns); NULL with virtual_threads */
  bool is_on;                 /* timers may be added; written under lock, read atomically */
  bool takes_events;          /* the JVMTI callbacks are processed; atomic */
};

/* cpu_sampler_init initializes `s`, which is then not started. Called once. */
void cpu_sampler_init(struct cpu_sampler *s, struct recorder *recorder);

/* cpu_sampler_start starts to sample all living platform threads, and each platform thread that
   starts later. Returns false if this JVM or machine does not support it, and sets `*why` to the
   reason, a static text for the user. Live phase. */
bool cpu_sampler_start(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni,
                       const char **why);

/* cpu_sampler_request_code makes the JVM report its compiled code and all jmethodIDs. Captures
   cannot be decoded before it returns. Decoder thread, once after each cpu_sampler_start. */
void cpu_sampler_request_code(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* cpu_sampler_drain decodes and records all filled captures. Decoder thread. */
void cpu_sampler_drain(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* cpu_sampler_set_interval changes the CPU time between two samples of a thread. Decoder thread. */
void cpu_sampler_set_interval(struct cpu_sampler *s, uint64_t interval_ns);

/* cpu_sampler_stop stops sampling. It records the CPU time that each thread used since its last
   sample as Unsampled. Decoder thread, or any thread while the decoder thread does not run. */
void cpu_sampler_stop(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* These functions run on the thread that they describe, with its identity hash: a platform thread
   starts or ends, or a virtual thread starts. `is_new` tells whether its kernel thread was made for
   it (origin.h). `lane` is the lane of the thread's records. */
void cpu_sampler_thread_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash,
                               bool is_new);
void cpu_sampler_thread_ends(struct cpu_sampler *s, uint32_t hash, unsigned lane);
void cpu_sampler_virtual_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash);

/* Callbacks of CompiledMethodLoad, CompiledMethodUnload and ClassPrepare. Any thread. */
void cpu_sampler_code_loaded(struct cpu_sampler *s, jmethodID method, const void *code, jint size,
                             const void *info);
void cpu_sampler_code_unloaded(struct cpu_sampler *s, const void *code);
void cpu_sampler_class_prepared(struct cpu_sampler *s, jvmtiEnv *ti, jclass klass);

/* cpu_sampler_drop_unloaded forgets the jmethodIDs of unloaded classes, once many were added. Live
   phase; one thread at a time. */
void cpu_sampler_drop_unloaded(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* cpu_sampler_ids_size and cpu_sampler_code_size return the sizes of `ids` and `codes`; zero before
   the first start. Any thread. */
struct table_size cpu_sampler_ids_size(const struct cpu_sampler *s);
struct table_size cpu_sampler_code_size(const struct cpu_sampler *s);

static inline bool cpu_sampler_is_on(const struct cpu_sampler *s) {
  return __atomic_load_n(&s->is_on, __ATOMIC_RELAXED);
}

END_C
