#pragma once
// Publishes a definition, as the threads of the program do. `body` is the line without its
// timestamp.
#include <string>

#include "agent/record/outbox.h"

inline void Define(struct outbox *box, const std::string &body) {
  struct builder b = {};
  builder_bytes(&b, body.data(), body.size());
  outbox_lock(box);
  outbox_put(box, &b);
  outbox_unlock(box);
  builder_free(&b);
}
