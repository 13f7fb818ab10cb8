#include "agent/track/hooks.h"

#include "agent/meta/stack.h"

struct context *hook_enter(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni) {
  struct context *c = context_here(threads, ti, jni);
  if (c == NULL) c = context_known(ti); /* counted all the same: recording may be on at the exit */
  return c != NULL && c->nesting++ == 0 ? c : NULL;
}

void hook_record(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni, struct context *c,
                 const struct tracked *t, jobject object, enum hook_place place) {
  struct recorder *r = threads->recorder;
  c->object = object_hash(&r->meta, ti, jni, object);
  int uses = t->has_exit ? 2 : 1;
  c->stack = place == HOOK_CALLED ? stack_of_caller(&r->meta, ti, jni, uses)
                                  : stack_here(&r->meta, ti, jni, uses);
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)t->entry,
                          .thread = c->thread,
                          .object = c->object,
                          .stack = c->stack};
  bool recorded = recorder_put(r, c->lane, &record);
  c->pair_open = recorded && t->has_exit;
  if (!recorded && t->has_exit) stack_release(c->stack);
}

void hook_exit(struct threads *threads, jvmtiEnv *ti, const struct tracked *t) {
  struct context *c = context_known(ti);
  /* No entry was seen of a call that was under way when recording began. */
  if (c == NULL || c->nesting == 0 || --c->nesting > 0 || !c->pair_open) return;
  c->pair_open = false;
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)(t->entry + 1),
                          .thread = c->thread,
                          .object = c->object,
                          .stack = c->stack};
  recorder_put(threads->recorder, c->lane, &record);
}
