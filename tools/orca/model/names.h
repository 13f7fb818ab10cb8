#pragma once
/* What things are called when a person reads: java.util.HashMap, OrderService.price,
   OrderService.java:88. Each appends to a builder; what the dump does not explain is named by its
   number. Text is real UTF-8 without control characters. */
#include "tools/orca/model/state/place.h"
#include "tools/orca/model/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* names_type writes a JVM signature: "Ljava/util/HashMap;" is java.util.HashMap, "[I" is int[]. */
void names_type(struct builder *b, struct span signature);

/* "java.util.HashMap", "class 15DB9742". */
void names_class(struct builder *b, const struct dump *d, uint32_t class_id);

/* "OrderService.price": the class without its package; "(native)" of a pseudo frame, whose name is
   the same with a package. */
void names_method(struct builder *b, const struct dump *d, uint32_t method);

/* "com.acme.OrderService.price": the class with its package. */
void names_full_method(struct builder *b, const struct dump *d, uint32_t method);

/* "(int, String[])": the types of its parameters, less their packages; nothing where it is not
 * known.
 */
void names_parameters(struct builder *b, const struct dump *d, uint32_t method);

/* names_match tells whether a pattern of the shell means a name with dots in it, or what stands
   behind one of its dots: "Cart" and "acme.*" mean "com.acme.Cart". */
bool names_match(const char *name, const char *pattern);

/* names_method_is tells whether a method is meant by a pattern of the shell such as "price",
   "OrderService.*" or "com.acme.*.price". */
bool names_method_is(const struct dump *d, uint32_t method, const char *pattern);

/* "OrderService.java:88", "OrderService.java" without a line, nothing where no file is known. */
void names_source(struct builder *b, const struct dump *d, place_t place);

/* "com/acme/OrderService.java": where the file of a method lies in a tree of sources; nothing where
   no file is known. */
void names_path(struct builder *b, const struct dump *d, uint32_t method);

/* "OrderService.price (OrderService.java:88)". */
void names_place(struct builder *b, const struct dump *d, place_t place);

/* "com.acme.Inventory@0A1B2C3D"; where two objects share the hash "A or B@0A1B2C3D". */
void names_object(struct builder *b, const struct dump *d, uint32_t hash);

/* "worker-3"; "thread 0A1B2C3D" without a name. */
void names_thread(struct builder *b, const struct threads *t, uint32_t hash);

#ifdef __cplusplus
}
#endif
