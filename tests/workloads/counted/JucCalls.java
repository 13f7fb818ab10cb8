package counted;

import static counted.JucCalls.On.GOES_ON;
import static counted.JucCalls.On.RETURNS;
import static counted.JucCalls.On.THROWS;
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

/** Part of JucMeaning: every recorded call that blocks, interrupted before and meanwhile, timed. */
final class JucCalls {
    /** What an interrupt does to a call, in the end. */
    enum On { THROWS, RETURNS, GOES_ON }

    /** A call that blocks until it is released; for a minute, where its state is a timed one. */
    private static final class Call {
        final String method;
        final Thread.State state;
        final On on;
        final Body body;
        Body release;

        Call(String method, Thread.State state, On on, Body body) {
            this.method = method;
            this.state = state;
            this.on = on;
            this.body = body;
        }
    }

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
            if (call.on != GOES_ON) {
                interruptedBefore(call);
            }
            interruptedInside(call);
        }
        blockedOnMonitor(new Object());
        timeOuts();
    }

    private static void call(On on, String method, Body body) {
        calls.add(new Call(method, Thread.State.WAITING, on, body));
    }

    private static void timed(On on, String method, Body body) {
        calls.add(new Call(method, Thread.State.TIMED_WAITING, on, body));
    }

    private static void goesOn(String method, Body body, Body release) {
        call(GOES_ON, method, body);
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
        goesOn("Semaphore.acquireUninterruptibly", s::acquireUninterruptibly, s::release);
        goesOn("Semaphore.acquireUninterruptibly", () -> s.acquireUninterruptibly(2),
                () -> s.release(2));
    }

    private static void locks(ReentrantLock lock) throws Exception {
        Aside.runAndWait(lock::lock);
        call(THROWS, "ReentrantLock.lockInterruptibly", lock::lockInterruptibly);
        timed(THROWS, "ReentrantLock.tryLock", () -> lock.tryLock(1, MINUTES));
        goesOn("ReentrantLock.lock", lock::lock, lock::unlock);
    }

    private static void readWriteLocks(ReentrantReadWriteLock lock) throws Exception {
        Aside.runAndWait(lock.writeLock()::lock);
        call(THROWS, "ReadLock.lockInterruptibly", lock.readLock()::lockInterruptibly);
        timed(THROWS, "ReadLock.tryLock", () -> lock.readLock().tryLock(1, MINUTES));
        call(THROWS, "WriteLock.lockInterruptibly", lock.writeLock()::lockInterruptibly);
        timed(THROWS, "WriteLock.tryLock", () -> lock.writeLock().tryLock(1, MINUTES));
        goesOn("WriteLock.lock", lock.writeLock()::lock, lock.writeLock()::unlock);
        ReentrantReadWriteLock other = new ReentrantReadWriteLock();
        Aside.runAndWait(other.writeLock()::lock);
        goesOn("ReadLock.lock", other.readLock()::lock, other.writeLock()::unlock);
    }

    private static void stamped(StampedLock lock) throws Exception {
        Aside.runAndWait(lock::writeLock);
        call(THROWS, "StampedLock.readLockInterruptibly", lock::readLockInterruptibly);
        timed(THROWS, "StampedLock.tryReadLock", () -> lock.tryReadLock(1, MINUTES));
        call(THROWS, "StampedLock.writeLockInterruptibly", lock::writeLockInterruptibly);
        timed(THROWS, "StampedLock.tryWriteLock", () -> lock.tryWriteLock(1, MINUTES));
        goesOn("StampedLock.writeLock", lock::writeLock, lock::tryUnlockWrite);
        StampedLock other = new StampedLock();
        Aside.runAndWait(other::writeLock);
        goesOn("StampedLock.readLock", other::readLock, other::tryUnlockWrite);
    }

    private static void conditions(ReentrantLock lock) {
        Condition c = lock.newCondition();
        call(THROWS, "ConditionObject.await", holding(lock, c::await));
        timed(THROWS, "ConditionObject.await", holding(lock, () -> c.await(1, MINUTES)));
        timed(THROWS, "ConditionObject.awaitNanos",
                holding(lock, () -> c.awaitNanos(60_000_000_000L)));
        timed(THROWS, "ConditionObject.awaitUntil",
                holding(lock, () -> c.awaitUntil(new Date(System.currentTimeMillis() + 60_000))));
        goesOn("ConditionObject.awaitUninterruptibly", holding(lock, c::awaitUninterruptibly),
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

    private static void parks(Object blocker) {
        call(RETURNS, "LockSupport.park", LockSupport::park);
        call(RETURNS, "LockSupport.park", () -> LockSupport.park(blocker));
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
        goesOn("Phaser.awaitAdvance", () -> p.awaitAdvance(0), p::arrive);
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
        goesOn("CompletableFuture.join", f::join, () -> f.complete(""));
        Task fork = new Task();
        call(THROWS, "ForkJoinTask.get", fork::get);
        timed(THROWS, "ForkJoinTask.get", () -> fork.get(1, MINUTES));
        goesOn("ForkJoinTask.join", fork::join, () -> fork.complete(""));
        Task other = new Task();
        goesOn("ForkJoinTask.quietlyJoin", other::quietlyJoin, () -> other.complete(""));
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

    /** Two queues: one is empty, the other one, if there is such, full. */
    private static void queue(String name, BlockingQueue<String> q, boolean isFull) {
        call(THROWS, name + ".take", q::take);
        timed(THROWS, name + ".poll", () -> q.poll(1, MINUTES));
        if (isFull) {
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

    /** The calling thread has been interrupted, or will be. */
    private static void check(Call call) {
        try {
            call.body.run();
            JucMeaning.check(call.on != THROWS, call.method, "returned");
            JucMeaning.check(Thread.interrupted(), call.method, "forgot the interrupt");
        } catch (InterruptedException e) {
            JucMeaning.check(call.on == THROWS, call.method, e);
            JucMeaning.check(!Thread.currentThread().isInterrupted(), call.method, "kept it");
            JucMeaning.checkFrames(e.getStackTrace(), call.method);
        } catch (Exception e) {
            JucMeaning.check(false, call.method, e);
        }
        Thread.interrupted();
    }

    private static void interruptedInside(Call call) throws Exception {
        Thread thread = thread("inside", () -> check(call));
        untilIn(thread, call);
        thread.interrupt();
        if (call.on == GOES_ON) {
            MILLISECONDS.sleep(1);
            untilIn(thread, call);
            Aside.runAndWait(call.release);
        }
        thread.join();
    }

    /** Virtual if the caller is. */
    private static Thread thread(String name, Runnable body) {
        if (!Boolean.getBoolean("virtual")) {
            return JucMeaning.run(name, body::run);
        }
        Thread thread = Virtual.unstarted(name, body);
        thread.start();
        return thread;
    }

    private static void untilIn(Thread thread, Call call) {
        for (int tries = 0; thread.getState() != call.state; tries++) {
            if (tries > 50_000) {
                JucMeaning.check(false, call.method, thread.getState());
                return;
            }
            Tally.yieldBriefly();
        }
        StackTraceElement[] frames = thread.getStackTrace();
        if (frames.length > 0) {
            JucMeaning.checkFrames(frames, call.method);
        }
    }

    private static void blockedOnMonitor(Object o) throws Exception {
        Thread thread;
        synchronized (o) {
            thread = thread("blocked", () -> {
                synchronized (o) {
                    Thread.yield();
                }
            });
            Tally.awaitState(thread, Thread.State.BLOCKED);
        }
        thread.join();
    }

    /** A call that gives up. */
    private interface Giving {
        boolean up(long time) throws Exception;
    }

    private static void timeOuts() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        StampedLock stamped = new StampedLock();
        Aside.runAndWait(lock::lock);
        Aside.runAndWait(both.writeLock()::lock);
        Aside.runAndWait(stamped::writeLock);
        lasts("ReentrantLock", t -> !lock.tryLock(t, MILLISECONDS));
        lasts("ReadLock", t -> !both.readLock().tryLock(t, MILLISECONDS));
        lasts("WriteLock", t -> !both.writeLock().tryLock(t, MILLISECONDS));
        lasts("StampedLock", t -> stamped.tryReadLock(t, MILLISECONDS) == 0);
        lasts("StampedLock", t -> stamped.tryWriteLock(t, MILLISECONDS) == 0);
        lasts("Semaphore", t -> !new Semaphore(0).tryAcquire(t, MILLISECONDS));
        lasts("CountDownLatch", t -> !new CountDownLatch(1).await(t, MILLISECONDS));
        lasts("CyclicBarrier", t -> throwing(() -> new CyclicBarrier(2).await(t, MILLISECONDS)));
        lasts("Phaser", t -> throwing(
                () -> new Phaser(1).awaitAdvanceInterruptibly(0, t, MILLISECONDS)));
        lasts("Exchanger", t -> throwing(() -> new Exchanger<>().exchange("", t, MILLISECONDS)));
        lasts("FutureTask", t -> throwing(() -> new FutureTask<>(() -> "").get(t, MILLISECONDS)));
        lasts("CompletableFuture",
                t -> throwing(() -> new CompletableFuture<>().get(t, MILLISECONDS)));
        ForkJoinTask<String> task = new Task();
        lasts("ForkJoinTask", t -> throwing(() -> task.get(t, MILLISECONDS)));
        lasts("ArrayBlockingQueue",
                t -> new ArrayBlockingQueue<>(1).poll(t, MILLISECONDS) == null);
        lasts("LinkedBlockingQueue",
                t -> new LinkedBlockingQueue<>().poll(t, MILLISECONDS) == null);
        lasts("LinkedBlockingDeque",
                t -> new LinkedBlockingDeque<>().pollLast(t, MILLISECONDS) == null);
        lasts("PriorityBlockingQueue",
                t -> new PriorityBlockingQueue<>().poll(t, MILLISECONDS) == null);
        lasts("DelayQueue", t -> new DelayQueue<>().poll(t, MILLISECONDS) == null);
        lasts("SynchronousQueue", t -> !new SynchronousQueue<>().offer("", t, MILLISECONDS));
        lasts("LinkedTransferQueue",
                t -> !new LinkedTransferQueue<>().tryTransfer("", t, MILLISECONDS));
        ReentrantLock mine = new ReentrantLock();
        Condition never = mine.newCondition();
        mine.lock();
        lasts("Condition.await", t -> !never.await(t, MILLISECONDS));
        lasts("Condition.awaitNanos", t -> never.awaitNanos(MILLISECONDS.toNanos(t)) <= 0);
        mine.unlock();
        lasts("Thread.sleep", t -> {
            Thread.sleep(t);
            return true;
        });
        Thread me = Thread.currentThread();
        lasts("Thread.join", t -> {
            me.join(t);
            return true;
        });
    }

    private static boolean throwing(Body body) throws Exception {
        try {
            body.run();
            return false;
        } catch (TimeoutException e) {
            JucMeaning.checkFrames(e.getStackTrace());
            return true;
        }
    }

    private static void lasts(String name, Giving giving) throws Exception {
        long begin = System.nanoTime();
        boolean up = giving.up(10);
        double millis = (System.nanoTime() - begin) / 1e6;
        JucMeaning.check(up, name, "did not give up");
        JucMeaning.check(millis > 9.9 && millis < 10_000, name, millis, "ms");
        begin = System.nanoTime();
        JucMeaning.check(giving.up(name.startsWith("Thread") ? 1 : -1), name, "did not give up");
        millis = (System.nanoTime() - begin) / 1e6;
        JucMeaning.check(millis < 10_000, name, millis, "ms");
    }
}
