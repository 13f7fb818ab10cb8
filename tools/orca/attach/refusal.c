#include "tools/orca/attach/refusal.h"

#include <stdarg.h>
#include <stdio.h>

bool refuse(struct refusal *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}
