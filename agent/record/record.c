#include "agent/record/record.h"

#include <stdlib.h>

#include "agent/record/blocked.h"
#include "agent/record/stack.h"

uint32_t record_take_owner(const struct record *r) {
  if (r->u.blocked == NULL) return r->owner;
  if (r->event != EVENT_MONITOR_OWNER) return blocked_take_owner(r->u.blocked);
  blocked_release(r->u.blocked);
  return r->owner;
}

void record_release(const struct record *r) {
  stack_release(r->stack);
  if (r->kind == RECORD_TASK) free(r->u.task.name);
  if (r->kind != RECORD_EVENT) return;
  enum event_shape shape = event_infos[r->event].shape;
  if (shape_has_name(shape)) free(r->u.name.text);
  if (shape_has_owner(shape)) record_take_owner(r);
}
