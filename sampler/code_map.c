#include "sampler/code_map.h"

#include <jvmticmlr.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/hashmap.h"
#include "agent/base/memory.h"

#define PAGE_BITS 16 /* code is indexed by pages of 64 KiB */
#define NO_NODE UINT32_MAX

/* A frame. Its parent is the frame of the caller that it is inlined into. */
struct node {
  jmethodID method;
  int32_t bci;
  uint32_t parent; /* index in the same array; NO_NODE: this is the compiled method */
};

struct place {
  uint32_t end;  /* offset in the code; belongs to this place only if it is a return address */
  uint32_t node; /* index of the innermost frame */
};

struct code {
  uintptr_t begin, end;
  jmethodID method;
  struct node *nodes;
  struct place *places;
  uint32_t num_nodes, num_places, nodes_capacity;
  bool has_blob;
  struct blob blob;
};

/* All code that overlaps a page. */
struct page {
  struct code **codes;
  uint32_t num, capacity;
};

struct code_map {
  pthread_mutex_t lock; /* guards everything except the sizes */
  struct hashmap pages; /* address >> PAGE_BITS -> struct page */
  size_t num, bytes;    /* of all pieces of code; atomic */
};

struct code_map *code_map_new(void) {
  struct code_map *m = memory_new_zeroed(1, sizeof *m);
  if (m != NULL) pthread_mutex_init(&m->lock, NULL);
  return m;
}

/* --- a piece of code ------------------------------------------------------------------------ */

static uint64_t count_bytes(const struct code *c) {
  return sizeof *c + c->num_places * sizeof *c->places + c->nodes_capacity * sizeof *c->nodes;
}

static void code_free(struct code *c) {
  if (c == NULL) return;
  free(c->nodes);
  free(c->places);
  free(c);
}

/* Only the latest nodes are searched, since neighbouring places share their callers. */
#define NODES_SEARCHED 64

static uint32_t find_node(const struct code *c, const struct node *node) {
  uint32_t first = c->num_nodes > NODES_SEARCHED ? c->num_nodes - NODES_SEARCHED : 0;
  for (uint32_t i = c->num_nodes; i > first; i--) {
    const struct node *n = &c->nodes[i - 1];
    if (n->method == node->method && n->bci == node->bci && n->parent == node->parent) return i - 1;
  }
  return NO_NODE;
}

/* Finds or adds a node; false if memory runs out. */
static bool add_node(struct code *c, const struct node *node, uint32_t *out) {
  *out = find_node(c, node);
  if (*out != NO_NODE) return true;
  if (c->num_nodes == c->nodes_capacity) {
    uint32_t capacity = c->nodes_capacity == 0 ? 16 : 2 * c->nodes_capacity;
    struct node *nodes = memory_resize(c->nodes, capacity * sizeof *nodes);
    if (nodes == NULL) return false;
    c->nodes = nodes;
    c->nodes_capacity = capacity;
  }
  *out = c->num_nodes;
  c->nodes[c->num_nodes++] = *node;
  return true;
}

static bool add_inline_places(struct code *c, const jvmtiCompiledMethodLoadInlineRecord *r) {
  if (r->numpcs <= 0) return true;
  c->places = memory_new((size_t)r->numpcs * sizeof *c->places);
  if (c->places == NULL) return false;
  for (jint i = 0; i < r->numpcs; i++) {
    const PCStackInfo *info = &r->pcinfo[i];
    uintptr_t pc = (uintptr_t)info->pc;
    bool is_inside = pc >= c->begin && pc <= c->end && info->numstackframes > 0;
    struct place *place = &c->places[c->num_places];
    if (!is_inside) continue;
    place->end = (uint32_t)(pc - c->begin);
    place->node = NO_NODE;
    for (jint n = info->numstackframes; n > 0; n--) {
      /* The entry of a synchronized method has the bytecode index -1. */
      jint bci = info->bcis[n - 1] < 0 ? 0 : info->bcis[n - 1];
      struct node node = {info->methods[n - 1], bci, place->node};
      if (!add_node(c, &node, &place->node)) return false;
    }
    c->num_places++;
  }
  return true;
}

