package counted;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Waits of each kind, and the thread that ends each of them. In each round all waiters of a kind wait,
 * then one of two wakers wakes them. Prints an account, in the order of each waiter:
 *
 * <pre>
 * woken EVENT WAITER WAKER   the names of two threads; the event ends the wait
 * </pre>
 *
 * With {@code -Dvirtual=true} all these threads are virtual. They need 8 carriers: virtual threads that
 * only yield can keep others from running.
 */
final class WhoWoke {
    private static final int ROUNDS = 6;
    private static final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private static final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** What a thread does in a round. */
    private interface Step {
        void run(int round) throws Exception;
    }

    /** Waits of one kind. */
    private static final class Kind {
        private final String event;
        private final String name;
        private final int numWaiters;
        private final Thread[] waiters;
        private final Thread[] wakers = new Thread[2];
        private final boolean[] begun;
        private volatile int round = -1; // that the wakers have prepared
        private volatile int over = -1;  // the waiters that have ended the round
        private int left;

        Kind(String event, String name, int numWaiters) {
            this.event = event;
            this.name = name;
            this.numWaiters = numWaiters;
            waiters = new Thread[numWaiters];
            begun = new boolean[numWaiters];
        }

        /** The waker of the round calls {@code prepare}, then all waiters call {@code wait}, then the
         * waker calls {@code wake}. */
        void run(Step prepare, Step wait, Step wake) throws InterruptedException {
            for (int i = 0; i < wakers.length; i++) {
                int number = i;
                wakers[i] = thread(name + "-waker-" + i, () -> {
                    for (int r = number; r < ROUNDS; r += wakers.length) {
                        awaitOver(r - 1);
                        prepare.run(r);
                        prepareRound(r);
                        awaitWaiting();
                        wake.run(r);
                    }
                });
            }
            for (int i = 0; i < numWaiters; i++) {
                int number = i;
                waiters[i] = thread(name + "-waiter-" + i, () -> {
                    for (int r = 0; r < ROUNDS; r++) {
                        awaitRound(r);
                        setBegun(number);
                        lines.add("woken " + event + " " + waiters[number].getName() + " "
                                + wakers[r % wakers.length].getName());
                        wait.run(r);
                        endRound(r);
                    }
                });
            }
            startAndJoin(waiters, wakers);
        }

        private void awaitOver(int r) {
            while (over < r) {
                Tally.yieldBriefly();
            }
        }

        private void awaitRound(int r) {
            while (round < r) {
                Tally.yieldBriefly();
            }
        }

        private synchronized void setBegun(int number) {
            begun[number] = true;
        }

        private synchronized boolean haveAllBegun() {
            for (boolean one : begun) {
                if (!one) {
                    return false;
                }
            }
            return true;
        }

        private synchronized void prepareRound(int r) {
            java.util.Arrays.fill(begun, false);
            left = numWaiters;
            round = r;
        }

        private synchronized void endRound(int r) {
            if (--left == 0) {
                over = r;
            }
        }

        private void awaitWaiting() {
            while (!haveAllBegun()) {
                Tally.yieldBriefly();
            }
            for (Thread waiter : waiters) {
                Tally.awaitState(waiter, Thread.State.WAITING);
            }
        }
    }

