package counted;

import static counted.JucCalls.Interrupt.CONTINUES;
import static counted.JucCalls.Interrupt.RETURNS;
import static counted.JucCalls.Interrupt.THROWS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Predicate;

/** Part of JucMeaning: every recorded call that can block, interrupted before it and inside it, and its time-outs. */
final class JucCalls {
    /** The effect of an interrupt on a call. */
    enum Interrupt { THROWS, RETURNS, CONTINUES }

    /** A call that blocks until {@code release} runs, or for a minute if its state is TIMED_WAITING. */
    private static final class Call {
        final String method;
        final Thread.State state;
        final Interrupt interrupt;
        final Body body;
        Body release;

        Call(String method, Thread.State state, Interrupt interrupt, Body body) {
            this.method = method;
            this.state = state;
            this.interrupt = interrupt;
            this.body = body;
        }
    }

    /** In Java 8 an interrupted thread spins in readLock and writeLock: each park of it ends at once. */
    private static final boolean STAMPED_LOCKS_SPIN = Newer.javaVersion() == 8;

    private static final List<Call> calls = new ArrayList<>();

    private JucCalls() {}

    static void all() throws Exception {
        objects();
        threads();
        semaphores(new Semaphore(0));
        locks(new ReentrantLock());
        readWriteLocks(new ReentrantReadWriteLock());
        stamped(new StampedLock());
        conditions(new ReentrantLock());
        parks(new Object());
        barriers();
        futures();
        queues();
        executors();
        for (Call call : calls) {
            if (call.interrupt != CONTINUES) {
                interruptedBefore(call);
            }
            interruptedInside(call);
        }
        blockedOnMonitor(new Object());
        timeOuts();
    }

    private static void call(Interrupt interrupt, String method, Body body) {
        calls.add(new Call(method, Thread.State.WAITING, interrupt, body));
    }

    private static void timed(Interrupt interrupt, String method, Body body) {
        calls.add(new Call(method, Thread.State.TIMED_WAITING, interrupt, body));
    }

    private static void continues(String method, Body body, Body release) {
        call(CONTINUES, method, body);
        calls.get(calls.size() - 1).release = release;
    }

    private static void objects() {
        Object o = new Object();
        call(THROWS, "Object.wait", () -> {
            synchronized (o) {
                o.wait();
            }
        });
        timed(THROWS, "Object.wait", () -> {
            synchronized (o) {
                o.wait(60_000);
            }
        });
        timed(THROWS, "Object.wait", () -> {
            synchronized (o) {
                o.wait(60_000, 1);
            }
        });
    }

    private static void threads() {
        Thread napper = JucMeaning.run("napper", () -> Thread.sleep(60_000));
        call(THROWS, "Thread.join", napper::join);
        timed(THROWS, "Thread.join", () -> napper.join(60_000));
        timed(THROWS, "Thread.join", () -> napper.join(60_000, 1));
        timed(THROWS, "Thread.sleep", () -> Thread.sleep(60_000));
        timed(THROWS, "Thread.sleep", () -> Thread.sleep(60_000, 1));
    }

    private static void semaphores(Semaphore s) {
        call(THROWS, "Semaphore.acquire", s::acquire);
        call(THROWS, "Semaphore.acquire", () -> s.acquire(2));
        timed(THROWS, "Semaphore.tryAcquire", () -> s.tryAcquire(1, MINUTES));
        timed(THROWS, "Semaphore.tryAcquire", () -> s.tryAcquire(2, 1, MINUTES));
        continues("Semaphore.acquireUninterruptibly", s::acquireUninterruptibly, s::release);
        continues("Semaphore.acquireUninterruptibly", () -> s.acquireUninterruptibly(2),
                () -> s.release(2));
    }