static int compare_places(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  return (x->end > y->end) - (x->end < y->end);
}

static struct code *code_new(jmethodID method, uintptr_t begin, uint32_t size, const void *info) {
  struct code *c = memory_new_zeroed(1, sizeof *c);
  if (c == NULL) return NULL;
  *c = (struct code){.begin = begin, .end = begin + size, .method = method};
  for (const jvmtiCompiledMethodLoadRecordHeader *h = info; h != NULL; h = h->next) {
    if (h->kind != JVMTI_CMLR_INLINE_INFO || c->places != NULL) continue;
    if (add_inline_places(c, (const jvmtiCompiledMethodLoadInlineRecord *)h)) continue;
    code_free(c);
    return NULL;
  }
  if (c->num_places > 1) qsort(c->places, c->num_places, sizeof *c->places, compare_places);
  return c;
}

/* --- the pages ------------------------------------------------------------------------------ */

static struct page *find_page(const struct code_map *m, uintptr_t number) {
  uint64_t page = 0;
  return hashmap_get(&m->pages, number, &page) ? (struct page *)(uintptr_t)page : NULL;
}

static uintptr_t get_last_page(const struct code *c) { return (c->end - 1) >> PAGE_BITS; }

static void remove_code(struct code_map *m, struct code *c) {
  for (uintptr_t n = c->begin >> PAGE_BITS; n <= get_last_page(c); n++) {
    struct page *p = find_page(m, n);
    for (uint32_t i = 0; p != NULL && i < p->num; i++) {
      if (p->codes[i] != c) continue;
      p->codes[i] = p->codes[--p->num];
      break;
    }
  }
  __atomic_fetch_sub(&m->bytes, count_bytes(c), __ATOMIC_RELAXED);
  __atomic_fetch_sub(&m->num, 1, __ATOMIC_RELAXED);
  code_free(c);
}

/* Returns any code that overlaps [begin, end); NULL if there is none. */
static struct code *find_overlap(const struct code_map *m, uintptr_t begin, uintptr_t end) {
  for (uintptr_t n = begin >> PAGE_BITS; n <= (end - 1) >> PAGE_BITS; n++) {
    const struct page *p = find_page(m, n);
    for (uint32_t i = 0; p != NULL && i < p->num; i++) {
      if (p->codes[i]->begin < end && begin < p->codes[i]->end) return p->codes[i];
    }
  }
  return NULL;
}

/* Adds a piece of code to its pages; false if memory runs out. */
static bool add_code(struct code_map *m, struct code *c) {
  for (uintptr_t n = c->begin >> PAGE_BITS; n <= get_last_page(c); n++) {
    uint64_t *page = hashmap_at(&m->pages, n);
    if (page == NULL) return false;
    if (*page == 0) *page = (uintptr_t)memory_new_zeroed(1, sizeof(struct page));
    struct page *p = (struct page *)(uintptr_t)*page;
    if (p == NULL) return false;
    if (p->num == p->capacity) {
      uint32_t capacity = p->capacity == 0 ? 8 : 2 * p->capacity;
      struct code **codes = memory_resize(p->codes, capacity * sizeof(struct code *));
      if (codes == NULL) return false;
      p->codes = codes;
      p->capacity = capacity;
    }
    p->codes[p->num++] = c;
  }
  return true;
}

bool code_map_load(struct code_map *m, jmethodID method, uintptr_t begin, uint32_t size,
                   const void *info) {
  if (size == 0) return true;
  struct code *c = code_new(method, begin, size, info), *old;
  pthread_mutex_lock(&m->lock);
  while ((old = find_overlap(m, begin, begin + size)) != NULL) remove_code(m, old);
  if (c != NULL) {
    __atomic_fetch_add(&m->bytes, count_bytes(c), __ATOMIC_RELAXED);
    __atomic_fetch_add(&m->num, 1, __ATOMIC_RELAXED);
    if (!add_code(m, c)) {
      remove_code(m, c);
      c = NULL;
    }
  }
  pthread_mutex_unlock(&m->lock);
  return c != NULL;
}

