package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Counts uncontended acquisitions. A woven method of a lock first calls the method of this class with
 * the same name. That method tries to acquire the lock as the woven method itself would. If it returns
 * true, the lock was acquired and counted, and the woven method returns at once. If it returns false,
 * it has changed nothing, and the woven method goes on with its hooks. So an uncontended acquisition
 * costs a few nanoseconds more and calls no native. The program sees no difference.
 *
 * <p>The counters are in the agent's memory (lock_counts.c), a hash table with linear probing.
 * An entry for a lock has 32 bytes: the key at offset 0, the counts at 8 and 16. After the entries there
 * is whether the table is full, and whether it is crowded. The agent forgets locks that died: their entries get
 * keys that no lock has.
 *
 * <p>The key of a lock is its identity hash, which costs much for a new object, as does a new entry. With a
 * threshold, or when the table is crowded, a lock without a hash is not counted. The agent takes the hash of a lock
 * when a thread has to wait for it. So programs that make a lock for each request pay nothing for these locks.
 */
public final class OrcaLocks {
  private static final Unsafe U = Unsafe.getUnsafe(); // up to JDK 11 the agent renames it: java_classes.c
  private static final long SYNC = offset(ReentrantLock.class);
  private static final long READ_SYNC = offset(ReentrantReadWriteLock.ReadLock.class);
  private static final long WRITE_SYNC = offset(ReentrantReadWriteLock.WriteLock.class);

  private static final boolean HAS_INITIAL_TRY_LOCK = hasInitialTryLock();

  private static final int MASK = (1 << 16) - 1;
  private static final int ALONE = 8;
  private static final int SHARED = 16;
  private static final long IS_FULL = (MASK + 1L) << 5;
  private static final long IS_CROWDED = IS_FULL + 8;
  private static final long HAS_SKIPPED = IS_FULL + 16;
  private static final long NUM_MADE = IS_FULL + 24;
  private static final long MOST_MADE = 1024; // each gets a hash

  private static final long HASH = 0x7fffffff; // an identity hash, before it is shifted to its place
  private static final long LOCK_STATE = 3; // the lowest bits of a header: whether the object's monitor is free
  private static final long UNLOCKED = 1;

  /** The bits of an object's header that tell whether {@link #isNew}; 0: not known. */
  private static final long NEW_BITS = findNewBits();

  /** The address of the counters; 0: do not count. Set by the agent. */
  private static long table;

  /**
   * There is a threshold: do not count locks that are new. Set by the agent. A thread may see a change late,
   * and then counts some acquisitions more or less.
   */
  private static boolean skipsNew;

  private OrcaLocks() {}

  private static long offset(Class<?> c) {
    try {
      return U.objectFieldOffset(c.getDeclaredField("sync"));
    } catch (NoSuchFieldException e) {
      throw new NoSuchFieldError(e.getMessage());
    }
  }

  /** Calls it. Reflection would load the classes that the methods of Sync name, before these are woven. */
  private static boolean hasInitialTryLock() {
    try {
      return sync(new ReentrantLock()).initialTryLock();
    } catch (NoSuchMethodError e) {
      return false; // up to JDK 16
    }
  }

  // --- headers of objects ----------------------------------------------------------------------------

  /**
   * Finds the place of the identity hash in a header, which depends on version and flags of the JVM. Returns 0
   * if headers are not as expected. The probes are of this class, so that no other code has locked one: a
   * JVM with biased locking has other headers for classes whose objects were locked.
   */
  private static long findNewBits() {
    long bits = 0;
    for (int i = 0; i < 8; i++) {
      Object probe = new OrcaLocks();
      long before = U.getLong(probe, 0L);
      long hash = System.identityHashCode(probe);
      long found = findHash(U.getLong(probe, 0L), hash);
      if (found == 0 || (before & found) != UNLOCKED || (i > 0 && found != bits)) {
        return 0;
      }
      bits = found;
    }
    return bits;
  }

  /** Returns the bits that {@code hash} and the state of the lock have in the header; 0: not found. */
  private static long findHash(long header, long hash) {
    for (int shift = 2; shift <= Long.SIZE - 31; shift++) {
      long bits = HASH << shift | LOCK_STATE;
      if ((header & bits) == (hash << shift | UNLOCKED)) {
        return bits;
      }
    }
    return 0;
  }

  /**
   * Tells whether the object has no identity hash. False also if that is not known: the header of a locked
   * object may be a pointer.
   */
  @Hidden
  private static boolean isNew(Object o) {
    return (U.getLong(o, 0L) & NEW_BITS) == UNLOCKED;
  }

  // --- ReentrantLock -------------------------------------------------------------------------------

  @Hidden
  public static boolean lock(ReentrantLock l) {
    return countIfAcquired(l, tryFirst(sync(l)));
  }

  @Hidden
  public static boolean lockInterruptibly(ReentrantLock l) {
    return !isInterrupted() && countIfAcquired(l, tryFirst(sync(l)));
  }

