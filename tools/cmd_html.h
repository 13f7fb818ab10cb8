#pragma once
/* orca html: a recording as one page for a browser. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_html writes the page of the dump that the arguments name. Gives the exit status: 0 done, 1
   the dump is broken somewhere (the page says where) or the page could not be written whole, 2
   wrong use or no such dump. argv[0] is "html". */
int cmd_html(int argc, char **argv);

#ifdef __cplusplus
}
#endif
