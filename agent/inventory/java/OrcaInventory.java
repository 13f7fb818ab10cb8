package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What a thread waits for, and which monitors it holds. An object of this class is the answer for one
 * thread. JVMTI has functions for this too, but they need capabilities that a running JVM does not
 * grant. The class is in java.lang so that it may use the internals of java.base.
 *
 * <p>From JDK 25 on it asks jdk.internal.vm.ThreadSnapshot, which knows platform and virtual
 * threads. Before, it asks java.lang.management.ThreadMXBean, which knows platform threads only.
 *
 * <p>It calls no code of the program. Before JDK 19, ThreadMXBean calls Thread.getId, so the caller of
 * read does not ask for monitors if a thread overrides it.
 */
final class OrcaInventory {
  // The values of ThreadSnapshot.blockerTypeOrdinal and ThreadLock.typeOrdinal.
  private static final int PARK_BLOCKER = 0, LOCKED = 0;

  private static Method create; // of ThreadSnapshot; null: use ThreadMXBean
  private static Field blockerType, blocker, locks, lockDepth, lockType, lockObject, stackTrace;
  private static Object bean; // null: the JVM has no module java.management
  private static Method getThreadInfo;
  private static Field exclusiveOwner;
  private static Field threadId; // the program may override Thread.getId

  // Index 0 is the monitor that the thread is blocked on or, in Object.wait, waits on. The others are
  // those that it holds.
  private final int[] hashes; // 0: none
  private final Class<?>[] classes; // of the monitors; null: not known
  private final String[] names; // of the classes that are not known
  private final int[] depths; // of the frames that acquired the monitors; 0: the top frame

  private String[] methods = {}; // of the stack, the top frame first, without hidden frames
  private Object parkBlocker; // null: none
  private Thread lockOwner; // the thread that owns `parkBlocker`; null: none, or not known

  private OrcaInventory(int held) {
    hashes = new int[held + 1];
    classes = new Class<?>[held + 1];
    names = new String[held + 1];
    depths = new int[held + 1];
  }

  // --- classes of this JVM ----------------------------------------------------------------------