    private static void locks(ReentrantLock lock) throws Exception {
        Aside.runAndWait(lock::lock);
        call(THROWS, "ReentrantLock.lockInterruptibly", lock::lockInterruptibly);
        timed(THROWS, "ReentrantLock.tryLock", () -> lock.tryLock(1, MINUTES));
        continues("ReentrantLock.lock", lock::lock, lock::unlock);
    }

    private static void readWriteLocks(ReentrantReadWriteLock lock) throws Exception {
        Aside.runAndWait(lock.writeLock()::lock);
        call(THROWS, "ReadLock.lockInterruptibly", lock.readLock()::lockInterruptibly);
        timed(THROWS, "ReadLock.tryLock", () -> lock.readLock().tryLock(1, MINUTES));
        call(THROWS, "WriteLock.lockInterruptibly", lock.writeLock()::lockInterruptibly);
        timed(THROWS, "WriteLock.tryLock", () -> lock.writeLock().tryLock(1, MINUTES));
        continues("WriteLock.lock", lock.writeLock()::lock, lock.writeLock()::unlock);
        ReentrantReadWriteLock other = new ReentrantReadWriteLock();
        Aside.runAndWait(other.writeLock()::lock);
        continues("ReadLock.lock", other.readLock()::lock, other.writeLock()::unlock);
    }

    private static void stamped(StampedLock lock) throws Exception {
        Aside.runAndWait(lock::writeLock);
        call(THROWS, "StampedLock.readLockInterruptibly", lock::readLockInterruptibly);
        timed(THROWS, "StampedLock.tryReadLock", () -> lock.tryReadLock(1, MINUTES));
        call(THROWS, "StampedLock.writeLockInterruptibly", lock::writeLockInterruptibly);
        timed(THROWS, "StampedLock.tryWriteLock", () -> lock.tryWriteLock(1, MINUTES));
        continues("StampedLock.writeLock", lock::writeLock, lock::tryUnlockWrite);
        StampedLock other = new StampedLock();
        Aside.runAndWait(other::writeLock);
        continues("StampedLock.readLock", other::readLock, other::tryUnlockWrite);
    }

    private static void conditions(ReentrantLock lock) {
        Condition c = lock.newCondition();
        call(THROWS, "ConditionObject.await", holding(lock, c::await));
        timed(THROWS, "ConditionObject.await", holding(lock, () -> c.await(1, MINUTES)));
        timed(THROWS, "ConditionObject.awaitNanos",
                holding(lock, () -> c.awaitNanos(60_000_000_000L)));
        timed(THROWS, "ConditionObject.awaitUntil",
                holding(lock, () -> c.awaitUntil(new Date(System.currentTimeMillis() + 60_000))));
        continues("ConditionObject.awaitUninterruptibly", holding(lock, c::awaitUninterruptibly),
                holding(lock, c::signal));
    }

    private static Body holding(ReentrantLock lock, Body body) {
        return () -> {
            lock.lock();
            try {
                body.run();
            } finally {
                JucMeaning.check(lock.getHoldCount() == 1, lock);
                lock.unlock();
            }
        };
    }

    /** A park may return for no reason. On JDK 11 the first park of a thread does. */
    private static Body untilInterrupted(Body park) {
        return () -> {
            do {
                park.run();
            } while (!Thread.currentThread().isInterrupted());
        };
    }

    private static void parks(Object blocker) {
        call(RETURNS, "LockSupport.park", untilInterrupted(LockSupport::park));
        call(RETURNS, "LockSupport.park", untilInterrupted(() -> LockSupport.park(blocker)));
        timed(RETURNS, "LockSupport.parkNanos", () -> LockSupport.parkNanos(60_000_000_000L));
        timed(RETURNS, "LockSupport.parkNanos",
                () -> LockSupport.parkNanos(blocker, 60_000_000_000L));
        timed(RETURNS, "LockSupport.parkUntil",
                () -> LockSupport.parkUntil(System.currentTimeMillis() + 60_000));
    }

