#pragma once
/* The rewriter: puts calls of hooks into methods of a class file. Bytes in, bytes out; it knows no
   JVM, keeps nothing between two calls, and may be called by several threads at once.

   A woven method calls, as Java would write it, those that its hooking asks for of

     static void enter(Object object, int id)   when it is entered
     static void exit(int id)                   before each of its returns, or
     static void exit(boolean or long or Object value, int id)   with what it returns
     static void thrown(Throwable t, int id)    when an exception leaves it, which then goes on
     static void monitorEnter(Object lock, int id)     before each monitorenter in it
     static void monitorEntered(Object lock, int id)   behind it
     static void monitorExit(Object lock, int id)      at each monitorexit (monitors.h)

   of one class; in all, one exit for each entry. A constructor enters behind its call of the
   superclass's constructor, or of another one of the class (constructor.h): what is thrown before
   gives neither entry nor exit. A `synchronized` method holds its monitor in all of its hooks; the
   monitor is entered before `enter`, and exited behind `exit` or `thrown`.

   What enter, exit and thrown themselves throw goes to the caller, without another call of a hook,
   unless the method's own handlers catch it. What is thrown at a monitor's hook leaves the monitor
   as it would be without the hook, so that the method's own code releases it. */
#include "agent/base/bytes.h"
#include "agent/classfile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names of static methods, of those that hookings ask for. */
struct weave_hooks {
  const char *class_name; /* "java/lang/Hook" */
  const char *enter;      /* (Ljava/lang/Object;I)V */
  const char *exit;       /* (I)V; with values also (ZI)V, (JI)V, (Ljava/lang/Object;I)V */
  const char *thrown;     /* (Ljava/lang/Throwable;I)V; NULL: `exit`, (I)V, in its place */
  const char *monitor_enter, *monitor_entered, *monitor_exit; /* (Ljava/lang/Object;I)V */
};

enum weave_enter {
  ENTER_NONE,  /* no call of `enter` */
  ENTER_NULL,  /* it gets null */
  ENTER_FIRST, /* it gets local variable 0: `this`, or the first argument of a static method. Null
                  where that is no reference, or is lost in a constructor. */
};

enum weave_exit {
  EXIT_NONE, /* no call of `exit` nor of `thrown` */
  EXIT_PLAIN,
  EXIT_VALUE, /* `exit` gets what is returned if that is a boolean, a long or a reference */
};

/* A static method of any class; all zero: none. */
struct weave_static {
  const char *class_name, *name;
};

/* How a method is woven. All zero: not at all. */
struct weave_hooking {
  int32_t id; /* what the hooks are given */
  enum weave_enter enter;
  enum weave_exit exit;
  bool monitors; /* its monitorenters and monitorexits; its own monitor where it is synchronized */

  /* Static methods (Ljava/lang/Object;)V that are called with local variable 0 where `enter` and
     `exit` would be; in a constructor it is `this`. Refused where it holds no object. */
  struct weave_static at_entry, at_returns;

  /* A static method with the parameters of this one, behind one of its own class for `this`, that
     gives a boolean: true, and the method returns at once, with true if it returns a boolean. It is
     called before anything else. Only for instance methods that return that or nothing, and for no
     constructor. */
  struct weave_static shortcut;
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
   Else the whole class was refused, and so were all requests: WEAVE_NO_MEMORY where there was no
   memory for any piece of it. */
enum weave_status weave_class(struct span class_file, const struct weave_hooks *hooks,
                              struct weave_request *requests, size_t num_requests,
                              struct builder *out);

struct pool;

/* A method that is asked about; only good for the time of the call. */
struct weave_method {
  struct span class_name, name, descriptor;
  uint32_t access, class_access; /* access_flags (JVM specification 4.6, 4.1) */
  struct span annotations, class_annotations;
  const struct pool *pool;
};

/* weave_method_annotated tells whether the method has an annotation of this type, which programs
   can see when they run: "Ljavax/ws/rs/GET;". weave_class_annotated is about its class. Malformed
   annotations are none. */
bool weave_method_annotated(const struct weave_method *m, const char *type);
bool weave_class_annotated(const struct weave_method *m, const char *type);

/* Who decides method by method. `choose` is asked about each; false leaves it alone. What `*out`
   points to, which is all zero before, must last until weave_chosen returns. `done` gets the answer
   for one that was chosen, as in a request. */
struct weave_chooser {
  bool (*choose)(void *context, const struct weave_method *method, struct weave_hooking *out);
  void (*done)(void *context, const struct weave_method *method, enum weave_status status);
  void *context;
};

/* weave_chosen is weave_class with a chooser in place of the list. */
enum weave_status weave_chosen(struct span class_file, const struct weave_hooks *hooks,
                               const struct weave_chooser *chooser, struct builder *out);

#ifdef __cplusplus
}
#endif