  static void open() throws Exception {
    exclusiveOwner = open(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");
    threadId = open(Thread.class, "tid");
    try {
      openSnapshot();
    } catch (ClassNotFoundException | NoSuchMethodException | NoSuchFieldException e) {
      openBean();
    }
  }

  private static Field open(Class<?> klass, String name) throws Exception {
    Field field = klass.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static void openSnapshot() throws Exception {
    Class<?> snapshot = Class.forName("jdk.internal.vm.ThreadSnapshot");
    Class<?> lock = Class.forName("jdk.internal.vm.ThreadSnapshot$ThreadLock");
    blockerType = open(snapshot, "blockerTypeOrdinal");
    blocker = open(snapshot, "blockerObject");
    locks = open(snapshot, "locks");
    stackTrace = open(snapshot, "stackTrace");
    lockDepth = open(lock, "depth");
    lockType = open(lock, "typeOrdinal");
    lockObject = open(lock, "obj");
    Method method = snapshot.getDeclaredMethod("create", Thread.class);
    method.setAccessible(true);
    create = method;
  }

  private static void openBean() throws Exception {
    try {
      // The boot loader has the module. The program may have replaced the system class loader.
      String packageName = "java.lang.management.";
      Class<?> factory = Class.forName(packageName + "ManagementFactory", true, null);
      getThreadInfo =
          Class.forName(packageName + "ThreadMXBean", true, null)
              .getMethod("getThreadInfo", long[].class, boolean.class, boolean.class);
      bean = factory.getMethod("getThreadMXBean").invoke(null);
    } catch (ClassNotFoundException e) {
      bean = null;
    }
  }

  // --- threads ----------------------------------------------------------------------------------

  /** Returns at most {@code max} virtual threads. None before JDK 21. */
  static Thread[] findVirtualThreads(int max) throws Exception {
    List<Thread> found = new ArrayList<>();
    try {
      Object root = Class.forName("jdk.internal.vm.ThreadContainers").getMethod("root").invoke(null);
      Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
      Method threads = container.getDeclaredMethod("threads");
      Method children = container.getDeclaredMethod("children");
      addVirtualThreads(root, threads, children, Class.forName("java.lang.VirtualThread", false, null), max, found);
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      // This JVM has no virtual threads, or does not list them.
    }
    return found.toArray(new Thread[0]);
  }

  private static void addVirtualThreads(
      Object container, Method threads, Method children, Class<?> virtual, int max, List<Thread> found)
      throws Exception {
    for (Object thread : ((Stream<?>) threads.invoke(container)).toArray()) {
      if (virtual.isInstance(thread) && found.size() < max) found.add((Thread) thread);
    }
    for (Object child : ((Stream<?>) children.invoke(container)).toArray()) {
      addVirtualThreads(child, threads, children, virtual, max, found);
    }
  }

  /** Returns null if the JVM gives no answer, for example because the thread has ended. */
  static OrcaInventory read(Thread thread, boolean withMonitors) throws Exception {
    OrcaInventory answer = withMonitors ? readMonitors(thread) : new OrcaInventory(0);
    if (answer == null) return null;
    Object blocker = LockSupport.getBlocker(thread);
    answer.parkBlocker = blocker;
    if (blocker instanceof AbstractOwnableSynchronizer)
      answer.lockOwner = (Thread) exclusiveOwner.get(blocker);
    return answer;
  }

  private static OrcaInventory readMonitors(Thread thread) throws Exception {
    if (create != null) return readSnapshot(thread);
    return bean != null ? readBean(thread) : new OrcaInventory(0);
  }

  private void setStack(StackTraceElement[] stack) {
    methods = new String[stack == null ? 0 : stack.length];
    for (int i = 0; i < methods.length; i++) methods[i] = stack[i].getMethodName();
  }

  // --- ThreadSnapshot ---------------------------------------------------------------------------

  private static OrcaInventory readSnapshot(Thread thread) throws Exception {
    Object snapshot = create.invoke(null, thread);
    if (snapshot == null) return null;
    Object held = locks.get(snapshot);
    int n = held == null ? 0 : Array.getLength(held);
    OrcaInventory answer = new OrcaInventory(n);
    answer.setStack((StackTraceElement[]) stackTrace.get(snapshot));
    if (blockerType.getInt(snapshot) != PARK_BLOCKER) answer.put(0, blocker.get(snapshot));
    for (int i = 0; i < n; i++) {
      Object lock = Array.get(held, i);
      if (lockType.getInt(lock) != LOCKED) continue; // an eliminated lock has no object
      answer.put(i + 1, lockObject.get(lock));
      answer.depths[i + 1] = lockDepth.getInt(lock);
    }
    return answer;
  }

  private void put(int at, Object monitor) {
    if (monitor == null) return;
    hashes[at] = System.identityHashCode(monitor);
    classes[at] = monitor.getClass();
  }

  // --- ThreadMXBean -----------------------------------------------------------------------------

  private static OrcaInventory readBean(Thread thread) throws Exception {
    Object info = Array.get(getThreadInfo.invoke(bean, new long[] {threadId.getLong(thread)}, true, false), 0);
    if (info == null) return null;
    Object[] held = (Object[]) get(info, "getLockedMonitors");
    OrcaInventory answer = new OrcaInventory(held.length);
    answer.setStack((StackTraceElement[]) get(info, "getStackTrace"));
    answer.putInfo(0, get(info, "getLockInfo"));
    for (int i = 0; i < held.length; i++) {
      answer.putInfo(i + 1, held[i]);
      answer.depths[i + 1] = (Integer) get(held[i], "getLockedStackDepth");
    }
    return answer;
  }

  /** Takes a java.lang.management.LockInfo. */
  private void putInfo(int at, Object info) throws Exception {
    if (info == null) return;
    hashes[at] = (Integer) get(info, "getIdentityHashCode");
    names[at] = (String) get(info, "getClassName");
  }

  private static Object get(Object object, String method) throws Exception {
    return object.getClass().getMethod(method).invoke(object);
  }
}