    private static void barriers() {
        CountDownLatch latch = new CountDownLatch(1);
        call(THROWS, "CountDownLatch.await", latch::await);
        timed(THROWS, "CountDownLatch.await", () -> latch.await(1, MINUTES));
        call(THROWS, "CyclicBarrier.await", () -> new CyclicBarrier(2).await());
        timed(THROWS, "CyclicBarrier.await", () -> new CyclicBarrier(2).await(1, MINUTES));
        Phaser p = new Phaser(1);
        call(THROWS, "Phaser.awaitAdvanceInterruptibly", () -> p.awaitAdvanceInterruptibly(0));
        timed(THROWS, "Phaser.awaitAdvanceInterruptibly",
                () -> p.awaitAdvanceInterruptibly(0, 1, MINUTES));
        continues("Phaser.awaitAdvance", () -> p.awaitAdvance(0), p::arrive);
        Exchanger<String> x = new Exchanger<>();
        call(THROWS, "Exchanger.exchange", () -> x.exchange(""));
        timed(THROWS, "Exchanger.exchange", () -> x.exchange("", 1, MINUTES));
    }

    private static void futures() {
        FutureTask<String> task = new FutureTask<>(() -> "");
        call(THROWS, "FutureTask.get", task::get);
        timed(THROWS, "FutureTask.get", () -> task.get(1, MINUTES));
        CompletableFuture<String> f = new CompletableFuture<>();
        call(THROWS, "CompletableFuture.get", f::get);
        timed(THROWS, "CompletableFuture.get", () -> f.get(1, MINUTES));
        continues("CompletableFuture.join", f::join, () -> f.complete(""));
        Task fork = new Task();
        call(THROWS, "ForkJoinTask.get", fork::get);
        timed(THROWS, "ForkJoinTask.get", () -> fork.get(1, MINUTES));
        continues("ForkJoinTask.join", fork::join, () -> fork.complete(""));
        Task other = new Task();
        continues("ForkJoinTask.quietlyJoin", other::quietlyJoin, () -> other.complete(""));
    }

    @SuppressWarnings("serial")
    private static final class Task extends RecursiveTask<String> {
        @Override
        protected String compute() {
            throw new AssertionError("is never run");
        }
    }

    private static void queues() {
        queue("ArrayBlockingQueue", new ArrayBlockingQueue<>(1), true);
        queue("LinkedBlockingQueue", new LinkedBlockingQueue<>(1), true);
        queue("LinkedBlockingDeque", new LinkedBlockingDeque<>(1), true);
        queue("PriorityBlockingQueue", new PriorityBlockingQueue<>(), false);
        queue("SynchronousQueue", new SynchronousQueue<>(), true);
        queue("LinkedTransferQueue", new LinkedTransferQueue<>(), false);
        DelayQueue<Delayed> delayed = new DelayQueue<>();
        call(THROWS, "DelayQueue.take", delayed::take);
        timed(THROWS, "DelayQueue.poll", () -> delayed.poll(1, MINUTES));
        LinkedTransferQueue<String> t = new LinkedTransferQueue<>();
        call(THROWS, "LinkedTransferQueue.transfer", () -> t.transfer(""));
        timed(THROWS, "LinkedTransferQueue.tryTransfer", () -> t.tryTransfer("", 1, MINUTES));
    }

    /** Takes from an empty queue, and if the queue is bounded, puts into a full one. */
    private static void queue(String name, BlockingQueue<String> q, boolean isBounded) {
        call(THROWS, name + ".take", q::take);
        timed(THROWS, name + ".poll", () -> q.poll(1, MINUTES));
        if (isBounded) {
            BlockingQueue<String> full = name.startsWith("Array") ? new ArrayBlockingQueue<>(1)
                    : name.startsWith("Synch") ? new SynchronousQueue<>()
                    : name.endsWith("Deque") ? new LinkedBlockingDeque<>(1)
                    : new LinkedBlockingQueue<>(1);
            full.offer("");
            call(THROWS, name + ".put", () -> full.put(""));
            timed(THROWS, name + ".offer", () -> full.offer("", 1, MINUTES));
        }
    }

