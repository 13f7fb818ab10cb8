#pragma once
/* The rewriter: puts calls of hooks into methods of a class file. Bytes in, bytes out; it knows no
   JVM, keeps nothing between two calls, and may be called by several threads at once.

   A woven method calls, as Java would write it,

     static void enter(Object thiz, int id)    when it is entered
     static void exit(int id)                  before each of its returns
     static void exitByException(int id)       when an exception leaves it, which then goes on

   of one class; in all, one exit for each entry. A constructor enters behind its call of the
   superclass's constructor, or of another one of the class (constructor.h): what is thrown before
   gives neither entry nor exit. A `synchronized` method holds its monitor in all three hooks.

   What the hooks themselves throw goes to the caller, without another call of a hook, unless the
   method's own handlers catch it. */
#include "agent/base/bytes.h"
#include "agent/classfile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weave_hooks {
  const char *class_name;        /* "java/lang/Hook" */
  const char *enter;             /* names of static methods: (Ljava/lang/Object;I)V */
  const char *exit;              /* (I)V */
  const char *exit_by_exception; /* (I)V; may be the same as `exit` */
};

/* How a method is woven. */
struct weave_hooking {
  int32_t id;     /* what the hooks are given */
  bool pass_this; /* `enter` gets `this`; null otherwise, and for a static method. A constructor
                     that writes over local variable 0 passes null as well. */
  bool has_exit;  /* false: `enter` only */
};

/* One method that is to be woven, and the answer. */
struct weave_request {
  const char *name, *descriptor; /* "wait", "(J)V" */
  struct weave_hooking hooking;
  enum weave_status status;
};

/* weave_class puts hooks into the methods that are asked for, and sets the status of each request.
   A method that is refused is left as it was, and the others are woven all the same.
   WEAVE_WOVEN: at least one was, and `out` got the new class file behind what it had.
   WEAVE_ABSENT: none was, for the reasons that the requests give; the class stays as it is.
   Else the whole class was refused, and so were all requests. */
enum weave_status weave_class(struct span class_file, const struct weave_hooks *hooks,
                              struct weave_request *requests, size_t num_requests,
                              struct builder *out);

/* Who decides method by method. `choose` is asked about each; false leaves it alone. `done` gets
   the answer for one that was chosen, as in a request. */
struct weave_chooser {
  bool (*choose)(void *context, struct span name, struct span descriptor,
                 struct weave_hooking *out);
  void (*done)(void *context, struct span name, struct span descriptor, enum weave_status status);
  void *context;
};

/* weave_chosen is weave_class with a chooser in place of the list. */
enum weave_status weave_chosen(struct span class_file, const struct weave_hooks *hooks,
                               const struct weave_chooser *chooser, struct builder *out);

#ifdef __cplusplus
}
#endif
