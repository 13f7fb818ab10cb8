#pragma once
/* The agent as a whole: one struct with all its parts, and the functions that set it up, start it,
   stop it and answer requests. Private to the files of this folder. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"
#include "agent/deadlock/deadlock.h"
#include "agent/inventory/inventory.h"
#include "agent/monitor/contention.h"
#include "agent/monitor/owners.h"
#include "agent/record/firings.h"
#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "agent/track/engine_callbacks.h"
#include "agent/track/engine_weave.h"
#include "agent/writer/writer.h"
#include "sampler/machine.h"
#include "sampler/pauses.h"
#include "sampler/sampler.h"

BEGIN_C

struct agent {
  jvmtiEnv *ti; /* NULL until the library is loaded successfully */
  struct recorder recorder;
  struct threads threads;
  struct inventory inventory;
  struct deadlock_watch deadlocks;
  struct owners owners;
  struct contention contention;
  struct lock_counts *lock_counts;
  struct young_watch young;
  struct hooks hooks;

  /* The two engines. Each is NULL until a recording selects it with the option `engine` for the
     first time. It is set before its JVMTI events are enabled, and never freed. */
  struct callbacks_engine *callbacks;
  struct weave_engine *weave;

  struct sampler sampler;
  struct machine machine;
  struct pauses pauses;
  struct writer *writer;
  struct agent_thread sweeper;
  struct living_classes *living_classes; /* from the sweeper to the writer; a slot, atomic */
  bool lacks_resource; /* the last attempt to record failed: the process may start no thread, or the
                          folder does not answer */
  bool begins_live; /* the recording begins in a running JVM: by attach, or with the option `start`
                     */
  jvmtiCapabilities capabilities; /* requested by the last recording and granted by the JVM */
  char prefix[4096];              /* expanded; of the current recording, else of the last one; while
                                     AGENT_WAITING, of the next one */

  /* The run of `orca run` that this JVM belongs to, from the environment; NULL: none. It concerns
     only the recording that -agentpath asks for, and is NULL after an attach asked for one. */
  const char *run;

  /* For the options `start` and `duration`. The times are those of CLOCK_MONOTONIC. */
  struct agent_thread timer; /* waits until start_at_ns, then until end_at_ns */
  char *start_options;       /* of the recording that is to begin: PREFIX[,key=value…], malloc'ed;
                                under control */
  uint64_t start_at_ns;      /* under control */
  uint64_t end_at_ns;        /* of the recording; 0: it has no such end. Under control */
  bool has_ended_by_duration; /* the last recording, into `prefix`; under control */

  /* Options that change during the recording; under control. The options in force are those of the
     recorder: `set_options`, changed by the triggers that are on. */
  struct options first_options; /* with which the recording began */
  uint64_t begun_ns;            /* CLOCK_MONOTONIC */
  struct options set_options;
  struct {
    bool is_on;
    uint64_t until_ns; /* CLOCK_MONOTONIC */
  } escalations[NUM_TRIGGERS];
  struct firings firings;        /* from the writer to `escalator` */
  struct agent_thread escalator; /* with a trigger that changes options */

  /* Serializes start, stop, set, snapshot and status. Users are the VMInit and VMDeath callbacks,
     the JVM's attach thread, `timer` and `escalator`. */
  struct semaphore control;                                              /* a bounded_lock */
  enum { AGENT_IDLE, AGENT_WAITING, AGENT_RECORDING, AGENT_DEAD } state; /* under control */
};

/* --- setup.c: the steps before any part starts; only these can refuse a recording ------------- */

/* setup_init makes the parts that live as long as the process. Returns false without memory. Call
   it once, before any other function of this file. */
bool setup_init(struct agent *a);

/* setup_open begins a recording: it parses `text` (PREFIX[,key=value…]), makes the files, gets
   the capabilities from the JVM, and starts the writer. `live` says whether the JVM is in its live
   phase. The recorder stays off until parts_start. On false nothing is recorded, and `error`
   contains one sentence. The caller holds `control`, or is in Agent_OnLoad. */
bool setup_open(struct agent *a, const char *text, bool live, char *error, size_t error_size);

/* setup_check returns false, with one sentence in `error`, where setup_open would refuse these
   options. It makes no files that stay. It already gets the capabilities, because some are
   available only before the JVM is live. It sets a->prefix. `live` and the caller are the same as
   for setup_open. */
bool setup_check(struct agent *a, const struct options *options, bool live, char *error,
                 size_t error_size);

/* --- parts.c: the parts of a recording -------------------------------------------------------- */

/* parts_start switches the recorder on and starts all parts in order. A part that cannot start is
   reported in one line on stderr; the others start without it. The caller holds `control`, in the
   live phase. */
