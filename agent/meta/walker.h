#pragma once
/* How the stack of the current thread is found. JVMTI's GetStackTrace walks each stack only once
   for the same physical frames (agent/hotspot/physical.h); after that the stack is found by these.
   One of 1,024 stacks that were found so is walked all the same and compared. After a difference,
   every stack is walked.

   For tests, the environment variable ORCA_WALK is `checked`: every stack that was found so is
   walked and compared; or `jvmti`: every stack is walked. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/hotspot/hotspot.h"
#include "agent/meta/shapes.h"

BEGIN_C

struct walker {
  bool is_on;      /* physical frames are used; atomic */
  bool checks_all; /* every stack that was found is compared; atomic */
  bool is_open; /* the fields below are set; they stay as they are as long as the process lives */
  struct hotspot hotspot;
  uintptr_t to_jni; /* from the address of a JavaThread to that of its JNIEnv */
  struct shapes *shapes;
  bool (*read)(const struct hotspot *, uintptr_t java_thread, uintptr_t until,
               struct physical_key *);
  bool (*read_near)(const struct hotspot *, uintptr_t java_thread, unsigned *num,
                    struct physical_key *, struct physical_trail *);
  unsigned (*methods)(const struct hotspot *, uintptr_t java_thread, unsigned max, jmethodID *);
  bool (*follows)(const struct hotspot *, uintptr_t java_thread, const struct physical_trail *);
  uintptr_t (*above)(const struct hotspot *, uintptr_t java_thread);
  bool (*is_platform)(const struct hotspot *, uintptr_t java_thread); /* NULL: it cannot be told */
};

/* walker_start switches physical frames on for this recording. False if they cannot be read in this
   JVM, or shall not; `*why` is then the reason, a static text for the user. Live phase; the thread
   that starts a recording. */
bool walker_start(struct walker *w, jvmtiEnv *ti, JNIEnv *jni, const char **why);

/* walker_stop switches them off. */
void walker_stop(struct walker *w);

/* walker_is_on returns whether physical frames are used. */
static inline bool walker_is_on(const struct walker *w) {
  return __atomic_load_n(&w->is_on, __ATOMIC_ACQUIRE);
}

/* walker_key hashes the physical frames of the current thread that begin below the address `until`,
   or PHYSICAL_ALL, into `*key`. Returns false if they are not used, or cannot be identified. `jni`
   is the environment of this thread, which is in a callback or a native method. */
bool walker_key(const struct walker *w, JNIEnv *jni, uintptr_t until, struct physical_key *key);

/* The newest physical frames of the current thread. */
struct walker_near {
  struct physical_key key;
  unsigned num; /* of methods; 0: the frames are not used, or cannot be identified */
  struct physical_trail trail;
};

/* walker_find_near looks for the word that walker_put_near has stored for the newest physical
   frames: as few of them as tell it. `seed` says what the word is about; each sort of word has one
   of its own. Returns 0 if there is none. Sets `*out` for walker_put_near. Callers as for
   walker_key. */
uintptr_t walker_find_near(const struct walker *w, JNIEnv *jni, const struct physical_key *seed,
                           struct walker_near *out);

/* walker_put_near stores the word for these frames, if they are at least the newest `num_needed`,
   which determine it. Otherwise the next search takes so many; 0: nothing is stored. Returns
   whether the word was stored. The word is not 0, and less than WALKER_MOST_WORD. */
#define WALKER_MOST_WORD ((uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1))
bool walker_put_near(const struct walker *w, const struct walker_near *near, unsigned num_needed,
                     uintptr_t word);

/* walker_count_frames returns how many of the newest physical frames of methods contain the newest
   Java frames, up to frames[last]. It returns 0 if that is not known, or if these are not all on
   the stack. `frames` are the `num` newest Java frames of the current thread. Callers as for
   walker_key. */
unsigned walker_count_frames(const struct walker *w, JNIEnv *jni, const jvmtiFrameInfo *frames,
                             jint num, jint last);

/* walker_follows returns whether the newest physical frames are those of a trail. */
bool walker_follows(const struct walker *w, JNIEnv *jni, const struct physical_trail *trail);

/* walker_above is for the method whose hook runs. It returns an address on the stack above the
   frames that this method will have called, for walker_key in a hook that runs during its call: see
   physical_above. PHYSICAL_ALL if it is not known. */
uintptr_t walker_above(const struct walker *w, JNIEnv *jni);

/* walker_is_platform returns whether the current thread runs no virtual thread; false if that is
   not known. Callers as for walker_key. */
bool walker_is_platform(const struct walker *w, JNIEnv *jni);

/* walker_checks returns whether a stack that was found must be compared now. `*random` belongs to
   the caller's thread; it is 0 at first. */
bool walker_checks(const struct walker *w, uint32_t *random);

/* walker_differed: the comparison found a difference. Switches physical frames off for the rest of
   the recording and logs one message. Any thread. */
void walker_differed(struct walker *w);

/* walker_size returns the number of cached words, and the memory of the cache. */
struct table_size walker_size(const struct walker *w);

/* walker_walk stores at most `max` frames of the current thread in `frames`, without the top `skip`
   frames. Returns their number; 0 if the JVM gives no stack. */
jint walker_walk(jvmtiEnv *ti, jint skip, jint max, jvmtiFrameInfo *frames);

END_C
