/* Classes. The JVM keeps our number for a class as the JVMTI tag of its mirror, so that a class is
   recognised however often it comes, and forgotten by the JVM itself when it is unloaded. The tag
   also holds the recording in which the class was last defined. */
#include <pthread.h>
#include <stdlib.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/intern.h"

/* A ClassID that is taken, for good. */
struct class_number {
  struct interned key;
  uint32_t id;
};

struct classes {
  struct intern *numbers; /* grown under the lock of meta.class_box */
  pthread_mutex_t tagging;
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

static struct class_number number_key(uint32_t id) {
  return (struct class_number){.key.hash = hash_word(id), .id = id};
}

/* The first free number from the class's hash on: two classes may share a hash, and a class may get
   the hash of one that was unloaded. 0 without memory. */
static uint32_t take_number(struct classes *c, uint32_t id) {
  struct class_number key = number_key(id);
  while (id == 0 || intern_get(c->numbers, &key.key) != NULL) key = number_key(++id);
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
  if (*id == 0) *id = take_number(m->classes, hash);
  class_body_write(&body, *id, signature, source);
  bool good = *id != 0 && outbox_put(&m->class_box, &body);
  outbox_unlock(&m->class_box);
  builder_free(&body);
  return good;
}

struct tag {
  uint32_t id, recording; /* both 0: the class is new */
};

static struct tag tag_of(jvmtiEnv *ti, jclass klass) {
  jlong tag = 0;
  (*ti)->GetTag(ti, klass, &tag);
  return (struct tag){(uint32_t)tag, (uint32_t)((uint64_t)tag >> 32)};
}

static void set_tag(jvmtiEnv *ti, jclass klass, struct tag tag) {
  (*ti)->SetTag(ti, klass, (jlong)((uint64_t)tag.recording << 32 | tag.id));
}

/* One thread at a time looks for the tag and sets it; without the lock a class may, at worst, be
   defined twice, under two numbers. */
static uint32_t define_and_tag(struct meta *m, jvmtiEnv *ti, jclass klass, const char *signature,
                               const char *source) {
  jint hash = 0;
  (*ti)->GetObjectHashCode(ti, klass, &hash);
  bool locked = bounded_lock(&m->classes->tagging);
  struct tag tag = tag_of(ti, klass);
  bool good = tag.recording == meta_recording(m);
  if (!good) {
    good = class_define(m, &tag.id, (uint32_t)hash, signature, source);
    if (good) tag.recording = meta_recording(m); /* else the next that names it tries again */
    set_tag(ti, klass, tag);
  }
  bounded_unlock(&m->classes->tagging, locked);
  return good ? tag.id : 0;
}

uint32_t class_id(struct meta *m, jvmtiEnv *ti, jclass klass) {
  if (klass == NULL) return 0;
  struct tag tag = tag_of(ti, klass);
  if (tag.recording == meta_recording(m)) return tag.id;
  char *signature = NULL, *source = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) signature = NULL;
  if ((*ti)->GetSourceFileName(ti, klass, &source) != JVMTI_ERROR_NONE) source = NULL;
  uint32_t id = define_and_tag(m, ti, klass, signature ? signature : "", source ? source : "");
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*ti)->Deallocate(ti, (unsigned char *)source);
  return id;
}
