#pragma once
/* Marks the hooks of the monitorenters and monitorexits of a method.

   A hook can throw, for example when the stack is full. So each hook is placed where an exception
   does no harm. Two constraints limit the places:
   - HotSpot does not compile a method that an exception can leave with a monitor held
     (generateOopMap.cpp).
   - javac's handler that releases a monitor handles its own exceptions too. A hook that always
     throws in it would cause an endless loop.

   The places are:

     monitorenter   The hook follows it, inside the range of the handler that releases the monitor.
                    That range must start directly after the monitorenter.
     monitorexit    The hook precedes it if an exception there reaches a later handler that
                    releases the same monitor. This is the normal exit of a `synchronized`
                    statement.
                    Otherwise the hook follows it, outside any range that ends there. The monitor
                    is already released when that hook runs. This is the case in the handler
                    itself, and if no matching handler is found. */
#include "agent/base/extern_c.h"
#include "agent/classfile/layout.h"

BEGIN_C

/* monitors_mark puts the inserts INSERT_BEFORE_LOCK to INSERT_AFTER_UNLOCK into the layout.
   `handlers` is the exception table. Returns WEAVE_MONITOR if no range starts directly after a
   monitorenter; no known compiler produces such code. Otherwise returns WEAVE_WOVEN. */
enum weave_status monitors_mark(struct layout *l, struct span handlers);

END_C
