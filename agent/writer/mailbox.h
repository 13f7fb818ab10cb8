#pragma once
/* What other threads ask the writer thread for: to make a snapshot, to follow a change of options,
   to stop. They wait for the answer, each for a limited time.

   One request at a time waits in the mailbox. A stop replaces it and stays there until the next
   recording, so neither a request nor its requester can delay the end of the JVM. Each request is
   answered exactly once: by the writer thread, which has taken it, or by the stop that replaced it.
   A requester whose time is over takes its snapshot back, unless the writer thread has it. A change
   stays: others follow it already. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"
#include "agent/files/snapshot.h"
#include "agent/writer/change.h"

BEGIN_C

enum request_kind { REQUEST_SNAPSHOT, REQUEST_CHANGE, REQUEST_STOP };
enum request_answer { ANSWER_NONE, ANSWER_DONE, ANSWER_FAILED, ANSWER_ENDED };

/* The requester and the writer thread share it. The last one frees it, unless it is the stop. */
struct request {
  enum request_kind kind;
  struct snapshot snapshot;   /* of REQUEST_SNAPSHOT */
  struct change *change;      /* of REQUEST_CHANGE; owned */
  const char *reason;         /* of REQUEST_STOP; atomic */
  enum request_answer answer; /* atomic */
  struct semaphore answered;  /* posted after `answer` is set */
  int users;                  /* atomic */
};

struct mailbox {
  struct request *waiting; /* atomic; not taken yet. NULL: none. `stop`: nothing else is accepted */
  struct request stop;     /* it is answered exactly while no writer thread runs */
  struct semaphore wake;
};

/* mailbox_init is called once. */
void mailbox_init(struct mailbox *m);

/* mailbox_open begins a recording. No thread may ask or answer. */
void mailbox_open(struct mailbox *m);

/* --- any thread ----------------------------------------------------------------------- */

bool mailbox_is_open(const struct mailbox *m);     /* the writer thread runs */
bool mailbox_has_request(const struct mailbox *m); /* a snapshot or change that is not taken yet */
void mailbox_wake(struct mailbox *m);

/* These are writer_snapshot, writer_change and writer_stop: see writer.h. */
bool mailbox_ask_snapshot(struct mailbox *m, struct snapshot *s, uint64_t limit_ns);
bool mailbox_ask_change(struct mailbox *m, struct change *c, uint64_t limit_ns, char *error,
                        size_t error_size);
bool mailbox_ask_stop(struct mailbox *m, const char *reason, uint64_t limit_ns);

/* --- the writer thread ------------------------------------------------------------------ */

/* mailbox_has_stop returns whether a stop has been asked for; mailbox_stop_reason says why. */
bool mailbox_has_stop(const struct mailbox *m);
const char *mailbox_stop_reason(const struct mailbox *m);

/* mailbox_take returns the snapshot or the change that waits, or NULL. mailbox_answer must follow;
   it says whether that was done. */
struct request *mailbox_take(struct mailbox *m);
void mailbox_answer(struct request *r, bool is_done);

/* mailbox_wait waits for a wake, at most `ns`. Several wakes since the last call count as one. */
void mailbox_wait(struct mailbox *m, uint64_t ns);

/* mailbox_close says that the thread ends, or could not be started. It is the last access to the
   recording, so the next one can begin at once. */
void mailbox_close(struct mailbox *m);

END_C
