#include "tools/orca/html/data.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/names.h"

/* --- values ---------------------------------------------------------------------------- */

void data_ticks(struct data *d, ticks_t ticks) { json_unsigned(d->j, ticks / TICKS_PER_NS); }

void data_time(struct data *d, ticks_t time) {
  ticks_t start = d->g->timeline.start;
  json_unsigned(d->j, time > start ? time / TICKS_PER_NS - start / TICKS_PER_NS : 0);
}

void data_thread(struct data *d, uint32_t hash) {
  uint64_t at = 0;
  if (hash != 0) hashmap_get(&d->threads, hash, &at);
  json_integer(d->j, (int64_t)at - 1);
}

static bool add_object(struct data *d, uint32_t hash, uint64_t *at) {
  void *grown =
      grow(d->object_hashes, d->num_objects, &d->objects_capacity, sizeof *d->object_hashes);
  if (grown == NULL) return false;
  d->object_hashes = grown;
  d->object_hashes[d->num_objects] = hash;
  *at = ++d->num_objects;
  return true;
}

void data_object(struct data *d, uint32_t hash) {
  uint64_t *at = hash == 0 ? NULL : hashmap_at(&d->objects, hash);
  if (hash != 0 && (at == NULL || (*at == 0 && !add_object(d, hash, at)))) d->failed = true;
  json_integer(d->j, hash == 0 || d->failed ? -1 : (int64_t)*at - 1);
}

void data_stack(struct data *d, stack_id_t stack) {
  size_t max = gathered_bound(d->g, HTML_FRAMES);
  uint32_t node = 0;
  if (!frame_tree_add(&d->frames, &d->m->stacks, d->m->dump, stack, max, &node)) {
    d->failed = true;
  }
  json_unsigned(d->j, node);
}

/* --- the object ------------------------------------------------------------------------- */

/* "threads": [[name, hash, first, last, alive, CPU time]], in the order of the model: first the
   "asked" threads that match the filter, then others that may have owned a lock. */
static void put_threads(struct data *d) {
  const struct threads *threads = &d->m->threads;
  size_t shown = gathered_bound(d->g, HTML_THREADS);
  struct json *j = d->j;
  json_key(j, "threads");
  json_begin_array(j);
  for (size_t i = 0; i < threads->num_all && i < shown; i++) {
    const struct thread *thread = &threads->rows[i];
    struct builder name = {0};
    d->failed |= !hashmap_put(&d->threads, thread->hash, i + 1);
    names_thread(&name, threads, thread->hash);
    json_begin_array(j);
    json_string(j, (struct span){name.data, name.len});
    name.len = 0;
    text_hash(&name, thread->hash);
    json_string(j, (struct span){name.data, name.len});
    data_time(d, thread->first);
    data_time(d, thread->last);
    json_unsigned(j, thread->alive);
    json_unsigned(j, thread->cpu_ns);
    json_end_array(j);
    d->failed |= name.failed;
    builder_free(&name);
  }
  json_end_array(j);
  json_unsigned_member(j, "asked", threads->num);
}

/* "objects": [name]. Must be called after all functions that write an object. */
static void put_objects(struct data *d) {
  json_key(d->j, "objects");
  json_begin_array(d->j);
  for (size_t i = 0; i < d->num_objects; i++) {
    uint32_t hash = d->object_hashes[i];
    struct builder name = {0};
    const struct thread *thread = threads_find(&d->m->threads, hash);
    if (thread != NULL && thread->name != NULL) {
      names_thread(&name, &d->m->threads, hash);
    } else {
      titles_write(&name, &d->m->titles, d->m->dump, hash);
    }
    d->failed |= name.failed;
    json_string(d->j, (struct span){name.data, name.len});
    builder_free(&name);
  }
  json_end_array(d->j);
}

static void put_length(struct data *d) {
  json_text_member(d->j, "prefix", dump_prefix(d->m->dump));
  json_key(d->j, "length");
  data_ticks(d, d->g->timeline.end - d->g->timeline.start);
  json_unsigned_member(d->j, "cpu", d->m->cpu.total_ns);
  json_key(d->j, "blocked");
  data_ticks(d, d->m->locks.blocked);
}

bool data_write(struct json *j, struct gathered *g) {
  static void (*const parts[])(struct data *) = {
      put_length,   data_words, put_threads, data_profile, data_slices, data_locks, data_timeline,
      data_process, data_path,  data_graph,  data_log,     data_frames, put_objects};
  struct data d = {.j = j, .g = g, .m = g->model};
  json_begin_object(j);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && !d.failed; i++) parts[i](&d);
  json_end_object(j);
  frame_tree_free(&d.frames);
  hashmap_free(&d.threads);
  hashmap_free(&d.objects);
  hashmap_free(&d.rings);
  free(d.object_hashes);
  return !d.failed && !j->out->failed;
}
