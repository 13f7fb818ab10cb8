#pragma once
/* The sentences of a view for machines: each has a kind and the figures that it tells.

     view_finding(style, "lock");
     view_figure(style, "waited", lock->waited);
     view_put_sentence(b, style, &sentence);

   Without a struct findings in the style these functions do nothing, so a view calls them always.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

/* All zero, with `out` set, is empty; findings_free frees its memory. */
struct findings {
  struct json out;        /* of the array */
  const char *kind;       /* of the next sentence; a constant */
  struct builder figures; /* the members of its object */
  struct json figure;
};

/* view_finding sets the kind of the next sentences, until it is called again, and drops the figures
   of a sentence that was not written. The kinds are in docs/json.md. */
void view_finding(const struct style *style, const char *kind);

/* Each adds a figure of the next sentence. A time is given in ticks, and has a key that ends in
   "_ns". */
void view_figure(const struct style *style, const char *key, uint64_t number);
void view_figure_ticks(const struct style *style, const char *key, ticks_t ticks);
void view_figure_place(const struct style *style, const char *key, const struct model *m,
                       place_t place);
void view_figure_lock(const struct style *style, const char *key, const struct model *m,
                      const struct lock *lock);

/* view_figure_waited adds `waited`, and `waited_is_least` with the value 1 if it is only the least
   possible number. */
void view_figure_waited(const struct style *style, const struct lock *lock);

/* findings_add adds a sentence with the kind and the figures. view_put_sentence calls it. */
void findings_add(struct findings *f, struct span sentence);

void findings_free(struct findings *f);

END_C
