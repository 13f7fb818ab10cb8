#pragma once
// Publishes a definition, as the threads of the program do. `body` is the line without its
// timestamp.
#include <algorithm>
#include <sstream>
#include <string>

#include "agent/record/outbox.h"

// Reads a field of the line as a hexadecimal number.
inline uint32_t ReadIdField(const std::string &body, int number) {
  std::istringstream in(body);
  std::string field;
  for (int i = 0; i <= number; i++) std::getline(in, field, ',');
  return static_cast<uint32_t>(std::stoul(field, nullptr, 16));
}

// The line of an object has two fields, that of a class three, and that of a method more.
inline void Define(struct outbox *box, const std::string &body) {
  auto commas = std::count(body.begin(), body.end(), ',');
  uint32_t class_id = commas == 2 ? 0 : ReadIdField(body, commas == 1 ? 1 : 3);
  struct builder b = {};
  builder_bytes(&b, body.data(), body.size());
  outbox_lock(box);
  outbox_put(box, ReadIdField(body, 0), class_id, &b);
  outbox_unlock(box);
  builder_free(&b);
}
