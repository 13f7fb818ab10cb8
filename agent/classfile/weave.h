#pragma once
/* The class file rewriter: inserts calls of hooks into methods. The input and the output are the
   bytes of a class file. It needs no JVM and keeps no state between calls. Any thread may call it,
   and several threads at the same time.

   The hooks are static methods of one class. The options of a method (struct weave_hooking) select
   which of them the woven method calls:

     static void enter(Object object, int id)   after the method was entered
     static void enter(Object object, Object self, int id)   the same, with `this`
     static void exit(int id)                   before each return, or
     static void exit(boolean or long or Object value, int id)   with the returned value
     static void thrown(Throwable t, int id)    when an exception leaves the method; the exception
                                                is then thrown on
     static void monitorEnter(Object lock, int id)     before each monitorenter
     static void monitorEntered(Object lock, int id)   after each monitorenter
     static void monitorExit(Object lock, int id)      at each monitorexit (monitors.h)

   For each call of `enter` there is exactly one call of `exit` or `thrown`.

   Special cases:
   - A constructor calls `enter` after its call of another constructor: the superclass's, or one of
     its own class (constructor.h). An exception before that point causes neither `enter` nor
     `thrown`.
   - A `synchronized` method holds its monitor during all of its hooks. The JVM enters the monitor
     before `enter` and exits it after `exit` or `thrown`.
   - An exception thrown by `enter`, `exit` or `thrown` causes no other hook call. It propagates to
     the caller unless one of the method's own handlers catches it.
   - An exception thrown by a monitor hook leaves the monitor in the state that the method's own
     handlers expect there. So they release it correctly. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/classfile/status.h"

BEGIN_C

/* The names of the hooks. Hooks that no hooking selects may be NULL. */
struct weave_hooks {
  const char *class_name; /* "java/lang/Hook" */
  const char
      *enter; /* (Ljava/lang/Object;I)V; with `this` (Ljava/lang/Object;Ljava/lang/Object;I)V */
  const char *exit;   /* (I)V; with values also (ZI)V, (JI)V, (Ljava/lang/Object;I)V */
  const char *thrown; /* (Ljava/lang/Throwable;I)V; NULL: `exit` (I)V is called instead */
  const char *monitor_enter, *monitor_entered, *monitor_exit; /* (Ljava/lang/Object;I)V */
};

enum weave_enter {
  ENTER_NONE,       /* `enter` is not called */
  ENTER_NULL,       /* `object` is null */
  ENTER_LOCAL_ZERO, /* `object` is local variable 0: `this`, or a static method's first argument.
                       It is null if that is no reference, or if a constructor overwrites it. */
  ENTER_LOCAL_ONE,  /* `object` is local variable 1 of a method that is neither static nor a
                       constructor: its first argument. It is null if that is no reference. */
  ENTER_LOCALS,     /* as ENTER_LOCAL_ONE, and `self` is local variable 0 */
};

enum weave_exit {
  EXIT_NONE,  /* neither `exit` nor `thrown` is called */
  EXIT_PLAIN, /* `exit` gets no value */
  EXIT_VALUE, /* `exit` gets the returned value if it is a boolean, a long or a reference */
};

/* A static method of any class. All zero: none. */
struct weave_static {
  const char *class_name, *name;
};

/* How a method is woven. All zero: not at all. */
struct weave_hooking {
  int32_t id; /* the last argument of each hook */
  enum weave_enter enter;
  enum weave_exit exit;
  bool
      monitors; /* weave each monitorenter and monitorexit, and a `synchronized` method's monitor */

  /* Static methods (Ljava/lang/Object;)V that get local variable 0. `at_entry` is called where
     `enter` is called, `at_returns` where `exit` is called. In a constructor, local variable 0 is
     `this`. The method is refused if local variable 0 holds no object there. */
  struct weave_static at_entry, at_returns;

  /* A static method that returns a boolean. Its parameters are `this` and the parameters of the
     woven method. It is called before anything else. If it returns true, the woven method returns
     at once, and returns true itself if it returns a boolean. Only for instance methods that
     return void or boolean, and not for constructors. */
  struct weave_static shortcut;
};

struct pool;

/* A method that a chooser is asked about. Valid only during that call. */
struct weave_method {
  struct span class_name, name, descriptor;
  uint32_t access, class_access; /* access_flags (JVM specification 4.6, 4.1) */
  struct span annotations, class_annotations;
  const struct pool *pool;
};

/* weave_method_has_annotation tells whether the method has an annotation of `type`, for example
   "Ljavax/ws/rs/GET;". weave_class_has_annotation tells it of the method's class. Only annotations
   that are visible at run time count. Malformed annotations count as absent. */
bool weave_method_has_annotation(const struct weave_method *m, const char *type);
bool weave_class_has_annotation(const struct weave_method *m, const char *type);

/* Decides method by method what is woven. `choose` is called once for each method and returns
   false to leave the method alone. `*out` is all zero at the call; its strings must stay valid
   until weave_class returns. `done` gets the result of each chosen method. */
struct weave_chooser {
  bool (*choose)(void *context, const struct weave_method *method, struct weave_hooking *out);
  void (*done)(void *context, const struct weave_method *method, enum weave_status status);
  void *context;
};

/* weave_class inserts hooks into the chosen methods of a class file. A refused method stays
   unchanged; the other methods are woven all the same. Returns:
   WEAVE_WOVEN: at least one method was woven, and the new class file was appended to `out`.
   WEAVE_ABSENT: no method was woven; `done` got the reasons. `out` is unchanged.
   Any other status: the whole class was refused, whatever `done` got before. A lack of memory
   anywhere refuses the whole class with WEAVE_NO_MEMORY. */
enum weave_status weave_class(struct span class_file, const struct weave_hooks *hooks,
                              const struct weave_chooser *chooser, struct builder *out);

/* weave_status_text returns the status as a clause: "the code would grow over 65,535 bytes". The
   string is static. */
const char *weave_status_text(enum weave_status status);

END_C
