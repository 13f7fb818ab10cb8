#pragma once
/* The constant pool of a class file. New entries are added after the entries that were read. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/classfile/big_endian.h"
#include "agent/classfile/status.h"

BEGIN_C

#define POOL_MAX 65535 /* constant_pool_count is a u2 */

struct pool {
  const char *data;     /* the class file; the caller keeps it alive */
  uint32_t *starts;     /* [num_read] offset of entry i in `data`; 0: no entry has the number i */
  uint32_t num_read;    /* constant_pool_count of the class file */
  uint32_t num;         /* constant_pool_count with the added entries */
  uint32_t begin, end;  /* the bytes of the read entries, as offsets in `data` */
  struct builder added; /* the bytes of the added entries */
  bool failed;          /* memory ran out while an entry was added */
  bool full;            /* an entry was not added: the pool is full, or `failed` is set as well */
};

/* pool_read reads the pool at the cursor, which is at constant_pool_count. It leaves the cursor
   after the last entry. Returns WEAVE_WOVEN; with any other status there is nothing to free. */
enum weave_status pool_read(struct pool *p, struct cursor *c);
void pool_free(struct pool *p);

/* These five return {NULL, 0} if entry `index` is of another kind. They find only entries that
   were read, not added ones. pool_utf8 returns the text of a CONSTANT_Utf8. */
struct span pool_utf8(const struct pool *p, uint32_t index);

/* pool_class_name returns the name of a CONSTANT_Class. */
struct span pool_class_name(const struct pool *p, uint32_t index);

/* pool_member_class returns the name of the class in a Fieldref, Methodref or InterfaceMethodref.
 */
struct span pool_member_class(const struct pool *p, uint32_t index);

/* pool_method_name and pool_method_descriptor return parts of a Methodref or InterfaceMethodref. */
struct span pool_method_name(const struct pool *p, uint32_t index);
struct span pool_method_descriptor(const struct pool *p, uint32_t index);

/* These find or add an entry and return its number. They return 0 and set `full` if the pool is
   full. They set `failed` if memory runs out; the returned number means nothing then. A text has at
   most 65,535 bytes. */
uint32_t pool_add_utf8(struct pool *p, struct span text);
uint32_t pool_add_class(struct pool *p, struct span name);
uint32_t pool_add_integer(struct pool *p, int32_t n);
uint32_t pool_add_method(struct pool *p, const char *class_name, const char *name,
                         const char *descriptor);

/* pool_put appends constant_pool_count and all entries to `out`. */
void pool_put(const struct pool *p, struct builder *out);

END_C
