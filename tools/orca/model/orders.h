#pragma once
/* Lock orders: "this thread asked for B while it held A". If other threads take the two locks in
   the opposite order, the program can deadlock, even if it never has.

   Which locks a thread holds is known if every acquisition and release is recorded (locks=all,
   monitors=all; see holders.h). Otherwise an order is only known in one case: a thread asks for a
   lock, the event names the owner, and that owner is blocked on another lock. The further locks of
   such an owner are not known.

   Semaphores are never part of an order, because any thread may release them. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/state/holders.h"

BEGIN_C

/* A lock that a thread holds or asks for. */
struct order_lock {
  enum lock_sort sort;
  uint32_t object;
};

/* Where a thread asked for a lock. The orders of one row can have several methods. */
struct order_site {
  stack_id_t has_stack, asks_stack;
  size_t next; /* site of the same row, plus one; 0: none */
};

/* A thread held `has` and asked for `asks`. The gates are the further locks that it held. */
struct order {
  struct order_lock has, asks;
  uint32_t thread;
  stack_id_t has_stack;  /* where it acquired `has`; 0: not known */
  stack_id_t asks_stack; /* where it asked for `asks` */
  ticks_t first;         /* time of the first occurrence */
  uint64_t times;        /* number of acquisitions, also those that failed */
  bool partial;          /* the gates are not known */
  size_t gates;          /* index of the first gate in `gates` of struct orders */
  size_t sites;        /* the first site with another method than `asks_stack`, plus one; 0: none */
  uint32_t asks_class; /* the ClassID of `asks`, from orders_end on; 0: not known */
  size_t num_gates;
};

/* A ring of orders of different threads. Each thread holds what the thread before it asks for. No
   two of the threads hold a lock that keeps the other one out, so all can be in the ring at the
   same time. */
struct order_ring {
  size_t first, num; /* in `links` of struct orders */
  uint64_t alike;    /* number of further rings of other locks with the same places */
  bool partial;      /* one of its orders is partial */
};

/* A struct of zeros is empty; orders_free frees its memory. */
struct orders {
  bool exact_monitors; /* owners=all: a monitor's event names the owner at the time of the event */
  struct hashmap ids;  /* hash of a row -> row plus one, until orders_end */
  struct hashmap
      asked; /* thread -> lock_key of the lock that it last began to wait for; 0: it got it */
  struct order *rows;
  size_t num, capacity;
  struct order_lock *gates;
  size_t num_gates, gates_capacity;
  struct order_site *sites;
  size_t num_sites, sites_capacity;
  struct hashmap site_ids;     /* row and method of a site -> 1, until orders_end */
  const struct stacks *stacks; /* the caller's */
  uint64_t left_out;           /* occurrences of orders for which there was no room */
  struct order *links;         /* of the rings, ring after ring */
  size_t num_links, links_capacity;
  struct order_ring *rings;
  size_t num_rings, rings_capacity;
  /* Rings that differ in the classes of their locks, or in the methods that ask for them. `rings`
     has fewer: one ring there represents all rings with the same locks or places, and the order in
     time decides which one. */
  struct order_ring *variants;
  size_t num_variants, variants_capacity;
  bool lacks_variants; /* a limit left some out; the order in time decides which ones remain */
  struct hashmap variant_ids; /* hash of classes and methods -> 1 */
  struct hashmap ring_ids;    /* hash of a ring's locks or places -> ring plus one */
};

/* orders_event takes an event, before it changes the holders and the pairs. `stack` is that of the
   event. It returns false when memory ran out. Only orders.c and its test call it. */
bool orders_event(struct orders *o, const struct holders *holders, const struct pairs *pairs,
                  const struct event_line *line, stack_id_t stack);

/* orders_end searches for rings. It ignores locks whose holders are not known (holders_are_known).
   A ring counts if one of its orders matches the filter. It returns false when memory ran out. */
bool orders_end(struct orders *o, const struct holders *holders, const struct stacks *stacks,
                struct matcher *matcher);

void orders_free(struct orders *o);

END_C
