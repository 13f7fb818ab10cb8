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

/* key_ring appends the links of a ring of lock orders, from the one that is first in the alphabet:
   "shop.Cart at shop.Cart.add > shop.Stock at shop.Stock.take". Each link is the lock that a thread
   asks for, and where. */
void key_ring(struct builder *b, const struct model *m, const struct order_ring *ring);

END_C
