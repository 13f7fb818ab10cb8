#pragma once
/* Shared by the files measure….c. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/figures.h"
#include "tools/orca/budget/measure/key.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/contention.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/locks.h"

BEGIN_C

struct measuring {
  struct figures *out;
  struct model *model;
  struct contention contention; /* of the model's locks, after contention_end */
  struct builder key, text;     /* of the next figure */
};

/* measure_add adds a figure with the key and the text that were collected, and empties both.
   `place` is where a reviewer should look; 0: not known. It returns false when memory ran out. */
bool measure_add(struct measuring *w, struct figure *figure, place_t place);

/* measure_put_stack appends a line with the title, and the frames as further lines, to the text.
   Appends nothing for an unknown stack. */
void measure_put_stack(struct measuring *w, const char *title, stack_id_t stack);

/* Each adds the figures of its kinds. False: memory ran out. */
bool measure_problems(struct measuring *w);
bool measure_locks(struct measuring *w);

END_C
