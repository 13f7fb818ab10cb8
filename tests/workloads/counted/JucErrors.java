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

/** Part of JucMeaning: recorded calls that fail at once, how, from where and with which message. */
final class JucErrors {
    private static final Class<NullPointerException> NPE = NullPointerException.class;
    private static final Class<IllegalArgumentException> IAE = IllegalArgumentException.class;
    private static final Class<IllegalMonitorStateException> IMSE =
            IllegalMonitorStateException.class;

    /** The JVM's words, of code as the JDK has it: the name of the argument is in them. */
    private static final String UNIT = "Cannot invoke "
            + "\"java.util.concurrent.TimeUnit.toNanos(long)\" because \"unit\" is null";

    /** A message that differs from version to version. */
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

    private static void fails(Class<? extends Throwable> kind, String message, String method,
            Body body) {
        try {
            body.run();
            JucMeaning.check(false, "nothing thrown by", method);
        } catch (Throwable e) {
            JucMeaning.check(e.getClass() == kind, e, "instead of", kind);
            boolean same = message == ANY || Objects.equals(message, e.getMessage());
            // Older ones have others, or none.
            JucMeaning.check(same || Newer.javaVersion() < 17, "message", e.getMessage(), message);
            JucMeaning.checkFrames(e.getStackTrace(), method);
        }
    }

    private static void objects() {
        Object o = new Object();
        String owner = "current thread is not owner";
        String negative = "timeout value is negative";
        String nanos = "nanosecond timeout value out of range";
        fails(IMSE, owner, "Object.wait", o::wait);
        fails(IMSE, owner, "Object.wait", () -> o.wait(1));
        fails(IMSE, owner, "Object.wait", () -> o.wait(1, 1));
        fails(IAE, negative, "Object.wait", () -> o.wait(-1));
        fails(IAE, "timeoutMillis value is negative", "Object.wait", () -> o.wait(-1, 0));
        fails(IAE, nanos, "Object.wait", () -> o.wait(0, -1));
        fails(IAE, nanos, "Object.wait", () -> o.wait(0, 1_000_000));
        fails(IMSE, owner, "Object.notify", o::notify);
        fails(IMSE, owner, "Object.notifyAll", o::notifyAll);
    }

    private static void threads() {
        Thread t = new Thread(() -> {});
        String negative = "timeout value is negative";
        String nanos = "nanosecond timeout value out of range";
        fails(IAE, negative, "Thread.join", () -> t.join(-1));
        fails(IAE, nanos, "Thread.join", () -> t.join(0, -1));
        fails(IAE, negative, "Thread.sleep", () -> Thread.sleep(-1));
        fails(IAE, negative, "Thread.sleep", () -> Thread.sleep(-1, 0));
        fails(IAE, nanos, "Thread.sleep", () -> Thread.sleep(0, 1_000_000));
        t.start();
        fails(IllegalThreadStateException.class, null, "Thread.start", t::start);
    }

    private static void semaphores(Semaphore s) {
        fails(IAE, null, "Semaphore.acquire", () -> s.acquire(-1));
        fails(IAE, null, "Semaphore.acquireUninterruptibly", () -> s.acquireUninterruptibly(-1));
        fails(IAE, null, "Semaphore.release", () -> s.release(-1));
        fails(IAE, null, "Semaphore.tryAcquire", () -> s.tryAcquire(-1));
        fails(IAE, null, "Semaphore.tryAcquire", () -> s.tryAcquire(-1, 1, MINUTES));
        fails(NPE, UNIT, "Semaphore.tryAcquire",
                () -> s.tryAcquire(1L, (TimeUnit) null));
        fails(NPE, UNIT, "Semaphore.tryAcquire", () -> s.tryAcquire(1, 1, null));
        s.release(Integer.MAX_VALUE);
        fails(Error.class, "Maximum permit count exceeded", "Semaphore.release", s::release);
    }

    private static void locks(ReentrantLock lock) {
        fails(IMSE, null, "ReentrantLock.unlock", lock::unlock);
        fails(NPE, UNIT, "ReentrantLock.tryLock", () -> lock.tryLock(1, null));
        Condition c = lock.newCondition();
        fails(IMSE, null, "ConditionObject.await", c::await);
        fails(IMSE, null, "ConditionObject.await", () -> c.await(1, MINUTES));
        fails(NPE, UNIT, "ConditionObject.await", () -> c.await(1, null));
        fails(IMSE, null, "ConditionObject.awaitNanos", () -> c.awaitNanos(1));
        fails(IMSE, null, "ConditionObject.awaitUntil",
                () -> c.awaitUntil(new Date()));
        fails(IMSE, null, "ConditionObject.awaitUninterruptibly", c::awaitUninterruptibly);
        fails(IMSE, null, "ConditionObject.signal", c::signal);
        fails(IMSE, null, "ConditionObject.signalAll", c::signalAll);
        JucMeaning.check(!lock.isLocked(), lock);
    }

    private static void readWriteLocks(ReentrantReadWriteLock lock) {
        fails(IMSE, "attempt to unlock read lock, not locked by current thread", "ReadLock.unlock",
                lock.readLock()::unlock);
        fails(IMSE, null, "WriteLock.unlock", lock.writeLock()::unlock);
        fails(NPE, UNIT, "ReadLock.tryLock", () -> lock.readLock().tryLock(1, null));
        fails(NPE, UNIT, "WriteLock.tryLock", () -> lock.writeLock().tryLock(1, null));
        fails(UnsupportedOperationException.class, null, "ReadLock.newCondition",
                lock.readLock()::newCondition);
    }

