#include "agent/writer/order.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"

#define MAX_HELD ((size_t)1 << 16) /* records per lane: 4 MiB */

/* The records of a lane from `first` to `end`, sorted by time. */
struct lane_records {
  struct record *records;
  size_t first, end, capacity;
};

struct order {
  unsigned num_lanes;
  struct lane_records lanes[];
};

struct order *order_new(unsigned num_lanes) {
  struct order *o = memory_new_zeroed(1, sizeof *o + num_lanes * sizeof o->lanes[0]);
  if (o != NULL) o->num_lanes = num_lanes;
  return o;
}

void order_free(struct order *o) {
  if (o == NULL) return;
  for (unsigned i = 0; i < o->num_lanes; i++) free(o->lanes[i].records);
  free(o);
}

static size_t count_held(const struct lane_records *l) { return l->end - l->first; }

struct record *order_room(struct order *o, unsigned lane, size_t *n) {
  struct lane_records *l = &o->lanes[lane];
  size_t allowed = count_held(l) < MAX_HELD ? MAX_HELD - count_held(l) : 0;
  if (*n > allowed) *n = allowed;
  if (l->first > 0 && l->first >= count_held(l)) {
    memmove(l->records, l->records + l->first, count_held(l) * sizeof *l->records);
    l->end = count_held(l);
    l->first = 0;
  }
  if (l->capacity - l->end < *n) {
    size_t capacity = l->capacity ? l->capacity : 256;
    while (capacity < l->end + *n) capacity *= 2;
    struct record *records = memory_resize(l->records, capacity * sizeof *records);
    if (records != NULL) { /* else there is less room */
      l->records = records;
      l->capacity = capacity;
    }
  }
  if (l->capacity - l->end < *n) *n = l->capacity - l->end;
  return l->records + l->end;
}

/* Records come almost in order, except the begins of young calls, which are as old as their call.
 */
static void insert_sorted(struct record *records, size_t first, size_t at) {
  struct record r = records[at];
  size_t low = first, high = at; /* it belongs before `high`, and not before `low` */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (records[middle].time_ns > r.time_ns) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  memmove(&records[low + 1], &records[low], (at - low) * sizeof *records);
  records[low] = r;
}

void order_add(struct order *o, unsigned lane, size_t n) {
  struct lane_records *l = &o->lanes[lane];
  for (; n > 0; n--, l->end++) {
    if (l->end > l->first && l->records[l->end - 1].time_ns > l->records[l->end].time_ns) {
      insert_sorted(l->records, l->first, l->end);
    }
  }
}

const struct record *order_next(struct order *o, uint64_t before_ns) {
  struct lane_records *best = NULL; /* the lane with the earliest record */
  for (struct lane_records *l = o->lanes; l < o->lanes + o->num_lanes; l++) {
    if (count_held(l) == 0) continue;
    if (best == NULL || l->records[l->first].time_ns < best->records[best->first].time_ns) best = l;
  }
  if (best == NULL || best->records[best->first].time_ns >= before_ns) return NULL;
  return &best->records[best->first++];
}

bool order_is_empty(const struct order *o) {
  for (unsigned i = 0; i < o->num_lanes; i++) {
    if (count_held(&o->lanes[i]) > 0) return false;
  }
  return true;
}

bool order_is_full(const struct order *o) {
  for (unsigned i = 0; i < o->num_lanes; i++) {
    if (count_held(&o->lanes[i]) >= MAX_HELD) return true;
  }
  return false;
}