void parts_start(struct agent *a, JNIEnv *jni);

/* parts_stop stops all parts, switches the recorder off, and finishes the files. `reason` goes into
   .info. `exiting` says that the JVM is ending, so that woven classes need not be restored. Returns
   false when the writer did not finish within 5 s. The caller holds `control`, or could not get it
   within a second in VMDeath. */
bool parts_stop(struct agent *a, JNIEnv *jni, const char *reason, bool exiting);

/* parts_change puts the options `next` in force, for the recorder and all parts but the writer.
   Returns false if the JVM refuses; then `before` is in force, as it was. The caller holds
   `control`, in the live phase. */
bool parts_change(struct agent *a, JNIEnv *jni, const struct options *before,
                  const struct options *next);

/* --- settings.c: options that change while a recording runs ----------------------------------- */

/* settings_begin takes the options with which a recording begins. */
void settings_begin(struct agent *a);

/* settings_set changes the options of the recording as `words` say, "key=value[,key=value…]", all
   of them or none. On false `error` contains one sentence. The caller holds `control`; the state is
   AGENT_RECORDING, in the live phase. */
bool settings_set(struct agent *a, JNIEnv *jni, const char *words, char *error, size_t error_size);

/* escalation_start starts the thread that waits for triggers, unless it runs already. False if the
   JVM does not provide the thread. escalation_stop waits at most a second for its end. The caller
   holds `control`, in the live phase. */
bool escalation_start(struct agent *a, JNIEnv *jni);
void escalation_stop(struct agent *a);

/* --- sweeper.c: unloaded classes and dead locks ----------------------------------------------- */

/* sweeper_start starts the thread that forgets unloaded classes and dead locks. False if the JVM
   does not provide the thread; then the tables grow with each class, and that of locks gets full.
   sweeper_stop waits at most a second for its end. The caller holds `control`, in the live phase.
 */
bool sweeper_start(struct agent *a, JNIEnv *jni);
void sweeper_stop(struct agent *a);

/* --- schedule.c: when a recording begins and ends --------------------------------------------- */

/* schedule_load handles `text`, the options of -agentpath. With start=now it opens the
   recording; else it only checks the options, and remembers them when `start` is a time. On false,
   with one sentence in `error`, the JVM should not start. Only Agent_OnLoad calls it. */
bool schedule_load(struct agent *a, const char *text, char *error, size_t error_size);

/* schedule_begin starts a recording in a live JVM, or starts to wait for its time. `text` is
   PREFIX[,key=value…]. On false, with one sentence in `error`, neither has begun. The caller holds
   `control`. */
bool schedule_begin(struct agent *a, JNIEnv *jni, const char *text, char *error, size_t error_size);

/* schedule_wait starts the thread that waits until start_at_ns and then starts the recording.
   Returns false when the JVM does not provide the thread; the state is AGENT_IDLE then. The caller
   holds `control`, in the live phase. */
bool schedule_wait(struct agent *a, JNIEnv *jni);

/* schedule_cancel ends that thread and sets the state to AGENT_IDLE. It waits at most a second
   for the thread. The caller holds `control`. */
void schedule_cancel(struct agent *a, JNIEnv *jni);

/* schedule_end starts the thread `timer`, which ends a recording at end_at_ns, after the thread
   of an earlier recording has ended. Returns false when the JVM does not provide the thread. The
   caller is another thread that holds `control`, in the live phase; the recording is on, or begins
   before the caller gives up `control`. */
bool schedule_end(struct agent *a, JNIEnv *jni);

/* schedule_stop ends the thread `timer` and waits at most a second for its end. The caller is as
   for schedule_end. */
void schedule_stop(struct agent *a);

/* --- status.c --------------------------------------------------------------------------------- */

/* status_put appends what the agent does, lines of key=value that each begin with a newline. The
   caller holds `control`; the state is AGENT_RECORDING. */
void status_put(struct agent *a, struct builder *b);

/* --- control.c: requests to a live JVM -------------------------------------------------------- */

/* control_lock takes `control` for one of the agent's own threads. The thread that stops this one
   may hold `control` meanwhile, so it returns false, without the lock, when `self` shall end. */
bool control_lock(struct agent *a, struct agent_thread *self);

/* control_handle_request carries out `text`: PREFIX[,key=value…] starts a recording; the other
   requests begin with '@' and are listed in control.c. Takes `control`. Returns the result of
   Agent_OnAttach: 0 when the request succeeded, 1 when it was refused. */
jint control_handle_request(struct agent *a, JNIEnv *jni, const char *text);

END_C
