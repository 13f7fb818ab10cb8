#include "agent/thread/registry.h"

#include "agent/thread/context.h"

void registry_init(struct registry *r) {
  *r = (struct registry){0};
  pthread_mutex_init(&r->lock, NULL);
}

static struct context **find_chain(struct registry *r, uint32_t thread) {
  return &r->buckets[thread % REGISTRY_BUCKETS];
}

/* Returns the first context of the chain with this hash, NULL without one. */
static struct context *find_in_chain(struct context *chain, uint32_t thread) {
  while (chain != NULL && chain->thread != thread) chain = chain->next_registered;
  return chain;
}

void registry_add(struct registry *r, struct context *c) {
  pthread_mutex_lock(&r->lock);
  struct context **head = find_chain(r, c->thread);
  c->next_registered = *head;
  *head = c;
  pthread_mutex_unlock(&r->lock);
}

void registry_visit(struct registry *r, int slice, bool (*visit)(struct context *c, void *arg),
                    void *arg) {
  bool goes_on = true;
  pthread_mutex_lock(&r->lock);
  for (int i = 0; i < REGISTRY_SLICE && goes_on; i++) {
    struct context *c = r->buckets[slice * REGISTRY_SLICE + i];
    for (; c != NULL && goes_on; c = c->next_registered) goes_on = visit(c, arg);
  }
  pthread_mutex_unlock(&r->lock);
}

struct context *registry_find(struct registry *r, uint32_t thread) {
  pthread_mutex_lock(&r->lock);
  struct context *c = find_in_chain(*find_chain(r, thread), thread);
  pthread_mutex_unlock(&r->lock);
  return c;
}

struct context *registry_adopt(struct registry *r, uint32_t thread, bool is_virtual) {
  pthread_mutex_lock(&r->lock);
  struct context *c = find_in_chain(*find_chain(r, thread), thread);
  while (c != NULL && (c->is_adopted || c->is_virtual != is_virtual))
    c = find_in_chain(c->next_registered, thread);
  if (c != NULL) c->is_adopted = true;
  pthread_mutex_unlock(&r->lock);
  return c;
}

/* Returns whether the context was in its chain. */
static bool remove_from_chain(struct registry *r, struct context *c) {
  struct context **at = find_chain(r, c->thread);
  while (*at != NULL && *at != c) at = &(*at)->next_registered;
  if (*at == NULL) return false;
  *at = c->next_registered;
  return true;
}

void registry_remove(struct registry *r, struct context *c) {
  pthread_mutex_lock(&r->lock);
  remove_from_chain(r, c);
  pthread_mutex_unlock(&r->lock);
}

void registry_end(struct registry *r, struct context *c) {
  pthread_mutex_lock(&r->lock);
  struct ended_ring *ring = c->is_virtual ? &r->ended_virtual : &r->ended_platform;
  if (remove_from_chain(r, c)) ring->hashes[ring->num++ % REGISTRY_ENDED] = c->thread;
  pthread_mutex_unlock(&r->lock);
}

static bool is_in_ring(const struct ended_ring *ring, uint32_t thread) {
  unsigned n = ring->num < REGISTRY_ENDED ? ring->num : REGISTRY_ENDED;
  for (unsigned i = 0; i < n; i++) {
    if (ring->hashes[i] == thread) return true;
  }
  return false;
}

bool registry_has_ended(struct registry *r, uint32_t thread) {
  pthread_mutex_lock(&r->lock);
  bool lives = find_in_chain(*find_chain(r, thread), thread) != NULL;
  bool ended =
      !lives && (is_in_ring(&r->ended_platform, thread) || is_in_ring(&r->ended_virtual, thread));
  pthread_mutex_unlock(&r->lock);
  return ended;
}

int registry_ask(struct registry *r, uint32_t thread,
                 void (*ask)(const struct context *c, void *arg), void *arg) {
  int num = 0;
  pthread_mutex_lock(&r->lock);
  struct context *first = find_in_chain(*find_chain(r, thread), thread);
  for (struct context *c = first; c != NULL; c = find_in_chain(c->next_registered, thread)) num++;
  if (num == 1) ask(first, arg);
  pthread_mutex_unlock(&r->lock);
  return num;
}