void code_map_unload(struct code_map *m, uintptr_t begin) {
  pthread_mutex_lock(&m->lock);
  struct code *c = find_overlap(m, begin, begin + 1);
  if (c != NULL && c->begin == begin) remove_code(m, c);
  pthread_mutex_unlock(&m->lock);
}

void code_map_clear(struct code_map *m) {
  struct hashmap_slot slot;
  pthread_mutex_lock(&m->lock);
  for (size_t cursor = 0; hashmap_next(&m->pages, &cursor, &slot);) {
    struct page *p = (struct page *)(uintptr_t)slot.value;
    while (p != NULL && p->num > 0) remove_code(m, p->codes[0]);
  }
  for (size_t cursor = 0; hashmap_next(&m->pages, &cursor, &slot);) {
    struct page *p = (struct page *)(uintptr_t)slot.value;
    if (p != NULL) free(p->codes);
    free(p);
  }
  hashmap_free(&m->pages);
  pthread_mutex_unlock(&m->lock);
}

/* --- frames --------------------------------------------------------------------------------- */

/* Returns the first place that ends at `offset` or later; NULL if there is none. */
static const struct place *find_place(const struct code *c, uint32_t offset) {
  uint32_t low = 0, high = c->num_places;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (c->places[middle].end < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < c->num_places ? &c->places[low] : NULL;
}

/* Code without places is the wrapper of a native method; its frame has location -1. */
static int find_frames(const struct code *c, uintptr_t pc, enum pc_kind kind, jvmtiFrameInfo *out,
                       int max) {
  uint32_t offset = (uint32_t)(pc - c->begin);
  if (c->num_places == 0) {
    if (max > 0) out[0] = (jvmtiFrameInfo){c->method, -1};
    return max > 0;
  }
  const struct place *place = find_place(c, kind == PC_NEXT ? offset + 1 : offset);
  if (kind == PC_RETURN && (place == NULL || place->end != offset)) return 0;
  if (place == NULL) place = &c->places[c->num_places - 1];
  int n = 0;
  for (uint32_t node = place->node; node != NO_NODE && n < max; node = c->nodes[node].parent) {
    out[n++] = (jvmtiFrameInfo){c->nodes[node].method, c->nodes[node].bci};
  }
  return n;
}

int code_map_find_frames(struct code_map *m, uintptr_t pc, enum pc_kind kind, jvmtiFrameInfo *out,
                         int max) {
  pthread_mutex_lock(&m->lock);
  const struct code *c = find_overlap(m, pc, pc + 1);
  int n = c == NULL ? 0 : find_frames(c, pc, kind, out, max);
  pthread_mutex_unlock(&m->lock);
  return n;
}

bool code_map_get_blob(struct code_map *m, uintptr_t pc, struct blob *out) {
  pthread_mutex_lock(&m->lock);
  const struct code *c = find_overlap(m, pc, pc + 1);
  bool has_blob = c != NULL && c->has_blob;
  if (has_blob) *out = c->blob;
  pthread_mutex_unlock(&m->lock);
  return has_blob;
}

void code_map_set_blob(struct code_map *m, uintptr_t pc, const struct blob *blob) {
  pthread_mutex_lock(&m->lock);
  struct code *c = find_overlap(m, pc, pc + 1);
  if (c != NULL) {
    c->has_blob = true;
    c->blob = *blob;
  }
  pthread_mutex_unlock(&m->lock);
}

bool code_map_has(struct code_map *m, uintptr_t pc) {
  pthread_mutex_lock(&m->lock);
  bool has_code = find_overlap(m, pc, pc + 1) != NULL;
  pthread_mutex_unlock(&m->lock);
  return has_code;
}

struct table_size code_map_size(const struct code_map *m) {
  return (struct table_size){__atomic_load_n(&m->num, __ATOMIC_RELAXED),
                             __atomic_load_n(&m->bytes, __ATOMIC_RELAXED)};
}