  @Hidden
  public static boolean tryLock(ReentrantLock l) {
    ReentrantLock.Sync sync = sync(l);
    return countIfAcquired(l, HAS_INITIAL_TRY_LOCK ? sync.tryLock() : sync.tryAcquire(1));
  }

  @Hidden
  public static boolean tryLock(ReentrantLock l, long time, TimeUnit unit) {
    return unit != null && !isInterrupted() && countIfAcquired(l, tryFirst(sync(l)));
  }

  /**
   * Without initialTryLock, lock begins with tryAcquire, which is reentrant there. So does tryLock, except
   * that tryLock of a fair lock takes the lock before the threads that wait; it does so itself then.
   */
  @Hidden
  private static boolean tryFirst(ReentrantLock.Sync sync) {
    return HAS_INITIAL_TRY_LOCK ? sync.initialTryLock() : sync.tryAcquire(1);
  }

  @Hidden
  private static ReentrantLock.Sync sync(ReentrantLock l) {
    return (ReentrantLock.Sync) U.getReference(l, SYNC);
  }

  // --- WriteLock -------------------------------------------------------------------------------------

  /** Does the same as Sync.tryAcquire, whose argument differs between JDK versions. */
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

  // --- ReadLock --------------------------------------------------------------------------------------

  /** Does the same as Sync.tryAcquireShared. */
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

  // --- StampedLock -------------------------------------------------------------------------------------

  /** Called before a method that has acquired the lock exclusively returns. */
  @Hidden
  public static void countAlone(Object lock) {
    count(lock, lock, ALONE);
  }

  /** Called before a method that has acquired the lock for reading returns. */
  @Hidden
  public static void countShared(Object lock) {
    count(lock, lock, SHARED);
  }

  // --- the making of locks -----------------------------------------------------------------------------

  /**
   * Called when the constructor of a ReentrantReadWriteLock returns. The agent notes which lock the sides belong
   * to, for the first locks of a recording only: those that a program makes for moments cost nothing then.
   */
  @Hidden
  public static void made(Object lock) {
    long start = table;
    if (start == 0 || U.getLong(start + NUM_MADE) >= MOST_MADE) {
      return;
    }
    U.putLong(start + NUM_MADE, U.getLong(start + NUM_MADE) + 1); // an increment may be lost
    noteMade(lock);
  }

  @Hidden
  private static native void noteMade(Object lock);

  // --- counting ----------------------------------------------------------------------------------------

  @Hidden
  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  @Hidden
  private static boolean countIfAcquired(ReentrantLock l, boolean acquired) {
    return acquired && count(l, l, ALONE);
  }

  /**
   * Counts an acquisition of {@code lock} in the entry of {@code key}. Always returns true. The caller
   * holds the lock; {@code hold} tells how. Exclusive acquisitions need no atomic add for that reason.
   */
  @Hidden
  private static boolean count(Object key, Object lock, int hold) {
    long start = table;
    if (start == 0 || (isNew(key) && skips(start))) {
      return true;
    }
    int hash = System.identityHashCode(key);
    long entry = entry(hash);
    if (entry == 0) {
      entry = addEntry(lock, hash);
    }
    if (entry == 0) {
      return true; // the table is full, or the recording has ended
    }
    if (hold == SHARED) {
      U.getAndAddLong(null, entry + SHARED, 1);
    } else {
      U.putLong(entry + ALONE, U.getLong(entry + ALONE) + 1);
    }
    return true;
  }

  /** Tells whether a lock without a hash is not counted. Notes so, unless the reader knows it by the threshold. */
  @Hidden
  private static boolean skips(long start) {
    if (skipsNew) {
      return true;
    }
    if (U.getLong(start + IS_CROWDED) == 0) {
      return false;
    }
    if (U.getLong(start + HAS_SKIPPED) == 0) {
      U.putLong(start + HAS_SKIPPED, 1);
    }
    return true;
  }

  /** Returns the address of the entry with this key; 0: there is none. */
  @Hidden
  private static long entry(int key) {
    long start = table;
    if (start == 0) {
      return 0;
    }
    for (int i = key;; i++) {
      long entry = start + ((long) (i & MASK) << 5);
      int found = U.getInt(entry);
      if (found == key) {
        return entry;
      }
      if (found == 0) {
        return 0;
      }
    }
  }

  /**
   * Makes an entry for the lock and returns its address; 0: the table is full, or nothing is recorded. A full
   * table costs no call of a native and no write: then each acquisition of a short-lived lock comes here.
   */
  @Hidden
  private static long addEntry(Object lock, int key) {
    for (int i = 0; i < 2; i++) {
      long start = table;
      boolean hasRoom = start != 0 && U.getLong(start + IS_FULL) == 0;
      if (!hasRoom || !makeEntry(lock)) {
        return 0;
      }
      long entry = entry(key);
      if (entry != 0) {
        return entry;
      } // the entry was that of another lock with this key, which has just been forgotten
    }
    return 0;
  }

  /** Makes an entry for the lock. Returns false if the table is full or nothing is recorded. */
  @Hidden
  private static native boolean makeEntry(Object lock);

  /** Tells whether the methods above work in this JVM. Called before any class is woven. */
  static boolean isSupported() {
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
