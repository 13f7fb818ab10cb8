#pragma once
/* Names of locks and problems that stay the same from run to run and from build to build. A name
   has the class of the lock and the method where threads ask for it, but no hash, no line and no
   number of a lambda or an anonymous class. Each function appends to a builder. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* key_class appends the name of a class; that of a lambda, of an anonymous class, or of a class
   that was made at run time without its number: "shop.Cart$$Lambda", "shop.Cart$". 0 is "(unknown
   class)". */
void key_class(struct builder *b, const struct dump *d, uint32_t class_id);

/* key_method appends the full name of a method: "shop.Cart.lambda$add" for lambda$add$3. 0 is
   "(unknown method)". */
void key_method(struct builder *b, const struct dump *d, uint32_t method);

/* key_lock appends "java.lang.Object at shop.Cart.add". */
void key_lock(struct builder *b, const struct dump *d, uint32_t object, place_t place);

/* The links of a ring. Which of them comes first is chance. */
struct key_links {
  size_t num;
  void (*put_link)(struct builder *b, const void *arg, size_t link); /* appends the link's key */
  const void *arg;
};

/* key_ring appends the keys of all links: "shop.Cart at shop.Cart.add > shop.Stock at
   shop.Stock.take". It begins with the link from which this text is first in the alphabet, and
   returns the number of that link. So links with the same key do not make it depend on chance. */
size_t key_ring(struct builder *b, const struct key_links *links);

/* key_order_ring appends the key of a ring of lock orders. Each link is the lock that a thread asks
   for, and where. */
void key_order_ring(struct builder *b, const struct model *m, const struct order_ring *ring);

END_C
