#include "tools/orca/model/class_inits.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

/* --- lines ---------------------------------------------------------------------------------- */

static struct class_init_thread *find_or_add_thread(struct class_inits *c, uint32_t hash,
                                                    ticks_t now) {
  bool is_new;
  struct class_init_thread *t = rows_at(&c->ids, hash, &c->threads, &c->num_threads,
                                        &c->threads_capacity, sizeof *t, &is_new);
  if (t != NULL && is_new) {
    t->heard = now;
    t->round_before = c->tick_before;
  }
  return t;
}

static void end_wait(struct class_inits *c, struct class_init_thread *t, ticks_t now) {
  if (t->wait == 0) return;
  struct class_init *wait = &c->waits[t->wait - 1];
  wait->end = now;
  wait->is_open = false;
  c->num_open--;
  t->wait = 0;
}

/* The agent repeats the event while the thread waits. */
static bool take_wait(struct class_inits *c, struct class_init_thread *t, const struct step *step) {
  const struct event_line *line = step->event;
  const struct class_init *last = t->wait == 0 ? NULL : &c->waits[t->wait - 1];
  bool is_same =
      last != NULL && last->class_id == line->class_id && last->initializer == line->owner;
  if (is_same || line->class_id == 0 || line->owner == 0) return true;
  ticks_t begin = last != NULL ? step->time : t->heard;
  end_wait(c, t, step->time);
  void *grown = grow(c->waits, c->num, &c->capacity, sizeof *c->waits);
  if (grown == NULL) return false;
  c->waits = grown;
  c->waits[c->num++] = (struct class_init){.thread = line->thread,
                                           .class_id = line->class_id,
                                           .initializer = line->owner,
                                           .stack = step->stack,
                                           .begin = begin,
                                           .earliest = last != NULL ? begin : t->round_before,
                                           .end = step->time,
                                           .is_open = true,
                                           .matches = step->matches};
  t->wait = c->num;
  c->num_open++;
  return true;
}

/* Most events are of threads that wait for no class. */
static bool is_wanted(const struct class_inits *c, const struct event_line *line) {
  return line->kind == EVENT_CLASS_INIT_WAIT ||
         (c->num_open > 0 && !event_has(line->kind, TRAIT_NEWS));
}

static bool take_line(void *arg, const struct step *step) {
  struct model *m = arg;
  struct class_inits *c = &m->class_inits;
  if (step->sample != NULL && step->sample->kind == SAMPLE_TICK) {
    c->tick_before = c->tick;
    c->tick = step->time;
    return true;
  }
  uint32_t hash = step->event != NULL ? step->event->thread : step->sample->thread;
  if (step->time > m->matcher.filter.to) return true;
  if (step->event != NULL && !is_wanted(c, step->event)) return true;
  struct class_init_thread *t = find_or_add_thread(c, hash, step->time);
  if (t == NULL) return false;
  if (step->event != NULL && step->event->kind == EVENT_CLASS_INIT_WAIT)
    return take_wait(c, t, step);
  end_wait(c, t, step->time);
  if (step->event != NULL) return true;
  t->stack = step->stack;
  t->heard = step->time;
  t->round_before = c->tick_before;
  return true;
}

/* --- at the end ----------------------------------------------------------------------------- */

/* Open waits end with the recording. */
static bool end_class_inits(struct model *m) {
  struct class_inits *c = &m->class_inits;
  for (size_t i = 0; i < c->num; i++) {
    struct class_init *wait = &c->waits[i];
    if (wait->is_open) wait->end = m->recording.to;
    wait->earliest = matcher_clip(&m->matcher, wait->earliest);
    wait->begin = matcher_clip(&m->matcher, wait->begin);
    wait->end = matcher_clip(&m->matcher, wait->end);
  }
  return true;
}

#define NOTABLE 20 /* this part of the wait */

bool class_init_is_least(const struct class_init *wait) {
  return wait->begin - wait->earliest > (wait->end - wait->begin) / NOTABLE;
}

static const struct class_init_thread *find_thread(const struct class_inits *c, uint32_t hash) {
  uint64_t at = 0;
  hashmap_get(&c->ids, hash, &at);
  return at == 0 ? NULL : &c->threads[at - 1];
}

const struct class_init *class_inits_find(const struct class_inits *c, uint32_t thread) {
  const struct class_init_thread *t = find_thread(c, thread);
  return t == NULL || t->wait == 0 ? NULL : &c->waits[t->wait - 1];
}

stack_id_t class_inits_stack(const struct class_inits *c, uint32_t thread) {
  const struct class_init_thread *t = find_thread(c, thread);
  return t == NULL ? 0 : t->stack;
}

/* A walk of more steps than there are threads is on a ring. */
bool class_inits_leads(const struct class_inits *c, uint32_t thread) {
  const struct class_init *wait = class_inits_find(c, thread);
  for (size_t left = c->num_threads; wait != NULL && left > 0; left--) {
    wait = class_inits_find(c, wait->initializer);
  }
  return wait != NULL;
}

bool class_inits_is_in_ring(const struct class_inits *c, uint32_t thread) {
  const struct class_init *wait = class_inits_find(c, thread);
  for (size_t left = c->num_threads; wait != NULL && left > 0; left--) {
    if (wait->initializer == thread) return true;
    wait = class_inits_find(c, wait->initializer);
  }
  return false;
}

void class_inits_free(struct class_inits *c) {
  free(c->waits);
  free(c->threads);
  hashmap_free(&c->ids);
  *c = (struct class_inits){0};
}

/* --- the analysis --------------------------------------------------------------------------- */

const struct analysis analysis_class_inits = {
    .listener = {"class initializations",
                 PASS_EVENTS | PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_TICK),
                 .take = take_line},
    .end = end_class_inits};
