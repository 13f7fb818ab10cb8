#pragma once
/* In which order threads take locks: "this thread asked for B while it had A". Where others take
   them the other way round, the program can deadlock, though it may never have.

   First the events in their order, then orders_end, then ask. It is known what a thread has where
   each acquisition and release is recorded (locks=all, monitors=all, see holders.h). Else an order
   shows only where a thread asks for a lock whose owner is told at that moment, while the owner is
   itself in line for another one; what else that one had is not known then. Semaphores are left
   out: others than those who acquired them may release them. */
#include "tools/orca/model/filter.h"
#include "tools/orca/model/state/holders.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lock as it is had or asked for. */
struct order_lock {
  enum lock_sort sort;
  uint32_t object;
};

/* A thread had `has`, and further locks, and asked for `asks`; the first time of several. */
struct order {
  struct order_lock has, asks;
  uint32_t thread;
  stack_id_t has_stack;  /* where it got the one; 0: not known */
  stack_id_t asks_stack; /* where it asked for the other one */
  ticks_t first;
  uint64_t times;
  bool partial;     /* what else it had is not known */
  size_t gates;     /* index in orders.gates of what else it had, */
  size_t num_gates; /* so many */
};

/* A ring of orders by as many threads, none of which has a lock that keeps another one out of the
   ring (a gate): each has what the one before it asks for. */
struct order_ring {
  size_t first, num; /* in orders.links */
  uint64_t alike;    /* further rings of other locks at the same places */
  bool partial;      /* one of its orders is */
};

/* All zero is empty; orders_free gives the memory back. */
struct orders {
  bool exact_monitors; /* owners=all: the owner that a line names is that of its moment */
  struct hashmap ids;  /* hash of a row -> row plus one, until orders_end */
  struct order *rows;
  size_t num, capacity;
  struct order_lock *gates;
  size_t num_gates, gates_capacity;
  uint64_t left_out;   /* orders that there was no room for */
  struct order *links; /* of the rings, one behind the other */
  size_t num_links, links_capacity;
  struct order_ring *rings;
  size_t num_rings, rings_capacity;
  struct hashmap ring_ids; /* hash of the places -> ring plus one */
};

/* orders_start takes what is known of the dump as a whole. */
void orders_start(struct orders *o, const struct dump *d);

/* orders_event takes an event, before the holders and the pairs do. False: memory ran out. */
bool orders_event(struct orders *o, const struct holders *holders, const struct pairs *pairs,
                  const struct event_line *line, stack_id_t stack);

/* orders_end ends the adding and finds the rings; those of locks of which `holders` know nothing
   are none. With `matcher` only rings with a link that is asked for stay. False: memory ran out. */
bool orders_end(struct orders *o, const struct holders *holders, const struct stacks *stacks,
                struct matcher *matcher);

void orders_free(struct orders *o);

#ifdef __cplusplus
}
#endif
