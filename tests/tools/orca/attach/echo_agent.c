/* An agent that does nothing but answer, as the real one does: what it was handed, into the file
   that it was handed, and 0; without a file -3; the word "@refuse" gets a line and 7. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved);

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  static int num_calls;
  char word[32], path[128];
  JNIEnv *env;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_EDETACHED) return JNI_EDETACHED;
  if (sscanf(options, "%31[^,],reply=%127[^,]", word, path) != 2) return -3;
  FILE *reply = fopen(path, "r+"); /* it is there already */
  if (reply == NULL) return -4;
  bool refused = strcmp(word, "@refuse") == 0;
  const char *about = strchr(strchr(options, ',') + 1, ',');
  fprintf(reply, "%s call %d%s\n", word, ++num_calls, about == NULL ? "" : about);
  fclose(reply);
  return refused ? 7 : 0;
}
