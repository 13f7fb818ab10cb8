#include "agent/deadlock/search.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"

#define MAX_VIRTUAL 20000

/* --- rings ------------------------------------------------------------------------------------ */

static bool holds(const struct deadlock_node *node, uint32_t monitor) {
  for (int i = 0; i < node->num_held; i++) {
    if (node->held[i] == monitor) return true;
  }
  return false;
}

/* Returns the index of the thread for which a node waits; `num`: it is not among the nodes. */
static size_t find_next(const struct deadlock_node *nodes, size_t num,
                        const struct deadlock_node *n) {
  for (size_t i = 0; i < num; i++) {
    if (n->owner != 0 && nodes[i].thread == n->owner) return i;
    if (n->monitor != 0 && &nodes[i] != n && holds(&nodes[i], n->monitor)) return i;
  }
  return num;
}

/* Follows the threads from `start` for as many steps as there are threads: after that it is in the
   ring, if there is one. */
static size_t walk_into_ring(const struct deadlock_node *nodes, size_t num, size_t start) {
  for (size_t step = 0; step < num && start < num; step++) {
    start = find_next(nodes, num, &nodes[start]);
  }
  return start;
}

size_t deadlock_find_ring(const struct deadlock_node *nodes, size_t num, uint32_t *out) {
  for (size_t i = 0; i < num; i++) {
    size_t first = walk_into_ring(nodes, num, i), at = first, found = 0;
    if (first == num) continue;
    do {
      out[found++] = nodes[at].thread;
      at = find_next(nodes, num, &nodes[at]);
    } while (at != first);
    return found;
  }
  return 0;
}

/* --- threads ---------------------------------------------------------------------------------- */

struct search {
  struct threads *threads;
  struct facts facts;
  jvmtiEnv *ti;
  JNIEnv *jni;
  const uint32_t *suspects;
  size_t num_suspects;
  struct deadlock_node *nodes; /* room for one of each suspect */
  size_t num_nodes;
};

static bool is_suspect(const struct search *s, uint32_t hash) {
  size_t i = 0;
  while (i < s->num_suspects && s->suspects[i] != hash) i++;
  return i < s->num_suspects;
}

static void add_node(struct search *s, uint32_t hash, const struct thread_facts *facts) {
  struct deadlock_node *node = &s->nodes[s->num_nodes++];
  *node = (struct deadlock_node){.thread = hash,
                                 .monitor = facts->monitor,
                                 .owner = facts->owner,
                                 .num_held = facts->num_held};
  for (int i = 0; i < facts->num_held; i++) node->held[i] = facts->held[i].object;
}

static void ask_thread(struct search *s, jthread thread) {
  struct thread_facts facts;
  jint hash = 0;
  if (threads_is_own(s->threads, s->jni, thread)) return;
  (*s->ti)->GetObjectHashCode(s->ti, thread, &hash);
  if (!is_suspect(s, (uint32_t)hash) || s->num_nodes == s->num_suspects) return;
  /* Without frames it does not tell where the thread acquired its monitors. */
  if (facts_read(&s->facts, s->ti, s->jni, thread, NULL, 0, true, &facts))
    add_node(s, (uint32_t)hash, &facts);
}

static void ask_platform_threads(struct search *s) {
  jint n = 0;
  jthread *threads = NULL;
  (*s->ti)->GetAllThreads(s->ti, &n, &threads);
  jvm_reserve_references(s->jni, n);
  for (jint i = 0; i < n; i++) {
    ask_thread(s, threads[i]);
    (*s->jni)->DeleteLocalRef(s->jni, threads[i]);
  }
  (*s->ti)->Deallocate(s->ti, (unsigned char *)threads);
}

static void ask_virtual_threads(struct search *s) {
  jobjectArray threads = facts_find_virtual_threads(&s->facts, s->jni, MAX_VIRTUAL);
  jint n = threads == NULL ? 0 : (*s->jni)->GetArrayLength(s->jni, threads);
  for (jint i = 0; i < n; i++) {
    jthread thread = (*s->jni)->GetObjectArrayElement(s->jni, threads, i);
    ask_thread(s, thread);
    (*s->jni)->DeleteLocalRef(s->jni, thread);
  }
  if (threads != NULL) (*s->jni)->DeleteLocalRef(s->jni, threads);
}

size_t deadlock_search(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni, const uint32_t *suspects,
                       size_t num, uint32_t *out) {
  struct search s = {
      .threads = threads, .ti = ti, .jni = jni, .suspects = suspects, .num_suspects = num};
  size_t found = 0;
  s.nodes = memory_new(num * sizeof *s.nodes);
  if (s.nodes != NULL && facts_open(&s.facts, &threads->recorder->meta, jni)) {
    facts_check_threads(&s.facts, ti, jni);
    ask_platform_threads(&s);
    if (s.num_nodes < num) ask_virtual_threads(&s);
    found = deadlock_find_ring(s.nodes, s.num_nodes, out);
    facts_close(&s.facts, jni);
  }
  free(s.nodes);
  return found;
}
