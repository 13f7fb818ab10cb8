#pragma once
/* The constant pool of a class file: found entries, and new ones behind them. */
#include "agent/base/bytes.h"
#include "agent/classfile/big_endian.h"
#include "agent/classfile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POOL_MAX 65535 /* constant_pool_count is a u2 */

struct pool {
  const char *data;     /* the class file */
  uint32_t *starts;     /* of entry i, from `data`; 0: there is none. [num_read] */
  uint32_t num_read;    /* constant_pool_count as it was read */
  uint32_t num;         /* and as it is now */
  uint32_t begin, end;  /* the entries that were read, from `data` */
  struct builder added; /* the entries that are new */
  bool full;            /* one did not fit */
  bool failed;          /* there was no memory for one, or for what was to become one */
};

/* pool_read reads the pool at the cursor, which stands before constant_pool_count and behind it
   afterwards. WEAVE_WOVEN, or why not, with nothing to free. */
enum weave_status pool_read(struct pool *p, struct cursor *c);
void pool_free(struct pool *p);

/* pool_utf8 gives the text of a CONSTANT_Utf8; {NULL, 0} where `index` is none. */
struct span pool_utf8(const struct pool *p, uint32_t index);

/* pool_class_name gives the name of a CONSTANT_Class; {NULL, 0} where it is none. Only for entries
   that were read. */
struct span pool_class_name(const struct pool *p, uint32_t index);

/* pool_method_name gives the name of a Methodref or InterfaceMethodref; {NULL, 0} where it is
   none. Only for entries that were read. */
struct span pool_method_name(const struct pool *p, uint32_t index);

/* These find an entry or add it, and give its number; 0, and `full`, where there is no room; and
   `failed` where there is no memory. */
uint32_t pool_add_utf8(struct pool *p, struct span text);
uint32_t pool_add_class(struct pool *p, struct span name);
uint32_t pool_add_integer(struct pool *p, int32_t n);
uint32_t pool_add_method(struct pool *p, const char *class_name, const char *name,
                         const char *descriptor);

/* pool_put writes constant_pool_count and all entries. */
void pool_put(const struct pool *p, struct builder *out);

#ifdef __cplusplus
}
#endif