    private static void stamped(StampedLock lock) {
        fails(IMSE, null, "StampedLock.unlockRead", () -> lock.unlockRead(1));
        fails(IMSE, null, "StampedLock.unlockWrite", () -> lock.unlockWrite(1));
        fails(IMSE, null, "StampedLock.unlock", () -> lock.unlock(1));
        fails(NPE, UNIT, "StampedLock.tryReadLock", () -> lock.tryReadLock(1, null));
        fails(NPE, UNIT, "StampedLock.tryWriteLock", () -> lock.tryWriteLock(1, null));
        JucMeaning.check(!lock.isReadLocked() && !lock.isWriteLocked(), lock);
    }

    private static void others() {
        fails(NPE, UNIT, "CountDownLatch.await", () -> new CountDownLatch(1).await(1, null));
        fails(NPE, UNIT, "CyclicBarrier.await", () -> new CyclicBarrier(2).await(1, null));
        fails(NPE, UNIT, "Exchanger.exchange", () -> new Exchanger<>().exchange("", 1, null));
        Phaser p = new Phaser();
        fails(NPE, UNIT, "Phaser.awaitAdvanceInterruptibly",
                () -> p.awaitAdvanceInterruptibly(0, 1, null));
        String state = p.toString();
        String arrival = "Attempted arrival of unregistered party for " + state;
        Class<IllegalStateException> ise = IllegalStateException.class;
        fails(ise, arrival, "Phaser.arrive", p::arrive);
        fails(ise, arrival, "Phaser.arriveAndDeregister", p::arriveAndDeregister);
        fails(ise, arrival, "Phaser.arriveAndAwaitAdvance", p::arriveAndAwaitAdvance);
    }

    private static void futures() {
        FutureTask<String> cancelled = new FutureTask<>(() -> "");
        cancelled.cancel(false);
        fails(CancellationException.class, null, "FutureTask.get", cancelled::get);
        FutureTask<String> failed = new FutureTask<>(() -> {
            throw new IllegalStateException("mine");
        });
        failed.run();
        String cause = "java.lang.IllegalStateException: mine";
        fails(ExecutionException.class, cause, "FutureTask.get", failed::get);
        fails(ExecutionException.class, cause, "FutureTask.get", () -> failed.get(1, MINUTES));
        CompletableFuture<String> f = new CompletableFuture<>();
        fails(NPE, UNIT, "CompletableFuture.get", () -> f.get(1, null));
        f.completeExceptionally(new IllegalStateException("mine"));
        fails(ExecutionException.class, cause, "CompletableFuture.get", f::get);
        fails(CompletionException.class, cause, "CompletableFuture.join", f::join);
    }

    private static void queues() {
        fails(NPE, null, "ArrayBlockingQueue.put", () -> new ArrayBlockingQueue<>(1).put(null));
        fails(NPE, UNIT, "ArrayBlockingQueue.poll",
                () -> new ArrayBlockingQueue<>(1).poll(1, null));
        fails(NPE, null, "LinkedBlockingQueue.put", () -> new LinkedBlockingQueue<>().put(null));
        fails(NPE, UNIT, "LinkedBlockingQueue.offer",
                () -> new LinkedBlockingQueue<>().offer("", 1, null));
        fails(NPE, null, "LinkedBlockingDeque.put", () -> new LinkedBlockingDeque<>().put(null));
        fails(NPE, UNIT, "LinkedBlockingDeque.offerFirst",
                () -> new LinkedBlockingDeque<>().offerFirst("", 1, null));
        fails(NPE, null, "PriorityBlockingQueue.put",
                () -> new PriorityBlockingQueue<>().put(null));
        fails(NPE, UNIT, "PriorityBlockingQueue.poll",
                () -> new PriorityBlockingQueue<>().poll(1, null));
        fails(NPE, UNIT, "DelayQueue.poll", () -> new DelayQueue<>().poll(1, null));
        fails(NPE, null, "SynchronousQueue.put", () -> new SynchronousQueue<>().put(null));
        fails(NPE, UNIT, "SynchronousQueue.poll", () -> new SynchronousQueue<>().poll(1, null));
        fails(NPE, null, "LinkedTransferQueue.transfer",
                () -> new LinkedTransferQueue<>().transfer(null));
        fails(NPE, UNIT, "LinkedTransferQueue.poll",
                () -> new LinkedTransferQueue<>().poll(1, null));
    }

    private static void executors() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, MINUTES, new LinkedBlockingQueue<>());
        fails(NPE, ANY, "AbstractExecutorService.submit", () -> pool.submit((Runnable) null));
        fails(NPE, UNIT, "ThreadPoolExecutor.awaitTermination",
                () -> pool.awaitTermination(1, null));
        pool.shutdown();
        JucMeaning.check(pool.awaitTermination(1, MINUTES), pool);
        ForkJoinPool forks = new ForkJoinPool(1);
        fails(NPE, null, "ForkJoinPool.submit", () -> forks.submit((Runnable) null));
        forks.shutdown();
        JucMeaning.check(forks.awaitTermination(1, MINUTES), forks);
    }
}
