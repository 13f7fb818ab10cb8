#pragma once
// What the threads of a program do when they meet something new: its line, but for the time, goes
// into an outbox.
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
