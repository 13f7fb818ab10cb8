#include "tools/model/pairs.h"

#include <stdlib.h>

#include "tools/model/grow.h"

/* An END stands in the row behind its BEGIN. */
static enum event_kind begin_of(enum event_kind end) { return (enum event_kind)(end - 1); }

/* The slot of this thread and kind; NULL where memory runs out. It holds one pair after another. */
static struct pair *slot_of(struct pairs *p, uint32_t thread, enum event_kind kind) {
  uint64_t *at = hashmap_at(&p->open, (uint64_t)thread << 32 | (uint32_t)kind);
  if (at == NULL) return NULL;
  if (*at == 0) {
    void *grown = grow(p->slots, p->num, &p->capacity, sizeof *p->slots);
    if (grown == NULL) return NULL;
    p->slots = grown;
    p->slots[p->num] = (struct pair){.kind = kind};
    *at = ++p->num;
  }
  return &p->slots[*at - 1];
}

static enum pairs_answer begin(struct pairs *p, const struct event_line *line, stack_id_t stack) {
  struct pair *slot = slot_of(p, line->thread, line->kind);
  if (slot == NULL) return PAIRS_NO_MEMORY;
  p->without_end += slot->open;
  *slot = (struct pair){line->kind, line->thread, line->object, line->owner, stack, line->time,
                        0,          true};
  return PAIRS_NONE;
}

static enum pairs_answer end(struct pairs *p, const struct event_line *line, struct pair *out) {
  struct pair *slot = slot_of(p, line->thread, begin_of(line->kind));
  if (slot == NULL) return PAIRS_NO_MEMORY;
  if (!slot->open || slot->object != line->object || line->time < slot->begin) {
    p->without_begin++;
    return PAIRS_NONE;
  }
  *out = *slot;
  out->end = line->time;
  out->open = slot->open = false;
  return PAIRS_DONE;
}

enum pairs_answer pairs_feed(struct pairs *p, const struct event_line *line, stack_id_t stack,
                             struct pair *out) {
  switch (event_infos[line->kind].role) {
    case ROLE_BEGIN:
      return begin(p, line, stack);
    case ROLE_END:
      return end(p, line, out);
    case ROLE_POINT:
      break;
  }
  return PAIRS_NONE;
}

bool pairs_next_open(const struct pairs *p, size_t *cursor, struct pair *out) {
  while (*cursor < p->num) {
    *out = p->slots[(*cursor)++];
    if (out->open) return true;
  }
  return false;
}

void pairs_free(struct pairs *p) {
  hashmap_free(&p->open);
  free(p->slots);
  *p = (struct pairs){0};
}
