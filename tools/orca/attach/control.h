#pragma once
/* A word with the agent in a running JVM: the JVM is made to load it (again), which hands it the
   word, and the agent answers in a file. */
#include "agent/base/bytes.h"
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/library.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of it. All zero before; control_free gives the memory back. */
struct control_answer {
  int result;          /* what the agent returned: 0 is done */
  struct builder text; /* what it wrote, in lines; may be nothing */
};

/* control_ask hands the agent `library` of the process a word ("@stop") and, unless it is NULL,
   what the word is about ("PREFIX,options"). False: it did not get that far. */
bool control_ask(const struct target *t, const struct bounded_wait *w,
                 const struct library *library, const char *word, const char *about,
                 struct control_answer *out, struct refusal *why);

void control_free(struct control_answer *answer);

#ifdef __cplusplus
}
#endif
