#pragma once
/* HotSpot's frames of the interpreter and of call_stub: offsets of words from the frame pointer,
   from frame_x86.hpp and frame_aarch64.hpp. No JVM exports them. */

#define FRAME_SAVED_FP 0
#define FRAME_RETURN_PC 1
#define FRAME_SENDER_SP (-1)
#define FRAME_METHOD (-3)

/* Since JDK 9, a frame of the interpreter also contains the mirror of the method's class, above the
   bytecode pointer. */
#if defined(__aarch64__) /* JDK 8 has its bytecode pointer elsewhere: see FRAME_MAX_BCP */
#define FRAME_BCP (-9)
#define FRAME_BCP_WITHOUT_MIRROR FRAME_BCP
#define FRAME_CALL_WRAPPER (-8) /* in the frame of call_stub */
#else
#define FRAME_BCP (-8)
#define FRAME_BCP_WITHOUT_MIRROR (-7)
#define FRAME_CALL_WRAPPER (-6) /* in the frame of call_stub */
#endif

/* A bytecode pointer is 0 in a native method, else at most so many bytes after the ConstMethod. If
   the word there is another, the frame has another layout. */
#define FRAME_MAX_BCP (65536 + 256)
