#include "tools/orca/model/replay/contention_state.h"

/* Returns where the holder was when the recording saw it last before `now`, if that was during the
   wait and the hold; 0: it was not seen. `*out_guessed`: by its last event. */
static stack_id_t find_recent_stack(const struct contention *c, const struct contention_wait *wait,
                                    ticks_t now, bool *out_guessed) {
  const struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  const struct contention_thread *t = &c->threads[lock->holder - 1];
  ticks_t since = wait->begin > lock->held_since ? wait->begin : lock->held_since;
  ticks_t tick = c->tick < now ? c->tick : c->tick_before; /* the Sample lines follow their Tick */
  unsigned inner = t->num_calls;
  bool is_in_call = inner > 0 && !c->is_lossy &&
                    (lock->is_named || t->calls[inner - 1].begin >= lock->held_since);
  *out_guessed = false;
  if (is_in_call) return t->calls[inner - 1].stack;
  if (t->cpu_time >= since && t->cpu_time > tick) return t->cpu_stack;
  bool has_left = t->event_time > tick; /* the place of the sample */
  if (tick >= since && t->sample_stack != 0 && !has_left) return t->sample_stack;
  if (t->event_time < since) return 0;
  *out_guessed = t->event_stack != 0;
  return t->event_stack;
}

/* The holder of a monitor is in the frame that acquired it, whatever was seen last. */
stack_id_t contention_location(const struct contention *c, const struct contention_wait *wait,
                               ticks_t now, bool *out_guessed) {
  const struct model *m = c->model;
  stack_id_t acquired = c->lock_states[wait->lock - 1].acquired;
  stack_id_t stack = find_recent_stack(c, wait, now, out_guessed);
  if (acquired == 0 || stacks_find_frame(&m->stacks, m->dump, stack, acquired) >= 0) return stack;
  *out_guessed = true;
  return acquired;
}

/* A native frame is not the one that acquired a monitor: Object.wait gets its monitor back, and
   native code can hold one after it has returned. */
stack_id_t contention_acquiring_stack(const struct contention *c, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  return depth == 0 || frames[0].location == LOCATION_NATIVE ? 0 : stack;
}

/* Does a stack that lacks the frame that acquired a monitor show that its thread left the frame? It
   must reach down to the same outermost method. */
static bool is_outside(const struct contention *c, stack_id_t stack, stack_id_t acquired) {
  size_t depth, acquired_depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  const struct frame *outer = stacks_frames(&c->model->stacks, acquired, &acquired_depth);
  return depth > 0 && acquired_depth > 0 &&
         frames[depth - 1].method == outer[acquired_depth - 1].method &&
         frames[depth - 1].method != pseudo_method(PSEUDO_DEEPER);
}

/* Compares the stack of a holder with where it acquired its monitors. A holder that was outside and
   is inside again has acquired the monitor again. */
static void compare_with_acquisitions(struct contention *c, size_t thread, stack_id_t stack,
                                      ticks_t now) {
  size_t next;
  for (size_t at = c->threads[thread - 1].first_lock; at != 0; at = next) {
    struct contention_lock *lock = &c->lock_states[at - 1];
    next = lock->next_held;
    if (lock->acquired == 0 || lock->free_since != 0) continue;
    bool is_inside =
        stacks_find_frame(&c->model->stacks, c->model->dump, stack, lock->acquired) >= 0;
    if (is_inside && lock->is_left) {
      contention_skip_uncharged(c, lock, now);
      lock->held_since = now;
      lock->is_left = false;
    } else if (!is_inside && is_outside(c, stack, lock->acquired)) {
      lock->is_left = true;
    }
  }
}

static bool has_whole_stack(const struct sample_line *cpu) {
  return cpu->stack_id != 0 && cpu->place != CPU_PLACE_LOST && cpu->place != CPU_PLACE_UNSAMPLED;
}

bool contention_has_location(const struct sample_line *sample) {
  return sample->kind == SAMPLE_THREAD || (sample->kind == SAMPLE_CPU && has_whole_stack(sample));
}

/* Counts where the holder of a lock is, unless the sample shows it blocked: then it is not in what
   the lock protects. A holder whose name is news may have got the lock after the sample. */
static bool count_holder_sample(struct contention *c, size_t thread, const struct step *step) {
  const struct sample_line *line = step->sample;
  bool counts = line->kind == SAMPLE_THREAD && line->state != STATE_BLOCKED && step->stack != 0;
  size_t at = counts ? c->threads[thread - 1].first_lock : 0;
  for (; at != 0; at = c->lock_states[at - 1].next_held) {
    const struct contention_lock *lock = &c->lock_states[at - 1];
    const struct contention_wait *wait =
        lock->first_wait == 0 ? NULL : &c->waits[lock->first_wait - 1];
    bool holds = lock->free_since == 0 && !lock->is_left && lock->held_since <= c->tick;
    if (wait == NULL || wait->id == NOT_COUNTED || !holds) continue;
    if (!tally_add(&c->holder_samples, wait->id, step->stack, 1, 0)) return false;
  }
  return true;
}

bool contention_note_sample(struct contention *c, size_t thread, const struct step *step) {
  struct contention_thread *t = &c->threads[thread - 1];
  if (step->sample->kind == SAMPLE_THREAD) t->sample_stack = step->stack;
  if (step->sample->kind == SAMPLE_CPU) {
    t->cpu_stack = step->stack;
    t->cpu_time = step->time;
  }
  compare_with_acquisitions(c, thread, step->stack, step->time);
  return count_holder_sample(c, thread, step);
}

static void note_call(struct contention_thread *t, const struct step *step) {
  if (step->pair != NULL) {
    unsigned num = t->num_calls;
    while (num > 0 && t->calls[num - 1].kind != step->pair->kind) num--;
    if (num > 0) t->num_calls = num - 1;
  } else if (event_infos[step->event->kind].role == ROLE_BEGIN) {
    if (t->num_calls == CONTENTION_NESTED) t->num_calls--;
    t->calls[t->num_calls].kind = step->event->kind;
    t->calls[t->num_calls].begin = step->time;
    t->calls[t->num_calls++].stack = step->stack;
  }
}

void contention_note_event(struct contention *c, size_t thread, const struct step *step) {
  struct contention_thread *t = &c->threads[thread - 1];
  if (step->stack != 0) {
    t->event_stack = step->stack;
    t->event_time = step->time;
  }
  note_call(t, step);
  compare_with_acquisitions(c, thread, step->stack, step->time);
}
