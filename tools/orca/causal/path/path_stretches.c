#include "tools/orca/causal/path/path_stretches.h"

#include <stdlib.h>

/* Different things in one stretch. More than these are hardly ever; the others then do not count.
 */
#define CANDIDATES 16

struct candidate {
  uint32_t piece;
  ticks_t time;
};

/* Two pieces that look the same in a picture. */
static bool is_same(const struct path_piece *a, const struct path_piece *b) {
  return a->thread == b->thread && a->reason == b->reason && a->lock == b->lock;
}

struct slicing {
  const struct path *path;
  struct candidate candidates[CANDIDATES];
  size_t num;
};

static void add(struct slicing *s, uint32_t piece, ticks_t time) {
  const struct path_piece *pieces = s->path->pieces;
  size_t at = 0;
  while (at < s->num && !is_same(&pieces[s->candidates[at].piece], &pieces[piece])) at++;
  if (at == CANDIDATES) return;
  if (at == s->num) s->candidates[s->num++] = (struct candidate){piece, 0};
  s->candidates[at].time += time;
}

static uint32_t best_of(const struct slicing *s) {
  size_t best = 0;
  for (size_t i = 1; i < s->num; i++) {
    if (s->candidates[i].time > s->candidates[best].time) best = i;
  }
  return s->candidates[best].piece;
}

static ticks_t later(ticks_t a, ticks_t b) { return a > b ? a : b; }
static ticks_t earlier(ticks_t a, ticks_t b) { return a < b ? a : b; }

bool path_stretches(const struct path *p, size_t most, struct path_stretch **out, size_t *out_num) {
  *out = NULL;
  *out_num = 0;
  if (p->num_pieces == 0 || most == 0) return true;
  ticks_t begin = p->pieces[p->num_pieces - 1].begin, end = p->pieces[0].end;
  ticks_t length = (end - begin) / most + 1;
  struct path_stretch *rows = calloc(most, sizeof *rows);
  if (rows == NULL) return false;
  size_t num = 0, piece = p->num_pieces; /* the pieces from this one on are over */
  for (ticks_t from = begin; from < end; from += length) {
    ticks_t to = earlier(from + length, end);
    struct slicing s = {.path = p};
    while (piece > 0 && p->pieces[piece - 1].begin < to) {
      const struct path_piece *at = &p->pieces[piece - 1];
      add(&s, (uint32_t)(piece - 1), earlier(at->end, to) - later(at->begin, from));
      if (at->end > to) break; /* it goes on in the next stretch */
      piece--;
    }
    if (s.num == 0) continue;
    uint32_t best = best_of(&s);
    if (num > 0 && is_same(&p->pieces[rows[num - 1].piece], &p->pieces[best])) {
      rows[num - 1].end = to;
    } else {
      rows[num++] = (struct path_stretch){from, to, best};
    }
  }
  *out = rows;
  *out_num = num;
  return true;
}
