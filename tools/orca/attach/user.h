#pragma once
/* Being the user of another process for a while. A JVM wants its files and its callers to be its
   own user's, and what root writes into folders of others should be written with their rights. */
#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct user {
  uid_t uid;
  gid_t gid;
};

/* user_become makes root that user, and gives whom user_return makes of us again. For who is not
   root both do nothing: the user must be oneself. False: the system did not let us. Root's further
   groups are dropped for good; root needs none. To be called while there is one thread. */
bool user_become(struct user user, struct user *out_before);
void user_return(struct user before);

#ifdef __cplusplus
}
#endif
