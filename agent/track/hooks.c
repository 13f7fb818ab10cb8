#include "agent/track/hooks.h"

#include "agent/meta/stack.h"

/* Is the method of a nested call's outer one on the stack, below the frames on top? */
static bool is_below(jvmtiEnv *ti, jmethodID method, int depth, int max) {
  jvmtiFrameInfo *frames = __builtin_alloca((size_t)max * sizeof *frames);
  jint n = 0;
  (*ti)->GetStackTrace(ti, NULL, depth, max, frames, &n);
  for (jint i = 0; i < n; i++) {
    if (frames[i].method == method) return true;
  }
  return false;
}

/* Near the end of the stack even the call of a hook can overflow it, and then an exit is missed.
   The stack tells: the outer method of a nested call is on it, mostly close by, or it has left
   unseen. */
static bool outer_is_there(const struct context *c, jvmtiEnv *ti, enum hook_place place) {
  int own = place == HOOK_CALLED ? 2 : 1; /* frames of the nested call itself */
  return c->method == NULL || is_below(ti, c->method, own, 4) ||
         is_below(ti, c->method, own + 4, 1024);
}

/* The exit of the outermost call, if the recording at hand has its entry. */
static void end_pair(struct threads *threads, struct context *c) {
  uint32_t in = c->pair_in;
  if (in == 0) return;
  c->pair_in = 0;
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)(c->row->entry + 1),
                          .thread = c->thread,
                          .object = c->object,
                          .stack = c->stack};
  if (in == meta_recording(&threads->recorder->meta)) {
    recorder_put(threads->recorder, c->lane, &record);
  } else {
    record_release(&record);
  }
}

struct context *hook_enter(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni,
                           enum hook_place place) {
  struct context *c = context_here(threads, ti, jni);
  if (c == NULL) c = context_known(ti); /* counted all the same: recording may be on at the exit */
  if (c == NULL) return NULL;
  if (c->nesting++ == 0) return c;
  if (outer_is_there(c, ti, place)) return NULL;
  end_pair(threads, c);
  c->nesting = 1;
  return c;
}

void hook_record(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni, struct context *c,
                 const struct tracked *t, jobject object, enum hook_place place) {
  struct recorder *r = threads->recorder;
  c->object = object_hash(&r->meta, ti, jni, object);
  int uses = t->has_exit ? 2 : 1;
  c->stack = place == HOOK_CALLED ? stack_of_caller(&r->meta, ti, jni, uses)
                                  : stack_here(&r->meta, ti, jni, uses);
  c->method = stack_method(c->stack);
  c->row = t;
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)t->entry,
                          .thread = c->thread,
                          .object = c->object,
                          .stack = c->stack};
  bool recorded = recorder_put(r, c->lane, &record);
  c->pair_in = recorded && t->has_exit ? c->recording : 0;
  if (!recorded && t->has_exit) stack_release(c->stack);
}

void hook_exit(struct threads *threads, jvmtiEnv *ti) {
  struct context *c = context_known(ti);
  /* No entry was seen of a call that was under way when recording began. */
  if (c == NULL || c->nesting == 0 || --c->nesting > 0) return;
  end_pair(threads, c);
}
