#pragma once
/* Names for people: java.util.HashMap, OrderService.price, OrderService.java:88. Each names_…
   function appends a name to a builder. If the dump does not define a class, a method or a thread,
   the name is its number. The text is plain UTF-8 without control characters. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/place.h"
#include "tools/orca/model/threads.h"

BEGIN_C

/* names_type appends the type of a JVM signature: java.util.HashMap for "Ljava/util/HashMap;",
   int[] for "[I". */
void names_type(struct builder *b, struct span signature);

/* names_class appends "java.util.HashMap", or "class 15DB9742" if the class is not defined. */
void names_class(struct builder *b, const struct dump *d, uint32_t class_id);

/* names_method appends "OrderService.price", the class without its package. A pseudo frame has a
   name in parentheses, such as "(native)". */
void names_method(struct builder *b, const struct dump *d, uint32_t method);

/* names_full_method appends "com.acme.OrderService.price", the class with its package. */
void names_full_method(struct builder *b, const struct dump *d, uint32_t method);

/* names_parameters appends the types of a method's parameters without their packages, for example
   "(int, String[])". It appends nothing if the method is not defined. */
void names_parameters(struct builder *b, const struct dump *d, uint32_t method);

/* names_match returns whether a shell pattern matches a name with dots, or its part after one of
   the dots: "Cart" and "acme.*" match "com.acme.Cart". A name also matches itself: "int[]". */
bool names_match(const char *name, const char *pattern);

/* names_method_matches returns whether a shell pattern matches a method (names_match with its full
   name), for example "price", "OrderService.*" or "com.acme.*.price". */
bool names_method_matches(const struct dump *d, uint32_t method, const char *pattern);

/* names_stack_matches returns whether a method of the stack matches. */
bool names_stack_matches(const struct dump *d, const struct stacks *stacks, stack_id_t stack,
                         const char *pattern);

/* names_source appends "OrderService.java:88", or "OrderService.java" if the line is not known. It
   appends nothing if the file is not known. */
void names_source(struct builder *b, const struct dump *d, place_t place);

/* names_path appends the path of a method's file in a source tree: "com/acme/OrderService.java". It
   appends nothing if the file is not known. */
void names_path(struct builder *b, const struct dump *d, uint32_t method);

/* names_place appends "OrderService.price (OrderService.java:88)". */
void names_place(struct builder *b, const struct dump *d, place_t place);

/* names_short_place appends "OrderService.price:88". */
void names_short_place(struct builder *b, const struct dump *d, place_t place);

/* names_object_class appends the class of an object: "java.util.HashMap"; of an object of
   java.lang.Class, the class that it represents: "class com.acme.Registry". */
void names_object_class(struct builder *b, const struct dump *d, const struct dump_object *o);

/* names_object appends "com.acme.Inventory@0A1B2C3D". If objects of two classes share the hash, it
   appends "A or B@0A1B2C3D". An object of java.lang.Class is
   "class com.acme.Registry@0A1B2C3D". */
void names_object(struct builder *b, const struct dump *d, uint32_t hash);

/* names_short_object is names_object without packages: "Inventory@0A1B2C3D". */
void names_short_object(struct builder *b, const struct dump *d, uint32_t hash);

/* names_thread appends "worker-3", or "thread 0A1B2C3D" for a thread without a name. A virtual
   thread without a name has the name of virtual_names.h. */
void names_thread(struct builder *b, const struct threads *t, uint32_t hash);

/* names_call returns the Java call whose pair begins with an event of this kind: "Object.wait",
   "Thread.join". */
const char *names_call(enum event_kind kind);

/* names_program appends the main class, the jar or the module of the recorded command:
   "com.acme.Shop", "shop.jar". If the command does not start `java`, or the name is not clear, it
   appends the name of the executable. It appends nothing if .info has no command, or an empty
   one (command=off). */
void names_program(struct builder *b, const struct dump *d);

END_C
