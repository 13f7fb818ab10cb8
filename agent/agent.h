#pragma once
/* The agent as a whole: its parts, in the order in which they start. */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/monitor/contention.h"
#include "agent/monitor/owners.h"
#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "agent/track/engine_callbacks.h"
#include "agent/track/engine_weave.h"
#include "agent/writer/writer.h"
#include "sampler/machine.h"
#include "sampler/pauses.h"
#include "sampler/sampler.h"

#ifdef __cplusplus
extern "C" {
#endif

struct agent {
  jvmtiEnv *ti;
  struct recorder recorder;
  struct threads threads;
  struct owners owners;
  struct contention contention;
  struct lock_counts *lock_counts;
  struct hooks hooks;
  struct callbacks_engine *callbacks; /* the one of these two that the option `engine` asks for; */
  struct weave_engine *weave; /* set before its events are switched on, and there for good */
  struct sampler sampler;
  struct machine machine;
  struct pauses pauses;
  struct writer *writer;
  jvmtiCapabilities capabilities; /* those that the JVM gave */
  uint64_t memory_failed;         /* allocations that had failed when the recording began */
  char prefix[4096];              /* of the recording at hand, or of the last one, or the next */

  /* Of the option `start`: what will be recorded, and when. */
  struct agent_thread starter;
  char *given;          /* PREFIX[,key=value…], malloc'ed */
  uint64_t start_at_ns; /* under control */

  /* Starting, stopping and asking come one at a time: from the thread that starts the JVM, the one
     that ends it, or the one that serves attaching. */
  pthread_mutex_t control;
  enum { AGENT_IDLE, AGENT_WAITING, AGENT_RECORDING, AGENT_DEAD } state; /* under control */
};

/* What parts.c does, for the entry points and callbacks of agent.c.

   setup_init makes what lives as long as the process. False without memory. Once.

   setup_open begins a recording as far as that can be refused: reads the options, asks the JVM for
   its capabilities, makes the files, starts the writer. `live`: the JVM runs already. False, with
   one sentence in `error`: nothing was changed. */
bool setup_init(struct agent *a);
bool setup_open(struct agent *a, const char *options, bool live, char *error, size_t error_size);

/* setup_check refuses what setup_open would refuse of these options, and asks the JVM for all that
   they need, so that it is there when the time comes. No file is made. `live` and `error` as there.
 */
bool setup_check(struct agent *a, const struct options *options, bool live, char *error,
                 size_t error_size);

/* parts_start starts recording, part by part; a part that cannot is said once and left out. */
void parts_start(struct agent *a, JNIEnv *jni);

/* parts_stop ends recording and writes the end of the files. `exiting`: the JVM is about to end,
   and what was done to its classes need not be undone. False when the files were not finished in
   time. */
bool parts_stop(struct agent *a, JNIEnv *jni, const char *reason, bool exiting);

/* later.c: recordings that do not begin at once, as the option `start` says.

   delayed_start_load takes the options of a JVM that is about to start: opens the recording, or
   checks what it will be. False, with one sentence in `error`: the JVM should not start.

   delayed_start_begin begins to record in a JVM that runs, or begins to wait for the time. False,
   with one sentence in `error`: nothing was changed.

   delayed_start_wait begins to wait, once the JVM is up; false without a thread for it, and then
   nothing begins. delayed_start_cancel ends the waiting, and nothing begins. All under `control`.
 */
bool delayed_start_load(struct agent *a, const char *options, char *error, size_t error_size);
bool delayed_start_begin(struct agent *a, JNIEnv *jni, const char *options, char *error,
                         size_t error_size);
bool delayed_start_wait(struct agent *a, JNIEnv *jni);
void delayed_start_cancel(struct agent *a, JNIEnv *jni);

/* control.c: what attaching again and again asks for. `text` is either PREFIX[,key=value…], to
   start, or a word that begins with @ (see there). The result is that of Agent_OnAttach: 0 for
   done. */
jint control_request(struct agent *a, JNIEnv *jni, const char *text);

#ifdef __cplusplus
}
#endif
