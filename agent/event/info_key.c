#include "agent/event/info_key.h"

#define NEED_MUST true
#define NEED_MAY false

const struct info_key_row info_keys[NUM_INFO_KEYS] = {
#define INFO_KEY(id, key, kind, part, need, meaning) \
  {key, INFO_KIND_##kind, INFO_PART_##part, NEED_##need, meaning},
#include "agent/event/info.def"
};

enum info_key info_key_find(struct span name) {
  int key = 0;
  while (key < NUM_INFO_KEYS && !span_is(name, info_keys[key].name)) key++;
  return (enum info_key)key;
}
