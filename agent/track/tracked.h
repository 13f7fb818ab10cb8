#pragma once
/* The rows of tracked.def. */
#include <stdbool.h>

#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tracked_about { ABOUT_NOTHING, ABOUT_THIS };

struct tracked {
  const char *class_name; /* "java/lang/Object" */
  const char *name, *descriptor;
  enum tracked_about about;
  enum event_kind entry; /* its exit, if it has one, is the next kind */
  bool has_exit;
};

extern const struct tracked tracked[];
extern const int num_tracked;

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
