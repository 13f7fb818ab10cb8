#include "agent/deadlock/deadlock.h"

#include <stdlib.h>

#include "agent/base/clock.h"
#include "agent/base/hashmap.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"

#define MAX_VIRTUAL 20000

/* --- rings ------------------------------------------------------------------------------------ */

/* The nodes by what others wait for. */
struct index {
  struct hashmap by_thread, by_monitor; /* hash -> index of the node, plus one */
};

/* A thread in Object.wait holds what it waits for, until it has to get that again. */
static bool add_to_index(struct index *x, const struct deadlock_node *node, size_t number) {
  bool good = hashmap_put(&x->by_thread, node->thread, number);
  for (int i = 0; i < node->num_held; i++) {
    good = good &&
           (node->held[i] == node->monitor || hashmap_put(&x->by_monitor, node->held[i], number));
  }
  return good;
}

/* Returns the index of the thread for which a node waits, plus one; 0: it is not among the nodes.
 */
static size_t find_next(const struct index *x, const struct deadlock_node *node) {
  uint64_t next = 0;
  if (node->owner != 0) hashmap_get(&x->by_thread, node->owner, &next);
  if (next == 0 && node->monitor != 0) hashmap_get(&x->by_monitor, node->monitor, &next);
  return next;
}

/* Stores the threads of the ring that contains `first`. */
static size_t store_ring(const struct index *x, const struct deadlock_node *nodes, size_t first,
                         uint32_t *out) {
  size_t at = first, found = 0;
  do {
    out[found++] = nodes[at].thread;
    at = find_next(x, &nodes[at]) - 1;
  } while (at != first);
  return found;
}

/* Walks from each node to the next one until a node that was seen before. If that was in the same
   walk, it is in a ring. `walks`: of each node the walk that has seen it, from 1; initially 0. */
static size_t walk(const struct index *x, const struct deadlock_node *nodes, size_t num,
                   size_t *walks, uint32_t *out) {
  for (size_t start = 0; start < num; start++) {
    size_t at = start + 1;
    while (at != 0 && walks[at - 1] == 0) {
      walks[at - 1] = start + 1;
      at = find_next(x, &nodes[at - 1]);
    }
    if (at != 0 && walks[at - 1] == start + 1) return store_ring(x, nodes, at - 1, out);
  }
  return 0;
}

size_t deadlock_find_ring(const struct deadlock_node *nodes, size_t num, uint32_t *out) {
  struct index x = {0};
  size_t *walks = memory_new_zeroed(num + 1, sizeof *walks), found = 0;
  bool good = walks != NULL;
  for (size_t i = 0; good && i < num; i++) good = add_to_index(&x, &nodes[i], i + 1);
  if (good) found = walk(&x, nodes, num, walks, out);
  hashmap_free(&x.by_thread);
  hashmap_free(&x.by_monitor);
  free(walks);
  return found;
}

/* --- threads ---------------------------------------------------------------------------------- */

struct search {
  struct threads *threads;
  struct facts facts;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct hashmap suspects; /* their hashes -> 1 */
  size_t num_suspects;
  struct deadlock_node *nodes; /* room for one of each suspect */
  size_t num_nodes;
};

static bool is_suspect(const struct search *s, uint32_t hash) {
  uint64_t value;
  return hashmap_get(&s->suspects, hash, &value);
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
  struct search s = {.threads = threads, .ti = ti, .jni = jni, .num_suspects = num};
  size_t found = 0;
  s.nodes = memory_new(num * sizeof *s.nodes);
  bool good = s.nodes != NULL;
  for (size_t i = 0; good && i < num; i++) good = hashmap_put(&s.suspects, suspects[i], 1);
  if (good && facts_open(&s.facts, &threads->recorder->meta, jni)) {
    facts_check_threads(&s.facts, ti, jni);
    ask_platform_threads(&s);
    if (s.num_nodes < num) ask_virtual_threads(&s);
    found = deadlock_find_ring(s.nodes, s.num_nodes, out);
    facts_close(&s.facts, jni);
  }
  hashmap_free(&s.suspects);
  free(s.nodes);
  return found;
}

/* --- the watch -------------------------------------------------------------------------------- */

void deadlock_watch_init(struct deadlock_watch *w, struct threads *threads,
                         void (*answered)(void *), void *answered_arg) {
  *w = (struct deadlock_watch){
      .threads = threads, .answered = answered, .answered_arg = answered_arg};
  suspects_init(&w->suspects);
}

static void run_watch(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct deadlock_watch *w = arg;
  (void)self;
  while (suspects_wait(&w->suspects)) {
    uint32_t ring[SUSPECTS_MAX];
    size_t num = deadlock_search(w->threads, ti, jni, w->suspects.threads, w->suspects.num, ring);
    suspects_answer(&w->suspects, ring, num);
    w->answered(w->answered_arg);
  }
}

bool deadlock_watch_start(struct deadlock_watch *w, jvmtiEnv *ti, JNIEnv *jni) {
  if (w->thread.ready && agent_thread_is_running(&w->thread)) return false;
  suspects_reset(&w->suspects);
  return agent_thread_start(&w->thread, "Orca deadlock watch", w->threads, ti, jni, run_watch, w);
}

void deadlock_watch_stop(struct deadlock_watch *w) {
  suspects_end(&w->suspects);
  agent_thread_stop(&w->thread, NS_PER_S);
}
