package counted;

import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.Date;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Part of JucMeaning: recorded calls that fail at once. Checks the exception, its message and its stack. */
final class JucErrors {
    private static final Class<NullPointerException> NPE = NullPointerException.class;
    private static final Class<IllegalArgumentException> IAE = IllegalArgumentException.class;
    private static final Class<IllegalMonitorStateException> IMSE =
            IllegalMonitorStateException.class;

    /** The JVM's message for a null argument. It contains the name of the argument in the JDK's code. */
    private static final String UNIT = "Cannot invoke "
            + "\"java.util.concurrent.TimeUnit.toNanos(long)\" because \"unit\" is null";

    /** A message that depends on the version of the JDK. */
    private static final String ANY = "any";

    private JucErrors() {}

    static void all() throws Exception {
        objects();
        threads();
        semaphores(new Semaphore(0));
        locks(new ReentrantLock());
        readWriteLocks(new ReentrantReadWriteLock());
        stamped(new StampedLock());
        others();
        futures();
        queues();
        executors();
    }

    private static void expectThrow(Class<? extends Throwable> kind, String message, String method,
            Body body) {
        try {
            body.run();
            JucMeaning.check(false, "nothing thrown by", method);
        } catch (Throwable e) {
            JucMeaning.check(e.getClass() == kind, e, "instead of", kind);
            boolean isExpected = message == ANY || Objects.equals(message, e.getMessage());
            // Older JDKs have other messages, or none.
            JucMeaning.check(isExpected || Newer.javaVersion() < 17, "message", e.getMessage(), message);
            JucMeaning.checkFrames(e.getStackTrace(), method);
        }
    }

    private static void objects() {
        Object o = new Object();
        String owner = "current thread is not owner";
        String negative = "timeout value is negative";
        String nanos = "nanosecond timeout value out of range";
        expectThrow(IMSE, owner, "Object.wait", o::wait);
        expectThrow(IMSE, owner, "Object.wait", () -> o.wait(1));
        expectThrow(IMSE, owner, "Object.wait", () -> o.wait(1, 1));
        expectThrow(IAE, negative, "Object.wait", () -> o.wait(-1));
        expectThrow(IAE, "timeoutMillis value is negative", "Object.wait", () -> o.wait(-1, 0));
        expectThrow(IAE, nanos, "Object.wait", () -> o.wait(0, -1));
        expectThrow(IAE, nanos, "Object.wait", () -> o.wait(0, 1_000_000));
        expectThrow(IMSE, owner, "Object.notify", o::notify);
        expectThrow(IMSE, owner, "Object.notifyAll", o::notifyAll);
    }

    private static void threads() {
        Thread t = new Thread(() -> {});
        String negative = "timeout value is negative";
        String nanos = "nanosecond timeout value out of range";
        expectThrow(IAE, negative, "Thread.join", () -> t.join(-1));
        expectThrow(IAE, nanos, "Thread.join", () -> t.join(0, -1));
        expectThrow(IAE, negative, "Thread.sleep", () -> Thread.sleep(-1));
        expectThrow(IAE, negative, "Thread.sleep", () -> Thread.sleep(-1, 0));
        expectThrow(IAE, nanos, "Thread.sleep", () -> Thread.sleep(0, 1_000_000));
        t.start();
        expectThrow(IllegalThreadStateException.class, null, "Thread.start", t::start);
    }

    private static void semaphores(Semaphore s) {
        expectThrow(IAE, null, "Semaphore.acquire", () -> s.acquire(-1));
        expectThrow(IAE, null, "Semaphore.acquireUninterruptibly", () -> s.acquireUninterruptibly(-1));
        expectThrow(IAE, null, "Semaphore.release", () -> s.release(-1));
        expectThrow(IAE, null, "Semaphore.tryAcquire", () -> s.tryAcquire(-1));
        expectThrow(IAE, null, "Semaphore.tryAcquire", () -> s.tryAcquire(-1, 1, MINUTES));
        expectThrow(NPE, UNIT, "Semaphore.tryAcquire",
                () -> s.tryAcquire(1L, (TimeUnit) null));
        expectThrow(NPE, UNIT, "Semaphore.tryAcquire", () -> s.tryAcquire(1, 1, null));
        s.release(Integer.MAX_VALUE);
        expectThrow(Error.class, "Maximum permit count exceeded", "Semaphore.release", s::release);
    }

    private static void locks(ReentrantLock lock) {
        expectThrow(IMSE, null, "ReentrantLock.unlock", lock::unlock);
        expectThrow(NPE, UNIT, "ReentrantLock.tryLock", () -> lock.tryLock(1, null));
        Condition c = lock.newCondition();
        expectThrow(IMSE, null, "ConditionObject.await", c::await);
        expectThrow(IMSE, null, "ConditionObject.await", () -> c.await(1, MINUTES));
        expectThrow(NPE, UNIT, "ConditionObject.await", () -> c.await(1, null));
        expectThrow(IMSE, null, "ConditionObject.awaitNanos", () -> c.awaitNanos(1));
        expectThrow(IMSE, null, "ConditionObject.awaitUntil",
                () -> c.awaitUntil(new Date()));
        expectThrow(IMSE, null, "ConditionObject.awaitUninterruptibly", c::awaitUninterruptibly);
        expectThrow(IMSE, null, "ConditionObject.signal", c::signal);
        expectThrow(IMSE, null, "ConditionObject.signalAll", c::signalAll);
        JucMeaning.check(!lock.isLocked(), lock);
    }

