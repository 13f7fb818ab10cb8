#include "tools/orca/html/data.h"

static void put_owners(struct data *d) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  process_shares(&d->m->process, d->m->cpu.total_ns, shares);
  json_key(d->j, "owners");
  json_begin_array(d->j);
  for (int owner = 0; owner < NUM_PROCESS_OWNERS; owner++) {
    json_begin_array(d->j);
    json_text(d->j, process_owner_names[owner]);
    json_unsigned(d->j, shares[owner].cpu_ns);
    json_end_array(d->j);
  }
  json_end_array(d->j);
}

void data_process(struct data *d) {
  const struct machine_times *t = &d->g->machine;
  json_key(d->j, "process");
  if (!d->m->process.known) {
    json_null(d->j);
    return;
  }
  json_begin_object(d->j);
  put_owners(d);
  json_key(d->j, "spells");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num; i++) {
    data_time(d, t->spells[i].begin);
    data_ticks(d, t->spells[i].end - t->spells[i].begin);
    json_unsigned(d->j, t->spells[i].process_ns);
    json_unsigned(d->j, t->spells[i].jit_ns);
    json_unsigned(d->j, t->spells[i].gc_ns);
  }
  json_end_array(d->j);
  json_key(d->j, "pauses");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->pauses.num; i++) {
    data_time(d, t->pauses.rows[i].begin);
    data_ticks(d, t->pauses.rows[i].end - t->pauses.rows[i].begin);
  }
  json_end_array(d->j);
  json_unsigned_member(d->j, "pausesLeft", t->pauses.seen - t->pauses.num);
  json_end_object(d->j);
}
