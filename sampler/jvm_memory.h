#pragma once
/* Reading memory that may not be there: the JVM's structures and code, as the unwinder follows
   addresses that it cannot trust. The kernel copies, so a bad address is an error and no crash. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* jvm_memory_read copies `len` bytes at `from` in this process to `to`. False, and `to` undefined,
   where not all of them can be read. Any thread. */
bool jvm_memory_read(uintptr_t from, void *to, size_t len);

/* The same for one value; 0 where it cannot be read. */
uintptr_t jvm_memory_word(uintptr_t from);
int32_t jvm_memory_int(uintptr_t from);
uint16_t jvm_memory_short(uintptr_t from);

#ifdef __cplusplus
}
#endif