    private static void executors() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, MINUTES, new LinkedBlockingQueue<>());
        timed(THROWS, "ThreadPoolExecutor.awaitTermination",
                () -> pool.awaitTermination(1, MINUTES));
    }

    private static void interruptedBefore(Call call) {
        Thread.currentThread().interrupt();
        check(call);
    }

    /** Checks a call in a thread that was interrupted, or will be during the call. */
    private static void check(Call call) {
        try {
            call.body.run();
            JucMeaning.check(call.interrupt != THROWS, call.method, "returned");
            JucMeaning.check(Thread.interrupted(), call.method, "forgot the interrupt");
        } catch (InterruptedException e) {
            JucMeaning.check(call.interrupt == THROWS, call.method, e);
            JucMeaning.check(!Thread.currentThread().isInterrupted(), call.method, "kept it");
            JucMeaning.checkFrames(e.getStackTrace(), call.method);
        } catch (Exception e) {
            JucMeaning.check(false, call.method, e);
        }
        Thread.interrupted();
    }

    private static void interruptedInside(Call call) throws Exception {
        Thread thread = startThread("inside", () -> check(call));
        awaitInside(thread, call, state -> state == call.state);
        thread.interrupt();
        if (call.interrupt == CONTINUES) {
            MILLISECONDS.sleep(1);
            boolean spins = STAMPED_LOCKS_SPIN && call.method.startsWith("StampedLock.");
            awaitInside(thread, call, state -> spins || state == call.state);
            Aside.runAndWait(call.release);
        }
        thread.join();
    }

    /** Starts a thread, which is virtual if the caller is. */
    private static Thread startThread(String name, Runnable body) {
        if (!Boolean.getBoolean("virtual")) {
            return JucMeaning.run(name, body::run);
        }
        Thread thread = Virtual.unstarted(name, body);
        thread.start();
        return thread;
    }

    private static void awaitInside(Thread thread, Call call, Predicate<Thread.State> isExpected) {
        for (int tries = 0; tries < 50_000; tries++) {
            StackTraceElement[] frames = isExpected.test(thread.getState()) ? thread.getStackTrace() : null;
            if (frames != null && !isInHook(frames)) {
                if (frames.length > 0) {
                    JucMeaning.checkFrames(frames, call.method);
                }
                return;
            }
            Tally.yieldBriefly();
        }
        JucMeaning.check(false, call.method, thread.getState());
    }

    /**
     * A dump of another thread has hidden frames too, on JDK 17. A thread can be back in a hook for a moment
     * although it waited: a park ends at once if an unpark came before it, and the JDK parks again.
     */
    private static boolean isInHook(StackTraceElement[] frames) {
        return frames.length > 0 && frames[0].getClassName().equals("java.lang.OrcaHook");
    }

    private static void blockedOnMonitor(Object o) throws Exception {
        Thread thread;
        synchronized (o) {
            thread = startThread("blocked", () -> {
                synchronized (o) {
                    Thread.yield();
                }
            });
            Tally.awaitState(thread, Thread.State.BLOCKED);
        }
        thread.join();
    }

    /** A call with a time-out; returns whether it timed out. */
    private interface TimedCall {
        boolean timesOut(long time) throws Exception;
    }

    private static void timeOuts() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        StampedLock stamped = new StampedLock();
        Aside.runAndWait(lock::lock);
        Aside.runAndWait(both.writeLock()::lock);
        Aside.runAndWait(stamped::writeLock);
        checkTimeOut("ReentrantLock", t -> !lock.tryLock(t, MILLISECONDS));
        checkTimeOut("ReadLock", t -> !both.readLock().tryLock(t, MILLISECONDS));
        checkTimeOut("WriteLock", t -> !both.writeLock().tryLock(t, MILLISECONDS));
        checkTimeOut("StampedLock", t -> stamped.tryReadLock(t, MILLISECONDS) == 0);
        checkTimeOut("StampedLock", t -> stamped.tryWriteLock(t, MILLISECONDS) == 0);
        checkTimeOut("Semaphore", t -> !new Semaphore(0).tryAcquire(t, MILLISECONDS));
        checkTimeOut("CountDownLatch", t -> !new CountDownLatch(1).await(t, MILLISECONDS));
        checkTimeOut("CyclicBarrier", t -> throwsTimeout(() -> new CyclicBarrier(2).await(t, MILLISECONDS)));
        checkTimeOut("Phaser", t -> throwsTimeout(
                () -> new Phaser(1).awaitAdvanceInterruptibly(0, t, MILLISECONDS)));
        checkTimeOut("Exchanger", t -> throwsTimeout(() -> new Exchanger<>().exchange("", t, MILLISECONDS)));
        checkTimeOut("FutureTask", t -> throwsTimeout(() -> new FutureTask<>(() -> "").get(t, MILLISECONDS)));
        checkTimeOut("CompletableFuture",
                t -> throwsTimeout(() -> new CompletableFuture<>().get(t, MILLISECONDS)));
        ForkJoinTask<String> task = new Task();
        checkTimeOut("ForkJoinTask", t -> throwsTimeout(() -> task.get(t, MILLISECONDS)));
        checkTimeOut("ArrayBlockingQueue",
                t -> new ArrayBlockingQueue<>(1).poll(t, MILLISECONDS) == null);
        checkTimeOut("LinkedBlockingQueue",
                t -> new LinkedBlockingQueue<>().poll(t, MILLISECONDS) == null);
        checkTimeOut("LinkedBlockingDeque",
                t -> new LinkedBlockingDeque<>().pollLast(t, MILLISECONDS) == null);
        checkTimeOut("PriorityBlockingQueue",
                t -> new PriorityBlockingQueue<>().poll(t, MILLISECONDS) == null);
        checkTimeOut("DelayQueue", t -> new DelayQueue<>().poll(t, MILLISECONDS) == null);
        checkTimeOut("SynchronousQueue", t -> !new SynchronousQueue<>().offer("", t, MILLISECONDS));
        checkTimeOut("LinkedTransferQueue",
                t -> !new LinkedTransferQueue<>().tryTransfer("", t, MILLISECONDS));
        ReentrantLock mine = new ReentrantLock();
        Condition never = mine.newCondition();
        mine.lock();
        checkTimeOut("Condition.await", t -> !never.await(t, MILLISECONDS));
        checkTimeOut("Condition.awaitNanos", t -> never.awaitNanos(MILLISECONDS.toNanos(t)) <= 0);
        mine.unlock();
        checkTimeOut("Thread.sleep", t -> {
            Thread.sleep(t);
            return true;
        });
        Thread me = Thread.currentThread();
        checkTimeOut("Thread.join", t -> {
            me.join(t);
            return true;
        });
    }

    private static boolean throwsTimeout(Body body) throws Exception {
        try {
            body.run();
            return false;
        } catch (TimeoutException e) {
            JucMeaning.checkFrames(e.getStackTrace());
            return true;
        }
    }

    private static void checkTimeOut(String name, TimedCall call) throws Exception {
        long begin = System.nanoTime();
        boolean hasTimedOut = call.timesOut(10);
        double millis = (System.nanoTime() - begin) / 1e6;
        JucMeaning.check(hasTimedOut, name, "did not time out");
        JucMeaning.check(millis > 9.9 && millis < 10_000, name, millis, "ms");
        begin = System.nanoTime();
        JucMeaning.check(call.timesOut(name.startsWith("Thread") ? 1 : -1), name, "did not time out");
        millis = (System.nanoTime() - begin) / 1e6;
        JucMeaning.check(millis < 10_000, name, millis, "ms");
    }
}
