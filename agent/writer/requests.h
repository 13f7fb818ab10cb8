#pragma once
/* What other threads ask the writer thread for: to write everything now, to make a snapshot, to
   follow a change of options, to stop. They wait for the answer, each for a limited time. Only one
   thread at a time may ask; any thread may wake. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"
#include "agent/writer/change.h"
#include "agent/writer/snapshot.h"

BEGIN_C

/* A snapshot or a change. Both threads use it; the last one frees it. */
struct wish {
  struct snapshot snapshot;
  struct change *change; /* NULL: it is a snapshot */
  bool is_good;          /* the wish has been fulfilled */
  bool is_done;          /* atomic */
  int users;             /* atomic */
};

/* A flush or a stop is a new number in `last`, with a bit for a stop; then `wake` is posted. The
   answer to a flush is the same number in `last_answer`, the answer to a stop is that `running` is
   cleared; then `done` is posted. As each request has its own number, a requester does not mistake
   the late answer to an earlier request, which timed out, for its own. */
struct requests {
  unsigned last, last_answer; /* atomic */
  const char *reason;         /* of the stop */
  struct wish *wish;          /* atomic: the writer thread takes it. NULL: none */
  struct semaphore wake, done;
  bool running; /* the thread exists; it clears this at its end. Atomic */
};

/* requests_init is called once. */
void requests_init(struct requests *r);

/* requests_begin begins a recording. No thread may ask or answer. */
void requests_begin(struct requests *r);

/* requests_cancel ends a recording whose thread could not be started. */
void requests_cancel(struct requests *r);

/* --- any thread ----------------------------------------------------------------------- */

bool requests_are_served(const struct requests *r); /* the writer thread runs */
void requests_wake(struct requests *r);

/* These are writer_flush, writer_stop, writer_snapshot and writer_change: see writer.h. */
bool requests_flush(struct requests *r, uint64_t limit_ns);
bool requests_stop(struct requests *r, const char *reason, uint64_t limit_ns);
bool requests_snapshot(struct requests *r, struct snapshot *s, uint64_t limit_ns);
bool requests_change(struct requests *r, struct change *c, uint64_t limit_ns, char *error,
                     size_t error_size);

/* --- the writer thread ------------------------------------------------------------------ */

/* requests_want_stop returns whether a stop has been asked for. */
bool requests_want_stop(const struct requests *r);

/* requests_take_flush returns the request for a flush that is not answered yet; 0: none. */
unsigned requests_take_flush(const struct requests *r);

/* requests_answer_flush answers it. */
void requests_answer_flush(struct requests *r, unsigned request);

/* requests_answer_stop says that the thread ends. It is the thread's last access to the recording.
 */
void requests_answer_stop(struct requests *r);

/* requests_take_wish returns a wish that nobody has taken, or NULL. requests_answer_wish says
   whether it was fulfilled. */
struct wish *requests_take_wish(struct requests *r);
void requests_answer_wish(struct requests *r, struct wish *wish, bool is_good);

/* requests_wait waits for a wake, at most `ns`. Several wakes since the last call count as one. */
void requests_wait(struct requests *r, uint64_t ns);

END_C
