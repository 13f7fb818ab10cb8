#pragma once
/* Renames what the constant pool of a class file names, so that one class file fits JVMs in which a
   class or a method has another name. */
#include "agent/base/extern_c.h"
#include "agent/classfile/big_endian.h"

BEGIN_C

struct renaming {
  const char *from, *to; /* parts of names and descriptors: "jdk/internal/misc/Unsafe" */
};

/* class_rename appends a copy of the class file to `out`, in which each occurrence of `from` in a
   CONSTANT_Utf8 is `to`. Of several renamings the first that fits is taken. Returns false if the
   class file is malformed or a text becomes too long; what `out` contains then means nothing. */
bool class_rename(struct span class_file, const struct renaming *renamings, size_t num,
                  struct builder *out);

END_C
