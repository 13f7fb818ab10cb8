#include "tools/orca/html/bounds.h"
#include "tools/orca/html/data.h"
#include "tools/orca/model/names.h"

void data_threads(struct data *d) {
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
