#pragma once
/* The file: URIs of build events. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* file_uri_path appends the path that a URI names on this machine, and a NUL. Returns false, and
   appends nothing, if the URI is of another scheme or another machine. The same if its path is not
   absolute, or contains a control character or a '%' without two hexadecimal digits. */
bool file_uri_path(struct builder *out, const char *uri);

END_C
