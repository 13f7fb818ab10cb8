#pragma once
/* The rows of tracked.def. */
#include <stdbool.h>

#include "agent/event/event.h"
#include "agent/options/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the call is about. SIDE: the reading or the writing side of a lock. */
enum tracked_about { ABOUT_NOTHING, ABOUT_THIS, ABOUT_FIRST, ABOUT_SIDE };

/* What its exit tells; DEEP is a SINGLE that is recorded inside of other tracked calls, too. MADE
   is no event. */
enum tracked_exit {
  ENDS_MADE,
  ENDS_SINGLE,
  ENDS_DEEP,
  ENDS_PAIR,
  ENDS_TRUE,
  ENDS_POSITIVE,
  ENDS_NONZERO,
  ENDS_NONNULL
};

/* What becomes of it with locks=waits. */
enum tracked_brief { BRIEF_NOT, BRIEF_TRY, BRIEF_COUNT, BRIEF_WAIT, BRIEF_SKIP };

struct tracked {
  const char *class_name; /* "java/lang/Object" */
  const char *name, *descriptor;
  enum tracked_about about;
  enum event_kind entry; /* where it is a pair, event_end tells its exit */
  enum tracked_exit exit;
  enum tracked_brief brief;
};

extern const struct tracked tracked[];
extern const int num_tracked;

/* How a call of a row is seen. */
enum tracked_way {
  WAY_NONE,   /* not at all */
  WAY_MADE,   /* as the making of a lock, at the exit */
  WAY_RECORD, /* entry and exit */
  WAY_TRY,    /* the same, when a try in Java did not do, which is only counted */
  WAY_COUNT,  /* only counted, at the exit */
};

/* tracked_way tells it, for a recording with these options. */
enum tracked_way tracked_way(const struct tracked *t, const struct options *o);

/* tracked_is_pair: has its call an event at the exit? */
static inline bool tracked_is_pair(const struct tracked *t) { return t->exit >= ENDS_PAIR; }

/* tracked_has_class: does any row name this class? Signatures are as the JVM gives them,
   "Ljava/lang/Object;". */
bool tracked_has_class(const char *class_signature);

/* tracked_find gives the row of a method, -1 where there is none. */
int tracked_find(const char *class_signature, const char *name, const char *descriptor);

/* tracked_print appends a row as a person would write it: "java.lang.Object.wait(J)V". */
void tracked_print(struct builder *b, int row);

#ifdef __cplusplus
}
#endif
