#include "agent/record/outbox.h"

#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

void outbox_init(struct outbox *box) {
  pthread_mutex_init(&box->lock, NULL);
  box->first = NULL;
  box->last = &box->first;
}

void outbox_lock(struct outbox *box) { pthread_mutex_lock(&box->lock); }

void outbox_unlock(struct outbox *box) { pthread_mutex_unlock(&box->lock); }

bool outbox_put(struct outbox *box, uint32_t id, uint32_t class_id, const struct builder *body) {
  if (body->failed) return false;
  struct definition *d = memory_new(sizeof *d + body->len);
  if (d == NULL) return false;
  *d = (struct definition){
      .time_ns = clock_monotonic_ns(), .id = id, .class_id = class_id, .len = body->len};
  memcpy(d->body, body->data, body->len);
  *box->last = d;
  box->last = &d->next;
  return true;
}

struct definition *outbox_take(struct outbox *box) {
  outbox_lock(box);
  struct definition *first = box->first;
  box->first = NULL;
  box->last = &box->first;
  outbox_unlock(box);
  return first;
}
