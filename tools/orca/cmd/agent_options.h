#pragma once
/* The help on the options of the agent: orca help options. */
#ifdef __cplusplus
extern "C" {
#endif

/* agent_options_print prints each option with its default, meaning and values. Returns the exit
   status. */
int agent_options_print(void);

#ifdef __cplusplus
}
#endif
