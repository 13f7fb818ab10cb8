package counted;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Checks that recorded calls of java.util.concurrent behave as specified. It prints no account, and
 * checks only the effects that a program can observe. If a check fails, it prints a line to stderr
 * and the exit status is 1. JucCalls contains the calls that block, JucErrors those that fail.
 */
final class JucMeaning {
    private static final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    private JucMeaning() {}

    public static void main(String[] args) throws Exception {
        boolean virtual = Boolean.getBoolean("virtual");
        if (virtual && !Virtual.areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Aside.startThread();
        Thread thread = virtual
                ? Virtual.unstarted("driver", JucMeaning::all)
                : new Thread(JucMeaning::all, "driver");
        thread.start();
        thread.join();
        problems.forEach(System.err::println);
        if (!problems.isEmpty()) {
            System.exit(1);
        }
        System.out.println("end");
    }

    private static void all() {
        runPart("errors", JucErrors::all);
        runPart("calls", JucCalls::all);
        runPart("values", JucMeaning::values);
        runPart("counters", JucMeaning::counters);
        runPart("fairness", JucMeaning::fairness);
        runPart("blockers", JucMeaning::blockers);
        runPart("callbacks", JucMeaning::callbacks);
        runPart("walkers", JucMeaning::walkers);
        runPart("indirect", JucMeaning::indirect);
        runPart("deadlock", JucMeaning::deadlock);
    }

    private static void runPart(String name, Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            problems.add(name + ": " + e);
            e.printStackTrace();
        }
    }

    /** Adds a problem with {@code details} unless {@code isTrue}. */
    static void check(boolean isTrue, Object... details) {
        if (!isTrue) {
            problems.add(Arrays.toString(details) + " at " + formatCallers());
        }
    }

    private static String formatCallers() {
        StringBuilder callers = new StringBuilder();
        StackTraceElement[] all = new Throwable().getStackTrace();
        for (int i = 2; i < Math.min(all.length, 5); i++) {
            callers.append(' ').append(all[i].getFileName()).append(':')
                    .append(all[i].getLineNumber());
        }
        return callers.toString();
    }

