#pragma once
/* The agent as a whole: its parts, in the order in which they start. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/monitor/contention.h"
#include "agent/monitor/owners.h"
#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "agent/track/engine_callbacks.h"
#include "agent/track/engine_weave.h"
#include "agent/writer/writer.h"
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
  struct callbacks_engine *callbacks; /* the one of these two that the option `engine` asks for; */
  struct weave_engine *weave;         /* set before its events are switched on */
  struct sampler sampler;
  struct writer *writer;
  jvmtiCapabilities capabilities; /* those that the JVM gave */
};

/* What parts.c does, for the entry points and callbacks of agent.c.

   agent_open reads the options, asks the JVM for its capabilities, opens the files and starts the
   writer: all that can fail loudly. False, with one sentence in `error`, when the JVM must not
   start. */
bool agent_open(struct agent *a, const char *options, char *error, size_t error_size);

/* agent_start (VMInit) starts recording, part by part; a part that cannot is said once and left
 * out. */
void agent_start(struct agent *a, JNIEnv *jni);

/* agent_stop (VMDeath, or when a file cannot be written) ends recording and writes the end. Once.
 */
void agent_stop(struct agent *a, const char *reason);

#ifdef __cplusplus
}
#endif
