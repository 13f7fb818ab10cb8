#include "agent/record/living_classes.h"

#include <stdlib.h>

bool living_classes_has_methods(const struct living_classes *l, uint32_t class_id) {
  uint64_t value;
  return hashmap_get(&l->ids, class_id, &value);
}

bool living_classes_has(const struct living_classes *l, uint32_t class_id) {
  return living_classes_has_methods(l, class_id) || (l->stand_in != 0 && class_id == l->stand_in);
}

void living_classes_put(struct living_classes **slot, struct living_classes *l) {
  living_classes_free(__atomic_exchange_n(slot, l, __ATOMIC_ACQ_REL));
}

struct living_classes *living_classes_take(struct living_classes **slot) {
  return __atomic_exchange_n(slot, NULL, __ATOMIC_ACQ_REL);
}

void living_classes_free(struct living_classes *l) {
  if (l != NULL) hashmap_free(&l->ids);
  free(l);
}
