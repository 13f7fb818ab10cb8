package counted;

import static counted.Call.START;
import static counted.Call.SUBMIT;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
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

/**
 * Calls that are no events. Inside them the JDK makes recorded calls, which are events on objects
 * that a program cannot access.
 */
final class Silent {
    public static void main(String[] args) throws Exception {
        for (String group : new String[] {"lock", "condition", "park", "future", "queue"}) {
            Tally.allowJdkEvents(group);
        }
        Tally.runWorkload(() -> {
            List<BlockingQueue<Item>> queues = Arrays.asList(
                    new ArrayBlockingQueue<>(2), new LinkedBlockingQueue<>(2),
                    new LinkedBlockingDeque<>(2), new PriorityBlockingQueue<>(),
                    new DelayQueue<>(), new LinkedTransferQueue<>());
            for (BlockingQueue<Item> q : queues) {
                // Adds the queue to the objects of the account.
                Tally.count(Call.INSERT, q);
                q.put(new Item());
                Tally.count(Call.REMOVE, q);
                q.take();
                queue(q);
            }
            handOver(new SynchronousQueue<>());
            deque(new LinkedBlockingDeque<>());
            locks(new ReentrantLock(), new ReentrantReadWriteLock());
            others();
            pool();
        });
    }

    private static final class Item implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    private static void queue(BlockingQueue<Item> q) {
        for (int i = 0; i < 10; i++) {
            Tally.check(q.offer(new Item()));
            q.add(new Item());
            Tally.check(q.peek() != null && q.element() != null && q.size() == 2);
            Tally.check(q.poll() != null);
            Tally.check(q.remove() != null);
            Tally.check(q.poll() == null && q.peek() == null && q.isEmpty());
            Item item = new Item();
            q.add(item);
            Tally.check(q.contains(item) && q.remainingCapacity() > 0);
            Tally.check(q.remove(item));
            q.add(item);
            Tally.check(q.drainTo(new ArrayList<>()) == 1);
            q.clear();
        }
    }

    private static void handOver(SynchronousQueue<Item> q) {
        Tally.check(!q.offer(new Item()) && q.poll() == null && q.size() == 0);
    }

    private static void deque(LinkedBlockingDeque<Item> d) {
        d.addFirst(new Item());
        d.addLast(new Item());
        Tally.check(d.offerFirst(new Item()) && d.offerLast(new Item()));
        Tally.check(d.pollFirst() != null && d.pollLast() != null);
        Tally.check(d.removeFirst() != null && d.removeLast() != null);
        d.push(new Item());
        Tally.check(d.pop() != null);
    }

    /** Queries of locks. */
    private static void locks(ReentrantLock lock, ReentrantReadWriteLock both) {
        Condition c = lock.newCondition();
        Tally.check(!lock.isLocked() && !lock.isHeldByCurrentThread());
        Tally.check(lock.getHoldCount() == 0 && lock.getQueueLength() == 0);
        Tally.expectThrow(IllegalMonitorStateException.class, () -> lock.hasWaiters(c));
        Tally.check(!both.isWriteLocked() && both.getReadLockCount() == 0);
        Tally.check(both.readLock() != null && both.writeLock().newCondition() != null);
        Semaphore s = new Semaphore(3);
        Tally.check(s.availablePermits() == 3 && s.drainPermits() == 3 && !s.hasQueuedThreads());
    }

    private static void others() {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Tally.check(!barrier.isBroken() && barrier.getNumberWaiting() == 0);
        barrier.reset();
        Phaser phaser = new Phaser();
        Tally.check(phaser.register() == 0 && phaser.bulkRegister(2) == 0);
        phaser.forceTermination();
        FutureTask<String> task = new FutureTask<>(() -> "result");
        task.run();
        Tally.check(!task.cancel(true) && task.isDone());
        CompletableFuture<String> future = new CompletableFuture<>();
        future.thenApply(String::length).thenAccept(n -> Tally.check(n == 6));
        Tally.check(future.complete("result") && future.getNow("none").equals("result"));
    }

    private static void pool() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, MINUTES, new LinkedBlockingQueue<>(), Silent::make);
        Tally.check(pool.prestartCoreThread());
        for (int i = 0; i < 5; i++) {
            pool.execute(() -> {});
            invokeAll(pool);
        }
        pool.setCorePoolSize(0);
        pool.shutdown();
        Tally.check(pool.isShutdown() && pool.shutdownNow() != null);
    }

    private static Thread make(Runnable tasks) {
        Thread thread = new Thread(tasks);
        Tally.count(START, thread);
        return thread;
    }

    /** invokeAll and invokeAny wait for their futures inside the JDK. */
    private static void invokeAll(ExecutorService pool) throws Exception {
        List<Callable<String>> tasks = Arrays.asList(() -> "result", () -> "result");
        for (Future<String> f : pool.invokeAll(tasks)) {
            Tally.check(f.isDone());
        }
        Tally.check(pool.invokeAny(tasks).equals("result"));
        CompletionService<String> completions = new ExecutorCompletionService<>(pool);
        completions.submit(() -> "result");
        while (completions.poll() == null) {
            Tally.yieldBriefly();
        }
        Tally.count(SUBMIT, pool);
        pool.submit(() -> "result");
    }
}