    private static void readWriteLocks(ReentrantReadWriteLock lock) {
        expectThrow(IMSE, "attempt to unlock read lock, not locked by current thread", "ReadLock.unlock",
                lock.readLock()::unlock);
        expectThrow(IMSE, null, "WriteLock.unlock", lock.writeLock()::unlock);
        expectThrow(NPE, UNIT, "ReadLock.tryLock", () -> lock.readLock().tryLock(1, null));
        expectThrow(NPE, UNIT, "WriteLock.tryLock", () -> lock.writeLock().tryLock(1, null));
        expectThrow(UnsupportedOperationException.class, null, "ReadLock.newCondition",
                lock.readLock()::newCondition);
    }

    private static void stamped(StampedLock lock) {
        expectThrow(IMSE, null, "StampedLock.unlockRead", () -> lock.unlockRead(1));
        expectThrow(IMSE, null, "StampedLock.unlockWrite", () -> lock.unlockWrite(1));
        expectThrow(IMSE, null, "StampedLock.unlock", () -> lock.unlock(1));
        expectThrow(NPE, UNIT, "StampedLock.tryReadLock", () -> lock.tryReadLock(1, null));
        expectThrow(NPE, UNIT, "StampedLock.tryWriteLock", () -> lock.tryWriteLock(1, null));
        JucMeaning.check(!lock.isReadLocked() && !lock.isWriteLocked(), lock);
    }

    private static void others() {
        expectThrow(NPE, UNIT, "CountDownLatch.await", () -> new CountDownLatch(1).await(1, null));
        expectThrow(NPE, UNIT, "CyclicBarrier.await", () -> new CyclicBarrier(2).await(1, null));
        expectThrow(NPE, UNIT, "Exchanger.exchange", () -> new Exchanger<>().exchange("", 1, null));
        Phaser p = new Phaser();
        expectThrow(NPE, UNIT, "Phaser.awaitAdvanceInterruptibly",
                () -> p.awaitAdvanceInterruptibly(0, 1, null));
        String state = p.toString();
        String arrival = "Attempted arrival of unregistered party for " + state;
        Class<IllegalStateException> ise = IllegalStateException.class;
        expectThrow(ise, arrival, "Phaser.arrive", p::arrive);
        expectThrow(ise, arrival, "Phaser.arriveAndDeregister", p::arriveAndDeregister);
        expectThrow(ise, arrival, "Phaser.arriveAndAwaitAdvance", p::arriveAndAwaitAdvance);
    }

    private static void futures() {
        FutureTask<String> cancelled = new FutureTask<>(() -> "");
        cancelled.cancel(false);
        expectThrow(CancellationException.class, null, "FutureTask.get", cancelled::get);
        FutureTask<String> failed = new FutureTask<>(() -> {
            throw new IllegalStateException("mine");
        });
        failed.run();
        String cause = "java.lang.IllegalStateException: mine";
        expectThrow(ExecutionException.class, cause, "FutureTask.get", failed::get);
        expectThrow(ExecutionException.class, cause, "FutureTask.get", () -> failed.get(1, MINUTES));
        CompletableFuture<String> f = new CompletableFuture<>();
        expectThrow(NPE, UNIT, "CompletableFuture.get", () -> f.get(1, null));
        f.completeExceptionally(new IllegalStateException("mine"));
        expectThrow(ExecutionException.class, cause, "CompletableFuture.get", f::get);
        expectThrow(CompletionException.class, cause, "CompletableFuture.join", f::join);
    }

    private static void queues() {
        expectThrow(NPE, null, "ArrayBlockingQueue.put", () -> new ArrayBlockingQueue<>(1).put(null));
        expectThrow(NPE, UNIT, "ArrayBlockingQueue.poll",
                () -> new ArrayBlockingQueue<>(1).poll(1, null));
        expectThrow(NPE, null, "LinkedBlockingQueue.put", () -> new LinkedBlockingQueue<>().put(null));
        expectThrow(NPE, UNIT, "LinkedBlockingQueue.offer",
                () -> new LinkedBlockingQueue<>().offer("", 1, null));
        expectThrow(NPE, null, "LinkedBlockingDeque.put", () -> new LinkedBlockingDeque<>().put(null));
        expectThrow(NPE, UNIT, "LinkedBlockingDeque.offerFirst",
                () -> new LinkedBlockingDeque<>().offerFirst("", 1, null));
        expectThrow(NPE, null, "PriorityBlockingQueue.put",
                () -> new PriorityBlockingQueue<>().put(null));
        expectThrow(NPE, UNIT, "PriorityBlockingQueue.poll",
                () -> new PriorityBlockingQueue<>().poll(1, null));
        expectThrow(NPE, UNIT, "DelayQueue.poll", () -> new DelayQueue<>().poll(1, null));
        expectThrow(NPE, null, "SynchronousQueue.put", () -> new SynchronousQueue<>().put(null));
        expectThrow(NPE, UNIT, "SynchronousQueue.poll", () -> new SynchronousQueue<>().poll(1, null));
        expectThrow(NPE, null, "LinkedTransferQueue.transfer",
                () -> new LinkedTransferQueue<>().transfer(null));
        expectThrow(NPE, UNIT, "LinkedTransferQueue.poll",
                () -> new LinkedTransferQueue<>().poll(1, null));
    }

    private static void executors() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, MINUTES, new LinkedBlockingQueue<>());
        expectThrow(NPE, ANY, "AbstractExecutorService.submit", () -> pool.submit((Runnable) null));
        expectThrow(NPE, UNIT, "ThreadPoolExecutor.awaitTermination",
                () -> pool.awaitTermination(1, null));
        pool.shutdown();
        JucMeaning.check(pool.awaitTermination(1, MINUTES), pool);
        ForkJoinPool forks = new ForkJoinPool(1);
        expectThrow(NPE, null, "ForkJoinPool.submit", () -> forks.submit((Runnable) null));
        forks.shutdown();
        JucMeaning.check(forks.awaitTermination(1, MINUTES), forks);
    }
}
