#pragma once
/* Reads memory of this process that may be unmapped. The unwinder uses it for the JVM's structures
   and code, since it follows addresses that it cannot trust. The kernel does the copying
   (process_vm_readv), so a bad address is an error instead of a crash. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* jvm_memory_read copies `len` bytes from address `from` to `to`. Returns false if some of them
   cannot be read; the content of `to` is then undefined. Any thread. */
bool jvm_memory_read(uintptr_t from, void *to, size_t len);

/* These functions read one value; they return 0 if it cannot be read. Any thread. */
uintptr_t jvm_memory_word(uintptr_t from);
int32_t jvm_memory_int(uintptr_t from);
uint16_t jvm_memory_short(uintptr_t from);

END_C
