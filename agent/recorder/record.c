#include "agent/recorder/record.h"

#include <stdlib.h>

#include "agent/meta/stack.h"
#include "agent/monitor/blocked.h"

void record_release(const struct record *r) {
  stack_release(r->stack);
  if (r->kind != RECORD_EVENT) return;
  enum event_shape shape = event_infos[r->event].shape;
  if (shape_has_name(shape)) free(r->u.name.text);
  if (shape_has_owner(shape) && r->u.blocked != NULL) blocked_take_owner(r->u.blocked);
}