    private static Thread thread(String name, Body body) {
        Runnable run = () -> {
            try {
                body.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        };
        return Boolean.getBoolean("virtual") ? Virtual.unstarted(name, run) : new Thread(run, name);
    }

    private static void startAndJoin(Thread[]... groups) throws InterruptedException {
        for (Thread[] group : groups) {
            for (Thread thread : group) {
                thread.start();
            }
        }
        for (Thread[] group : groups) {
            for (Thread thread : group) {
                thread.join();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (Tally.isSkipped()) {
            return;
        }
        queues();
        futures();
        together();
        locks();
        monitors();
        parks();
        joins();
        ends();
        executors();
        failures.forEach(Throwable::printStackTrace);
        lines.forEach(System.out::println);
        System.out.println(failures.isEmpty() ? "end" : "failed");
    }

    private static void nothing(int round) {}

    // --- queues --------------------------------------------------------------------------------------

    private static void queues() throws Exception {
        takes("synchronous", new SynchronousQueue<>());
        takes("array", new ArrayBlockingQueue<>(1));
        takes("linked", new LinkedBlockingQueue<>(1));
        takes("transfer", new LinkedTransferQueue<>());
        takes("priority", new PriorityBlockingQueue<>());
        puts("synchronous", new SynchronousQueue<>());
        puts("array", new ArrayBlockingQueue<>(1));
        puts("linked", new LinkedBlockingQueue<>(1));
        LinkedTransferQueue<String> transfer = new LinkedTransferQueue<>();
        new Kind("QueueInserted", "transfer-put", 1)
                .run(WhoWoke::nothing, r -> transfer.transfer("item"), r -> transfer.take());
        Exchanger<String> exchanger = new Exchanger<>();
        new Kind("Exchanged", "exchanger", 1)
                .run(WhoWoke::nothing, r -> exchanger.exchange("a"), r -> exchanger.exchange("b"));
    }

    private static void takes(String name, BlockingQueue<String> queue) throws Exception {
        new Kind("QueueRemoved", name + "-take", 1)
                .run(WhoWoke::nothing, r -> queue.take(), r -> queue.put("item"));
    }

    /** The queue is full, unless it is synchronous. */
    private static void puts(String name, BlockingQueue<String> queue) throws Exception {
        queue.offer("first");
        new Kind("QueueInserted", name + "-put", 1)
                .run(WhoWoke::nothing, r -> queue.put("item"), r -> queue.take());
    }

    // --- futures -------------------------------------------------------------------------------------

    private static void futures() throws Exception {
        List<FutureTask<String>> tasks = new ArrayList<>();
        List<CompletableFuture<String>> futures = new ArrayList<>(), failing = new ArrayList<>();
        List<ForkJoinTask<?>> joined = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            tasks.add(new FutureTask<>(() -> "result"));
            futures.add(new CompletableFuture<>());
            failing.add(new CompletableFuture<>());
            joined.add(ForkJoinTask.adapt(() -> {}));
        }
        new Kind("FutureAwaited", "task", 3)
                .run(WhoWoke::nothing, r -> tasks.get(r).get(), r -> tasks.get(r).run());
        new Kind("FutureAwaited", "completable", 2)
                .run(WhoWoke::nothing, r -> futures.get(r).join(), r -> futures.get(r).complete("result"));
        new Kind("FutureAwaitFailed", "failing", 2).run(WhoWoke::nothing, r -> {
            try {
                failing.get(r).get();
            } catch (ExecutionException e) {
                return;
            }
            throw new AssertionError();
        }, r -> failing.get(r).completeExceptionally(new IllegalStateException()));
        new Kind("TaskJoined", "forkjoin", 2)
                .run(WhoWoke::nothing, r -> joined.get(r).join(), r -> joined.get(r).quietlyInvoke());
    }

    // --- latches and barriers ------------------------------------------------------------------------

    private static void together() throws Exception {
        CountDownLatch[] latches = new CountDownLatch[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            latches[i] = new CountDownLatch(2);
        }
        new Kind("LatchAwaited", "latch", 3)
                .run(r -> latches[r].countDown(), r -> latches[r].await(), r -> latches[r].countDown());
        CyclicBarrier barrier = new CyclicBarrier(4);
        new Kind("BarrierAwaited", "barrier", 3).run(WhoWoke::nothing, r -> barrier.await(), r -> {
            /* A waiter may still wait for the lock in the barrier, and then be the last one. */
            while (barrier.getNumberWaiting() < 3) {
                Tally.yieldBriefly();
            }
            barrier.await();
        });
        Phaser phaser = new Phaser(4);
        new Kind("PhaserAwaited", "phaser", 3).run(WhoWoke::nothing,
                r -> phaser.arriveAndAwaitAdvance(), r -> phaser.arriveAndAwaitAdvance());
        Phaser arriving = new Phaser(3);
        new Kind("PhaserAwaited", "arriving", 2).run(WhoWoke::nothing,
                r -> arriving.arriveAndAwaitAdvance(), r -> arriving.arrive());
        Semaphore one = new Semaphore(0), several = new Semaphore(0);
        new Kind("SemaphoreAcquired", "semaphore", 1)
                .run(WhoWoke::nothing, r -> one.acquire(), r -> one.release());
        new Kind("SemaphoreAcquired", "permits", 3)
                .run(WhoWoke::nothing, r -> several.acquire(), r -> several.release(3));
    }

    // --- locks ---------------------------------------------------------------------------------------

    private static void locks() throws Exception {
        lock("lock", "LockAcquired", 1, new ReentrantLock(), null);
        ReadWriteLock both = new ReentrantReadWriteLock();
        lock("write", "WriteLockAcquired", 1, both.writeLock(), null);
        lock("read", "ReadLockAcquired", 3, both.writeLock(), both.readLock());
        ReadWriteLock stamped = new StampedLock().asReadWriteLock();
        lock("stamped-write", "WriteLockAcquired", 1, stamped.writeLock(), null);
        lock("stamped-read", "ReadLockAcquired", 3, stamped.writeLock(), stamped.readLock());
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        condition("signal", 1, lock, condition, () -> condition.signal());
        condition("signal-all", 3, lock, condition, () -> condition.signalAll());
    }

    /** The waker holds {@code held}, and the waiters want {@code wanted}; null: the same lock. */
    private static void lock(String name, String event, int numWaiters, Lock held, Lock wanted)
            throws Exception {
        Lock asked = wanted == null ? held : wanted;
        new Kind(event, name, numWaiters).run(r -> held.lock(), r -> {
            asked.lock();
            asked.unlock();
        }, r -> held.unlock());
    }

    private static void condition(String name, int numWaiters, ReentrantLock lock, Condition condition,
            Runnable signal) throws Exception {
        new Kind("ConditionAwaited", name, numWaiters).run(WhoWoke::nothing, r -> {
            lock.lock();
            condition.await();
            lock.unlock();
        }, r -> {
            lock.lock();
            while (lock.getWaitQueueLength(condition) < numWaiters) { // one waits for the lock
                lock.unlock();
                Tally.yieldBriefly();
                lock.lock();
            }
            signal.run();
            lock.unlock();
        });
    }

    private static void monitors() throws Exception {
        Object one = new Object(), all = new Object();
        new Kind("ObjectWaited", "notify", 1).run(WhoWoke::nothing, r -> {
            synchronized (one) {
                one.wait();
            }
        }, r -> {
            synchronized (one) {
                one.notify();
            }
        });
        new Kind("ObjectWaited", "notify-all", 3).run(WhoWoke::nothing, r -> {
            synchronized (all) {
                all.wait();
            }
        }, r -> {
            synchronized (all) {
                all.notifyAll();
            }
        });
    }

    // --- parks, joins ----------------------------------------------------------------------------------

    private static void parks() throws Exception {
        Kind park = new Kind("ThreadParked", "park", 1);
        park.run(WhoWoke::nothing, r -> LockSupport.park(), r -> LockSupport.unpark(park.waiters[0]));
        permits();
    }

    /** The unpark comes before the park. */
    private static void permits() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Thread[] threads = new Thread[2];
        threads[0] = thread("permit-waiter", () -> {
            for (int r = 0; r < ROUNDS; r++) {
                await(turn, 2 * r + 1);
                lines.add("woken ThreadParked permit-waiter permit-waker");
                LockSupport.park();
                turn.incrementAndGet();
            }
        });
        threads[1] = thread("permit-waker", () -> {
            for (int r = 0; r < ROUNDS; r++) {
                await(turn, 2 * r);
                LockSupport.unpark(threads[0]);
                turn.incrementAndGet();
            }
        });
        startAndJoin(threads);
    }

    private static void await(AtomicInteger turn, int number) {
        while (turn.get() < number) {
            Tally.yieldBriefly();
        }
    }

    private static void joins() throws Exception {
        for (int r = 0; r < ROUNDS; r++) {
            Thread[] waiters = new Thread[2];
            Thread ending = thread("join-waker-" + r, () -> {
                for (Thread waiter : waiters) {
                    Tally.awaitState(waiter, Thread.State.WAITING);
                }
            });
            for (int i = 0; i < waiters.length; i++) {
                String name = "join-waiter-" + r + "-" + i;
                waiters[i] = thread(name, () -> {
                    lines.add("woken ThreadJoined " + name + " " + ending.getName());
                    ending.join();
                });
            }
            startAndJoin(new Thread[] {ending}, waiters);
        }
    }

    /** The JVM notifies all that wait on the object of a thread that ends, unless it is virtual. */
    private static void ends() throws Exception {
        for (int r = 0; r < ROUNDS && !Boolean.getBoolean("virtual"); r++) {
            Thread[] waiters = new Thread[2];
            Thread ending = thread("end-waker-" + r, () -> {
                for (Thread waiter : waiters) {
                    Tally.awaitState(waiter, Thread.State.WAITING);
                }
            });
            for (int i = 0; i < waiters.length; i++) {
                String name = "end-waiter-" + r + "-" + i;
                waiters[i] = thread(name, () -> {
                    lines.add("woken ObjectWaited " + name + " " + ending.getName());
                    synchronized (ending) {
                        ending.wait();
                    }
                });
            }
            startAndJoin(waiters, new Thread[] {ending});
        }
    }

    // --- executors -----------------------------------------------------------------------------------

    private static void executors() throws Exception {
        Thread[] worker = new Thread[1];
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(), run -> worker[0] = thread("pool-worker", run::run));
        pool.prestartAllCoreThreads();
        Thread[] users = new Thread[2];
        for (int i = 0; i < users.length; i++) {
            String name = "pool-user-" + i;
            users[i] = thread(name, () -> {
                for (int r = 0; r < ROUNDS; r++) {
                    Tally.awaitState(worker[0], Thread.State.WAITING);
                    lines.add("woken QueueRemoved pool-worker " + name);
                    lines.add("woken TaskTaken pool-worker " + name);
                    lines.add("woken FutureAwaited " + name + " pool-worker");
                    Thread user = Thread.currentThread();
                    if (r % 2 == 0) {
                        pool.submit(() -> Tally.awaitState(user, Thread.State.WAITING)).get();
                    } else {
                        FutureTask<?> task = new FutureTask<>(
                                () -> Tally.awaitState(user, Thread.State.WAITING), null);
                        pool.execute(task);
                        task.get();
                    }
                }
            });
            startAndJoin(new Thread[] {users[i]});
        }
        Tally.awaitState(worker[0], Thread.State.WAITING);
        pool.shutdown();
        terminations();
    }

    /** A pool without threads ends by its shutdown. */
    private static void terminations() throws Exception {
        ExecutorService[] pools = new ExecutorService[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            pools[i] = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        }
        AtomicInteger begun = new AtomicInteger();
        Thread[] threads = new Thread[2];
        threads[0] = thread("termination-waiter", () -> {
            for (ExecutorService pool : pools) {
                lines.add("woken ExecutorAwaited termination-waiter termination-waker");
                begun.incrementAndGet();
                Tally.check(pool.awaitTermination(1, TimeUnit.MINUTES));
            }
        });
        threads[1] = thread("termination-waker", () -> {
            for (int r = 0; r < ROUNDS; r++) {
                await(begun, r + 1);
                Tally.awaitState(threads[0], Thread.State.TIMED_WAITING);
                pools[r].shutdown();
            }
        });
        startAndJoin(threads);
    }
}
