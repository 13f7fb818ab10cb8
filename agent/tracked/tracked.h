#pragma once
/* The rows of tracked.def, which explains the values of all enums. All tables are constant. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/event/event.h"
#include "agent/options/options.h"

BEGIN_C

/* The object of the events. */
enum tracked_about {
  ABOUT_NOTHING,
  ABOUT_THIS,
  ABOUT_FIRST,
  ABOUT_ARGUMENT,
  ABOUT_SIDE,
  ABOUT_RETURNED,
  ABOUT_TASK
};

/* The event at the exit. tracked_is_pair uses the order: from ENDS_PAIR on there is one. */
enum tracked_exit {
  ENDS_MADE,
  ENDS_SINGLE,
  ENDS_DEEP,
  ENDS_RETURNED,
  ENDS_COVER,
  ENDS_HIDDEN,
  ENDS_PAIR,
  ENDS_TRUE,
  ENDS_POSITIVE,
  ENDS_NONZERO,
  ENDS_NONNULL
};

/* What the row does with locks=waits. */
enum tracked_brief { BRIEF_NOT, BRIEF_TRY, BRIEF_COUNT, BRIEF_WAIT, BRIEF_SKIP };

struct tracked {
  const char *class_name; /* "java/lang/Object" */
  size_t class_len;       /* of class_name */
  const char *name, *descriptor;
  enum tracked_about about;
  enum event_kind entry; /* of a pair: its BEGIN; event_end returns the kind of its exit */
  enum tracked_exit exit;
  enum tracked_brief brief;
};

extern const struct tracked tracked[];
extern const int num_tracked;

/* How the method of a row is hooked. */
enum tracked_way {
  WAY_NONE,   /* not at all */
  WAY_MADE,   /* at the exit, for lock_fields_note_constructed */
  WAY_RECORD, /* at the entry and the exit, which are recorded */
  WAY_TRY,    /* OrcaLocks tries to acquire first, and counts; else like WAY_RECORD */
  WAY_COUNT,  /* at the exit, which is only counted */
};

/* tracked_way returns how the row is hooked in a recording with these options, if OrcaLocks works
   in this JVM. */
enum tracked_way tracked_way(const struct tracked *t, const struct options *o);

/* tracked_is_pair returns whether calls of the row have an event at the exit. */
static inline bool tracked_is_pair(const struct tracked *t) { return t->exit >= ENDS_PAIR; }

/* tracked_is_call returns whether a call of the row counts as a tracked call for the calls inside
   of it. */
static inline bool tracked_is_call(const struct tracked *t) {
  return t->exit == ENDS_SINGLE || t->exit >= ENDS_COVER;
}

/* tracked_is_summed returns whether calls of the row get no lines with a threshold, only sums:
   those that hand over a task or start a virtual thread. A service does so for each request. */
static inline bool tracked_is_summed(const struct tracked *t) {
  return event_has(t->entry, TRAIT_HANDS_OVER) && (t->exit == ENDS_SINGLE || t->exit == ENDS_COVER);
}

/* tracked_is_closed returns whether a call of the row never calls code of the program. Others may:
   a barrier runs an action, a task joins others, a queue compares its elements. */
bool tracked_is_closed(const struct tracked *t);

/* tracked_is_of returns whether the row has this class: "java/lang/Object". */
bool tracked_is_of(const struct tracked *t, struct span class_name);

/* tracked_has_class returns whether some row has this class. The signature has the form of the JVM:
   "Ljava/lang/Object;". */
bool tracked_has_class(const char *class_signature);

/* tracked_find returns the row of a method, -1 when there is none. */
int tracked_find(const char *class_signature, const char *name, const char *descriptor);

/* tracked_print appends the method of a row, for the user: "java.lang.Object.wait(J)V". */
void tracked_print(struct builder *b, int row);

END_C
