#pragma once
/* Who is missing where threads wait, and the exceptions that ended threads and tasks. */
#include "tools/orca/answer/find_hang.h"

BEGIN_C

/* find_parties adds the threads that did before what a group of threads waits for, and do not wait
   for it themselves. It notes in group 0 of `told` whom it names, and
   in group 1 whose failed tasks. The signals of the group and of
   `out` must be known. */
void find_parties(const struct finder *f, const struct hang_group *row, struct tally *told,
                  struct found_wait *out);

/* find_rest_parties adds the threads that ended earlier waits in a call at a place, if a thread has
   waited there for long and still does. */
void find_rest_parties(const struct finder *f, int call, place_t place, struct found_rows *out);

/* are_users_of_pool returns whether only threads that wait at the place of a wait now have ended
   earlier waits there: each waits for what the others give back. Waits of consumers end by
   producers. */
bool are_users_of_pool(const struct finder *f, const struct pair *pair);

/* find_failure adds what ended a thread; nothing if it was no exception, or is not known. */
void find_failure(const struct finder *f, uint32_t thread, struct found_rows *out);

/* find_failures adds the exceptions that ended threads and tasks, if they are few, without those of
   the threads in `told`. */
void find_failures(const struct finder *f, const struct tally *told, struct found_rows *out);

END_C
