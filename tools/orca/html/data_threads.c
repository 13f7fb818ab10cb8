#include "tools/orca/html/bounds.h"
#include "tools/orca/html/data.h"
#include "tools/orca/model/names.h"

static void put_thread_row(struct data *d, const struct thread *thread) {
  struct json *j = d->j;
  struct builder name = {0};
  names_thread(&name, &d->m->threads, thread->hash);
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

void data_threads(struct data *d) {
  const struct threads *threads = &d->m->threads;
  json_key(d->j, "threads");
  json_begin_array(d->j);
  for (size_t i = 0; i < threads->num_all && i < HTML_THREADS; i++) {
    d->failed |= !hashmap_put(&d->threads, threads->rows[i].hash, i + 1);
    put_thread_row(d, &threads->rows[i]);
  }
  json_end_array(d->j);
  json_unsigned_member(d->j, "asked", threads->num);
}
