#include "agent/jvm/class_pool.h"

/* The bytes get the number of entries before them, as in a class file. */
bool class_pool_read(struct class_pool *p, jvmtiEnv *ti, jclass klass) {
  unsigned char *bytes = NULL;
  jint num = 0, len = 0;
  *p = (struct class_pool){0};
  if ((*ti)->GetConstantPool(ti, klass, &num, &len, &bytes) != JVMTI_ERROR_NONE) return false;
  put_u2(&p->bytes, (uint32_t)num);
  builder_bytes(&p->bytes, bytes, (size_t)len);
  (*ti)->Deallocate(ti, bytes);
  struct cursor cursor = cursor_over((struct span){p->bytes.data, p->bytes.len});
  if (!p->bytes.failed && pool_read(&p->pool, &cursor) == WEAVE_WOVEN) return true;
  builder_free(&p->bytes);
  return false;
}

void class_pool_free(struct class_pool *p) {
  pool_free(&p->pool);
  builder_free(&p->bytes);
}