    /** Checks that no frame belongs to Orca. */
    static void checkFrames(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            check(!frame.getClassName().contains("Orca"), "a foreign frame", frame);
        }
    }

    /** Also checks that the innermost frame of the program called {@code method}, such as "ReentrantLock.unlock". */
    static void checkFrames(StackTraceElement[] frames, String method) {
        checkFrames(frames);
        int i = 0;
        while (i < frames.length && !frames[i].getClassName().startsWith("counted.")) {
            i++;
        }
        String called = i == 0 ? "none" : frames[i - 1].getClassName() + "."
                + frames[i - 1].getMethodName();
        check(called.endsWith("." + method) || called.endsWith("$" + method),
                "called", called, "instead of", method);
    }

    /** The results of calls. */
    private static void values() throws Exception {
        StampedLock stamped = new StampedLock();
        long read = stamped.readLock();
        check(stamped.validate(read) && stamped.isReadLocked(), "stamp", read);
        stamped.unlockRead(read);
        long write = stamped.writeLock();
        check(stamped.isWriteLocked() && stamped.validate(write), "stamp", write);
        stamped.unlockWrite(write);
        check(!stamped.validate(write) && !stamped.isWriteLocked(), "stamp", write);

        Object item = new Object();
        BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        queue.put(item);
        check(queue.take() == item, "the very object");
        check(queue.offer(item, 1, MINUTES) && queue.poll(1, MINUTES) == item, "the very object");
        CompletableFuture<Object> future = new CompletableFuture<>();
        future.complete(item);
        check(future.get() == item && future.join() == item, "the very object");
        future.obtrudeValue(null);
        check(future.get() == null && future.get(1, MINUTES) == null, "null");

        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        lock.lock();
        Aside.runWhenWaiting(() -> signal(lock, condition));
        long left = condition.awaitNanos(60_000_000_000L);
        check(left > 0 && left < 60_000_000_000L, "nanos left", left);
        long over = condition.awaitNanos(1_000_000);
        check(over <= 0 && over > -10_000_000_000L, "nanos left", over);
        lock.unlock();
        check(new CyclicBarrier(1).await() == 0, "index of arrival");
        Phaser phaser = new Phaser(1);
        check(phaser.arrive() == 0 && phaser.arriveAndAwaitAdvance() == 2, "phases");
    }

    private static void signal(ReentrantLock lock, Condition condition) {
        lock.lock();
        condition.signal();
        lock.unlock();
    }

    /** The queries of locks: hold counts, queues, text. */
    private static void counters() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        for (int i = 1; i <= 3; i++) {
            lock.lock();
            check(lock.getHoldCount() == i && lock.isHeldByCurrentThread(), "holds", i);
        }
        String name = Thread.currentThread().getName();
        check(lock.toString().endsWith("[Locked by thread " + name + "]"), lock);
        Condition condition = lock.newCondition();
        Thread waiter = run("waiter", () -> {
            lock.lock();
            condition.awaitUninterruptibly();
            lock.unlock();
        });
        Tally.awaitState(waiter, Thread.State.WAITING);
        check(lock.getQueueLength() == 1 && lock.hasQueuedThread(waiter), "queue of the lock");
        check(!lock.hasWaiters(condition), "nobody waits");
        lock.unlock();
        lock.unlock();
        check(lock.getHoldCount() == 1, "holds");
        lock.unlock();
        check(lock.getHoldCount() == 0 && !lock.isHeldByCurrentThread(), "holds");
        while (LockSupport.getBlocker(waiter) != condition) {
            Tally.yieldBriefly();
        }
        lock.lock();
        check(lock.getQueueLength() == 0 && !lock.hasQueuedThreads(), "queue of the lock");
        check(lock.getWaitQueueLength(condition) == 1, "somebody waits");
        condition.signal();
        check(!lock.hasWaiters(condition) && lock.hasQueuedThread(waiter), "signalled");
        lock.unlock();
        waiter.join();
        check(!lock.isLocked() && lock.toString().endsWith("[Unlocked]"), lock);

        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        both.writeLock().lock();
        both.readLock().lock();
        both.readLock().lock();
        check(both.getReadHoldCount() == 2 && both.getWriteHoldCount() == 1, both);
        both.writeLock().unlock();
        check(both.getReadLockCount() == 2 && !both.isWriteLocked(), both);
        both.readLock().unlock();
        both.readLock().unlock();
        check(both.getReadLockCount() == 0, both);

        Semaphore semaphore = new Semaphore(1);
        semaphore.acquire();
        Thread taker = run("taker", semaphore::acquireUninterruptibly);
        Tally.awaitState(taker, Thread.State.WAITING);
        check(semaphore.getQueueLength() == 1 && semaphore.availablePermits() == 0, semaphore);
        semaphore.release(2);
        taker.join();
        check(semaphore.availablePermits() == 1, semaphore);
    }

    /** Starts a platform thread. An exception in it is a problem. */
    static Thread run(String name, Body body) {
        Thread thread = new Thread(() -> runPart(name, body), name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Fair locks: the thread that waited longest acquires first. */
    private static void fairness() throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        lock.lock();
        checkOrder(lock::lock, lock::unlock, lock::unlock);
        Semaphore semaphore = new Semaphore(0, true);
        checkOrder(semaphore::acquire, semaphore::release, semaphore::release);
        ReentrantReadWriteLock both = new ReentrantReadWriteLock(true);
        both.writeLock().lock();
        checkOrder(both.writeLock()::lock, both.writeLock()::unlock, both.writeLock()::unlock);
        check(lock.isFair() && semaphore.isFair() && both.isFair(), "fair");
    }

    private static void checkOrder(Body acquire, Body release, Body firstRelease) throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            Thread thread = run("waiter-" + i, () -> {
                acquire.run();
                order.add(number);
                release.run();
            });
            Tally.awaitState(thread, Thread.State.WAITING);
            threads.add(thread);
        }
        firstRelease.run();
        for (Thread thread : threads) {
            thread.join();
        }
        check(order.equals(Arrays.asList(0, 1, 2, 3, 4)), order);
    }

    /** The blocker of a parked thread. */
    private static void blockers() throws Exception {
        Object mine = new Object();
        checkBlocker("park", o -> o == mine, () -> LockSupport.park(mine));
        checkBlocker("parkNanos", o -> o == mine, () -> LockSupport.parkNanos(mine, 60_000_000_000L));
        checkBlocker("park", o -> o == null, LockSupport::park);
        check(LockSupport.getBlocker(Thread.currentThread()) == null, "runs");
        ReentrantLock lock = new ReentrantLock();
        Aside.runAndWait(lock::lock);
        checkBlocker("lock", isOfClass("locks.ReentrantLock$"), lock::lockInterruptibly);
        checkBlocker("tryLock", isOfClass("locks.ReentrantLock$"), () -> lock.tryLock(1, MINUTES));
        Aside.runAndWait(lock::unlock);
        checkBlocker("latch", isOfClass("CountDownLatch$"), new CountDownLatch(1)::await);
        checkBlocker("semaphore", isOfClass("Semaphore$"), new Semaphore(0)::acquire);
        checkBlocker("future", isOfClass("CompletableFuture$"), new CompletableFuture<>()::get);
        checkBlocker("queue", isOfClass("locks.Abstract"), new LinkedBlockingQueue<>()::take);
    }

    private interface Test {
        boolean holds(Object o);
    }

    private static Test isOfClass(String kind) {
        return o -> o != null && o.getClass().getName().startsWith("java.util.concurrent." + kind);
    }

    private static void checkBlocker(String name, Test test, Body body) throws Exception {
        Thread thread = new Thread(() -> Tally.keepFailure(body), name); // ends with an InterruptedException
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TIMED_WAITING) {
            Tally.yieldBriefly();
        }
        Object blocker = LockSupport.getBlocker(thread);
        check(test.holds(blocker), "blocker of", name, blocker);
        thread.interrupt();
        thread.join();
    }

    /** Callbacks inside a recorded call: their stack, and the exceptions that they throw. */
    private static void callbacks() throws Exception {
        RuntimeException thrown = new IllegalStateException("mine");
        Runnable throwing = () -> {
            checkFrames(new Throwable().getStackTrace());
            checkFrames(Thread.currentThread().getStackTrace());
            throw thrown;
        };
        CyclicBarrier barrier = new CyclicBarrier(1, throwing);
        expectSame(thrown, barrier::await);
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>(2, (a, b) -> {
            throwing.run();
            return 0;
        });
        queue.put(1);
        expectSame(thrown, () -> queue.put(2));
        expectSame(thrown, () -> queue.offer(2, 1, MINUTES));
        Phaser phaser = new Phaser(1) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                throwing.run();
                return false;
            }
        };
        expectSame(thrown, phaser::arriveAndAwaitAdvance);
        Error error = new StackOverflowError("mine");
        expectSame(error, new CyclicBarrier(1, () -> {
            throw error;
        })::await);
        check(queue.size() == 1, "what failed did nothing");
        List<String> names = new ArrayList<>();
        new CyclicBarrier(1, () -> {
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                names.add(frame.getMethodName());
            }
        }).await(1, MINUTES);
        check(Collections.frequency(names, "await") == 1
                && Collections.frequency(names, "dowait") == 1, names);
    }

    private static void expectSame(Throwable thrown, Body body) {
        try {
            body.run();
            check(false, "nothing thrown instead of", thrown);
        } catch (Throwable e) {
            check(e == thrown, e, "instead of", thrown);
        }
    }

    /** StackWalker with its options, from Java 9 on. */
    private static void walkers() throws Exception {
        if (Newer.javaVersion() < 9) {
            return;
        }
        Class<?> options = Class.forName("java.lang.StackWalker$Option");
        for (Object option : options.getEnumConstants()) {
            if (!option.toString().equals("SHOW_HIDDEN_FRAMES")) {
                new CyclicBarrier(1, () -> runPart("walker", () -> walk(options, option))).await();
                runPart("walker", () -> walk(options, option));
            }
        }
    }

    private static void walk(Class<?> options, Object option) throws Exception {
        Class<?> walkers = Class.forName("java.lang.StackWalker");
        Object walker = walkers.getMethod("getInstance", options).invoke(null, option);
        List<String> frames = new ArrayList<>();
        java.util.function.Consumer<Object> add = frame -> frames.add(frame.toString());
        walkers.getMethod("forEach", java.util.function.Consumer.class).invoke(walker, add);
        check(frames.size() > 2, frames);
        for (String frame : frames) {
            check(!frame.contains("Orca"), "a foreign frame", frame);
        }
    }

    /** Calls by reflection and by method handles. */
    private static void indirect() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantLock.class.getMethod("lock").invoke(lock);
        Object tried = ReentrantLock.class.getMethod("tryLock", long.class, TimeUnit.class)
                .invoke(lock, 1L, MILLISECONDS);
        check(tried.equals(true) && lock.getHoldCount() == 2, tried);
        MethodHandle unlock = MethodHandles.lookup()
                .findVirtual(ReentrantLock.class, "unlock", MethodType.methodType(void.class));
        try {
            unlock.invokeExact(lock);
            unlock.bindTo(lock).invoke();
        } catch (Throwable e) {
            check(false, e);
        }
        check(!lock.isLocked(), lock);
        try {
            unlock.invokeExact(lock);
            check(false, "not held");
        } catch (Throwable e) {
            check(e instanceof IllegalMonitorStateException, e);
            checkFrames(e.getStackTrace(), "ReentrantLock.unlock");
        }
        try {
            ReentrantLock.class.getMethod("unlock").invoke(lock);
            check(false, "not held");
        } catch (InvocationTargetException e) {
            check(e.getCause() instanceof IllegalMonitorStateException, e.getCause());
            checkFrames(e.getCause().getStackTrace());
        }
        SynchronousQueue<String> queue = new SynchronousQueue<>();
        Aside.runWhenWaiting(() -> queue.put("item"));
        Object taken = BlockingQueue.class.getMethod("take").invoke(queue);
        check("item".equals(taken), taken);
    }

    /** The JVM knows the owners of locks, and finds a deadlock. */
    private static void deadlock() throws Exception {
        ReentrantLock left = new ReentrantLock();
        ReentrantLock right = new ReentrantLock();
        CyclicBarrier both = new CyclicBarrier(2);
        Thread one = new Thread(() -> Tally.keepFailure(() -> lockBoth(left, right, both)), "left");
        Thread two = new Thread(() -> Tally.keepFailure(() -> lockBoth(right, left, both)), "right");
        one.start();
        two.start();
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        Thread[] threads = {one, two};
        for (Thread thread : threads) {
            while (!left.hasQueuedThread(thread) && !right.hasQueuedThread(thread)) {
                Tally.yieldBriefly();
            }
            Tally.awaitState(thread, Thread.State.WAITING);
        }
        long[] found = bean.findDeadlockedThreads();
        check(found != null && found.length == 2, "deadlocked", Arrays.toString(found));
        check(bean.findMonitorDeadlockedThreads() == null, "no monitors");
        long[] ids = {one.getId(), two.getId()};
        for (ThreadInfo info : dumpWaiting(bean, ids)) {
            LockInfo awaited = info.getLockInfo();
            check(awaited != null && awaited.getClassName().contains("ReentrantLock$"), awaited);
            String owner = info.getThreadName().equals("left") ? "right" : "left";
            check(owner.equals(info.getLockOwnerName()), info.getLockOwnerName());
            check(info.getLockedSynchronizers().length == 1, info.getLockedSynchronizers().length);
            checkFrames(info.getStackTrace());
        }
        one.interrupt();
        one.join();
        two.join();
        check(bean.findDeadlockedThreads() == null, "deadlocked no more");
    }

    /**
     * State and stack are of the same moment, which those of Thread are not: a park ends at once if an unpark
     * came before it, and the JDK parks again. While the thread is in the hook of the park, its dump has that frame.
     */
    private static ThreadInfo[] dumpWaiting(ThreadMXBean bean, long[] ids) {
        while (true) {
            ThreadInfo[] infos = bean.getThreadInfo(ids, true, true);
            boolean areWaiting = true;
            for (ThreadInfo info : infos) {
                areWaiting &= info.getThreadState() == Thread.State.WAITING;
            }
            if (areWaiting) {
                return infos;
            }
            Tally.yieldBriefly();
        }
    }

    private static void lockBoth(ReentrantLock mine, ReentrantLock other, CyclicBarrier both)
            throws Exception {
        mine.lock();
        try {
            both.await();
            other.lockInterruptibly();
            other.unlock();
        } finally {
            mine.unlock();
        }
    }
}
