package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * What woven methods of locks call first: it tries to acquire as the method itself would begin, and
 * counts. True: the lock is acquired, and the method returns at once. False: nothing was done, and
 * the method goes on, with its hooks. So a lock that is free costs a few nanoseconds more and no call
 * of a native, and nothing that the program can see is other than it was.
 *
 * <p>The counters lie in memory of the agent (lock_counts.c): an entry of 32 bytes for each lock, from
 * the place that its hash gives on; its key at 0, its counts at 8 and 16.
 */
public final class OrcaLocks {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long SYNC = offset(ReentrantLock.class);
  private static final long READ_SYNC = offset(ReentrantReadWriteLock.ReadLock.class);
  private static final long WRITE_SYNC = offset(ReentrantReadWriteLock.WriteLock.class);

  private static final int MASK = (1 << 16) - 1;
  private static final int ALONE = 8;
  private static final int SHARED = 16;

  /** Set by the agent. */
  private static long table;

  private OrcaLocks() {}

  private static long offset(Class<?> c) {
    return U.objectFieldOffset(c, "sync");
  }

  // --- ReentrantLock -------------------------------------------------------------------------------

  @Hidden
  public static boolean lock(ReentrantLock l) {
    return counted(l, sync(l).initialTryLock());
  }

  @Hidden
  public static boolean lockInterruptibly(ReentrantLock l) {
    return !isInterrupted() && counted(l, sync(l).initialTryLock());
  }

  @Hidden
  public static boolean tryLock(ReentrantLock l) {
    return counted(l, sync(l).tryLock());
  }

  @Hidden
  public static boolean tryLock(ReentrantLock l, long time, TimeUnit unit) {
    return unit != null && !isInterrupted() && counted(l, sync(l).initialTryLock());
  }

  @Hidden
  private static ReentrantLock.Sync sync(ReentrantLock l) {
    return (ReentrantLock.Sync) U.getReference(l, SYNC);
  }

  // --- the writing side ------------------------------------------------------------------------------

  /** As Sync.tryAcquire does it, whose argument is not the same in every JDK. */
  @Hidden
  public static boolean lock(ReentrantReadWriteLock.WriteLock l) {
    ReentrantReadWriteLock.Sync sync = sync(l);
    return (!sync.writerShouldBlock() || sync.isHeldExclusively())
        && sync.tryWriteLock() && count(sync, l, ALONE);
  }

  @Hidden
  public static boolean lockInterruptibly(ReentrantReadWriteLock.WriteLock l) {
    return !isInterrupted() && lock(l);
  }

  @Hidden
  public static boolean tryLock(ReentrantReadWriteLock.WriteLock l) {
    ReentrantReadWriteLock.Sync sync = sync(l);
    return sync.tryWriteLock() && count(sync, l, ALONE);
  }

  @Hidden
  public static boolean tryLock(ReentrantReadWriteLock.WriteLock l, long time, TimeUnit unit) {
    return unit != null && !isInterrupted() && lock(l);
  }

  @Hidden
  private static ReentrantReadWriteLock.Sync sync(ReentrantReadWriteLock.WriteLock l) {
    return (ReentrantReadWriteLock.Sync) U.getReference(l, WRITE_SYNC);
  }

  // --- the reading side ------------------------------------------------------------------------------

  /** As Sync.tryAcquireShared does it. */
  @Hidden
  public static boolean lock(ReentrantReadWriteLock.ReadLock l) {
    ReentrantReadWriteLock.Sync sync = sync(l);
    return (!sync.readerShouldBlock() || sync.getReadHoldCount() > 0)
        && sync.tryReadLock() && count(sync, l, SHARED);
  }

  @Hidden
  public static boolean lockInterruptibly(ReentrantReadWriteLock.ReadLock l) {
    return !isInterrupted() && lock(l);
  }

  @Hidden
  public static boolean tryLock(ReentrantReadWriteLock.ReadLock l) {
    ReentrantReadWriteLock.Sync sync = sync(l);
    return sync.tryReadLock() && count(sync, l, SHARED);
  }

  @Hidden
  public static boolean tryLock(ReentrantReadWriteLock.ReadLock l, long time, TimeUnit unit) {
    return unit != null && !isInterrupted() && lock(l);
  }

  @Hidden
  private static ReentrantReadWriteLock.Sync sync(ReentrantReadWriteLock.ReadLock l) {
    return (ReentrantReadWriteLock.Sync) U.getReference(l, READ_SYNC);
  }

  // --- StampedLock: has acquired, and is about to return -----------------------------------------------

  @Hidden
  public static void countAlone(Object lock) {
    count(lock, lock, ALONE);
  }

  @Hidden
  public static void countShared(Object lock) {
    count(lock, lock, SHARED);
  }

  // --- counting ----------------------------------------------------------------------------------------

  @Hidden
  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  @Hidden
  private static boolean counted(ReentrantLock l, boolean acquired) {
    return acquired && count(l, l, ALONE);
  }

  /** Counts {@code lock} by the hash of {@code key}; always true. The lock is held, in this way. */
  @Hidden
  private static boolean count(Object key, Object lock, int hold) {
    int hash = System.identityHashCode(key);
    long entry = entry(hash);
    if (entry == 0 && table != 0 && make(lock)) {
      entry = entry(hash);
    }
    if (entry == 0) {
      return true; // there is no room, or nothing is recorded any more
    }
    if (hold == SHARED) {
      U.getAndAddLong(null, entry + SHARED, 1);
    } else {
      U.putLong(entry + ALONE, U.getLong(entry + ALONE) + 1);
    }
    return true;
  }

  /** The address of the entry with this key; 0: there is none. */
  @Hidden
  private static long entry(int key) {
    long from = table;
    if (from == 0) {
      return 0;
    }
    for (int i = key;; i++) {
      long entry = from + ((long) (i & MASK) << 5);
      int there = U.getInt(entry);
      if (there == key) {
        return entry;
      }
      if (there == 0) {
        return 0;
      }
    }
  }

  /** Gives the lock an entry; false: there is no room. */
  @Hidden
  private static native boolean make(Object lock);

  /** Does everything above work in this JVM? To be asked before anything is woven. */
  static boolean works() {
    try {
      ReentrantLock lock = new ReentrantLock();
      ReentrantReadWriteLock both = new ReentrantReadWriteLock();
      boolean locks = lock(lock) && lockInterruptibly(lock) && tryLock(lock)
          && tryLock(lock, 0, TimeUnit.SECONDS) && lock.getHoldCount() == 4;
      boolean writes = lock(both.writeLock()) && lockInterruptibly(both.writeLock())
          && tryLock(both.writeLock()) && tryLock(both.writeLock(), 0, TimeUnit.SECONDS)
          && both.getWriteHoldCount() == 4;
      boolean reads = lock(both.readLock()) && lockInterruptibly(both.readLock())
          && tryLock(both.readLock()) && tryLock(both.readLock(), 0, TimeUnit.SECONDS)
          && both.getReadHoldCount() == 4;
      return locks && writes && reads;
    } catch (LinkageError e) {
      return false;
    }
  }
}
