#pragma once
/* What edits would gain: the simulation of the recording, without and with them, and what limits
   the speed then. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/edit.h"
#include "tools/orca/causal/whatif/limit.h"

BEGIN_C

/* Why there is no prediction. */
enum whatif_refusal {
  REFUSAL_NONE,
  REFUSAL_TOO_LONG,   /* more operations than fit */
  REFUSAL_LOSSY,      /* lines are missing */
  REFUSAL_THRESHOLD,  /* short waits have no lines */
  REFUSAL_EMPTY,      /* no thread did anything */
  REFUSAL_COSTLY,     /* recording took too much of the CPU time */
  REFUSAL_STUCK,      /* in the simulation all threads wait for each other */
  REFUSAL_ENDLESS,    /* the simulation does not end */
  REFUSAL_INACCURATE, /* the simulation without edits differs too much from the recording */
};

/* The new speed, as a multiple of the old one: 2 is twice as fast. */
struct gain {
  double least, middle, most;
};

struct whatif {
  struct trace trace;
  struct script script;
  enum whatif_refusal refusal;
  double recorded; /* ticks, pauses of the JVM included, as in the next one */
  double baseline;
  double error; /* of the baseline: 0.02 is 2 % */
  double cost;  /* the part of the threads' CPU time that recording took, as estimated */
};

struct prediction {
  enum whatif_refusal refusal;
  double time;      /* the recorded time divided by the gain, in ticks */
  struct gain gain; /* without the final range all are equal */
  struct limit next;
};

/* whatif_start reads the recording of a complete model and simulates it without edits. `work` as in
   script_write. Returns false when memory ran out; call whatif_free either way. */
bool whatif_start(struct whatif *w, struct model *m, const char *work);

/* whatif_start_on does the same with a trace of the whole recording, which it takes. */
bool whatif_start_on(struct whatif *w, struct trace *t, const char *work);

/* whatif_predict simulates changes. With `is_final` it also simulates the variants of variant.def
   for the range of the gain, and finds what limits the speed then. There must not be a refusal.
   Returns false when memory ran out. */
bool whatif_predict(const struct whatif *w, const struct changes *changes, bool is_final,
                    struct prediction *out);

void whatif_free(struct whatif *w);

/* gain_is_none returns whether the speed stays the same, and no gain is likely to be missed. Two
   runs of a program differ by as much. */
bool gain_is_none(const struct gain *g);

/* gain_write appends "1.9 to 2.2 times as fast"; ", so perhaps no gain" follows if that is so. */
void gain_write(struct builder *b, const struct gain *g);

END_C
