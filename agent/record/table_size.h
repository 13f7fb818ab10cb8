#pragma once
/* The size of a table of the agent, for `orca status`. A function that returns one is called
   NOUN_size. It is exact when nothing changes, takes no lock, and any thread may call it. */
#include <stddef.h>

struct table_size {
  size_t entries; /* in use */
  size_t bytes;   /* allocated, or reserved if the kernel provides only what is touched */
};
