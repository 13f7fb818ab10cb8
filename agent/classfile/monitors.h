#pragma once
/* The monitorenters and monitorexits of a method.

   An exception may come out of a hook, if only because the stack is full, so it must stand where
   one does no harm. The JVM compiles no method that an exception may leave with a monitor held
   (HotSpot's generateOopMap.cpp tells), and javac's handler that releases a monitor goes back to
   itself on an exception, without end. So

     monitorenter   is followed by its hook inside of the range that begins right behind it, in
                    which an exception releases the monitor;
     monitorexit    has the hook before it where an exception then goes on to release the same
                    monitor: that is the normal way out of a `synchronized` statement. In the
   handler itself, and where no handler is seen, it stands behind, and out of any range that ends
   there: the monitor is free when the hook runs. */
#include "agent/classfile/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* monitors_mark puts INSERT_LOCK to INSERT_RELEASED where they belong. `handlers` is the exception
   table. WEAVE_MONITOR where no such range begins behind a monitorenter, as in no compiler's code.
 */
enum weave_status monitors_mark(struct layout *l, struct span handlers);

#ifdef __cplusplus
}
#endif
