/* Classes. The JVMTI tag of a class object contains its ClassID and the recording in which the
   class was last defined. So the lookup needs no table of Orca's, and the JVM itself drops the
   entry when it unloads the class. */
#include <pthread.h>
#include <stdlib.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/intern.h"

/* A ClassID that is in use. It is never used for another class. */
struct class_number {
  struct interned key;
  uint32_t id;
};

struct classes {
  struct intern *numbers;  /* grows under the lock of meta.class_box */
  pthread_mutex_t tagging; /* see define_and_tag */
};

INTERN_SAME static bool same_number(const void *a, const void *b) {
  return ((const struct class_number *)a)->id == ((const struct class_number *)b)->id;
}

struct classes *classes_new(void) {
  struct classes *c = memory_new(sizeof *c);
  if (c == NULL) return NULL;
  pthread_mutex_init(&c->tagging, NULL);
  c->numbers = intern_new(same_number);
  if (c->numbers != NULL) return c;
  free(c);
  return NULL;
}

static struct class_number make_id_key(uint32_t id) {
  return (struct class_number){.key.hash = hash_word(id), .id = id};
}

/* Reserves the first free ClassID, starting at the identity hash of the class. Two classes may have
   the same hash, and a class may get the hash of an unloaded one. 0 without memory. */
static uint32_t reserve_id(struct classes *c, uint32_t id) {
  struct class_number key = make_id_key(id);
  while (id == 0 || intern_get(c->numbers, &key.key) != NULL) key = make_id_key(++id);
  struct class_number *taken = memory_new(sizeof *taken);
  if (taken == NULL) return 0;
  *taken = key;
  if (intern_add(c->numbers, &taken->key)) return id;
  free(taken);
  return 0;
}

bool class_define(struct meta *m, uint32_t *id, uint32_t hash, const char *signature,
                  const char *source) {
  struct builder body = {0};
  outbox_lock(&m->class_box);
  if (*id == 0) *id = reserve_id(m->classes, hash);
  class_body_write(&body, *id, signature, source);
  bool good = *id != 0 && outbox_put(&m->class_box, *id, 0, &body);
  outbox_unlock(&m->class_box);
  builder_free(&body);
  return good;
}

struct tag {
  uint32_t id, recording; /* both 0: the class has no tag yet */
};

static struct tag get_tag(jvmtiEnv *ti, jclass klass) {
  jlong tag = 0;
  (*ti)->GetTag(ti, klass, &tag);
  return (struct tag){(uint32_t)tag, (uint32_t)((uint64_t)tag >> 32)};
}

static void set_tag(jvmtiEnv *ti, jclass klass, struct tag tag) {
  (*ti)->SetTag(ti, klass, (jlong)((uint64_t)tag.recording << 32 | tag.id));
}

/* The lock `tagging` makes reading and setting the tag one step. If the thread does not get the
   lock in time (bounded_lock.h), a class may be defined twice, with two ClassIDs. */
static uint32_t define_and_tag(struct meta *m, jvmtiEnv *ti, jclass klass, const char *signature,
                               const char *source) {
  jint hash = 0;
  (*ti)->GetObjectHashCode(ti, klass, &hash);
  bool locked = bounded_lock(&m->classes->tagging);
  struct tag tag = get_tag(ti, klass);
  bool good = tag.recording == meta_recording(m);
  if (!good) {
    good = class_define(m, &tag.id, (uint32_t)hash, signature, source);
    if (good) tag.recording = meta_recording(m); /* else the next use of the class tries again */
    set_tag(ti, klass, tag);
  }
  bounded_unlock(&m->classes->tagging, locked);
  return good ? tag.id : 0;
}

uint32_t class_id(struct meta *m, jvmtiEnv *ti, jclass klass) {
  if (klass == NULL) return 0;
  struct tag tag = get_tag(ti, klass);
  if (tag.recording == meta_recording(m)) return tag.id;
  char *signature = NULL, *source = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) signature = NULL;
  if ((*ti)->GetSourceFileName(ti, klass, &source) != JVMTI_ERROR_NONE) source = NULL;
  uint32_t id = define_and_tag(m, ti, klass, signature ? signature : "", source ? source : "");
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*ti)->Deallocate(ti, (unsigned char *)source);
  return id;
}
