package soak;

import static soak.Ledger.Count.ALLOCATED;
import static soak.Ledger.Count.CONSUMED;
import static soak.Ledger.Count.IN_LOCK;
import static soak.Ledger.Count.IN_MONITOR;
import static soak.Ledger.Count.READ;
import static soak.Ledger.Count.VIRTUAL;
import static soak.Ledger.Count.WITH_PERMIT;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The shop of one second. Each has its own class, threads and locks, and new stacks, as its methods are new. The
 * counts that a lock guards are plain fields, so a lock that does not exclude makes wrong answers.
 */
final class Store implements Shop {
    static final int KINDS = 8;
    private static final int WORKERS = 4;
    private static final int SLEEP_MILLIS = 12; // longer than threshold=10ms of profile=service
    private static final int LONG_EVERY = 64;   // every so many requests, one holds its lock for SLEEP_MILLIS

    private final long second;
    private final Ledger ledger;
    private final ExecutorService workers;
    private final Thread consumer;

    private final Object monitor = new Object();
    private long inMonitor;
    private final ReentrantLock lock = new ReentrantLock();
    private long inLock;
    private final Semaphore permits = new Semaphore(2);
    private final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    private long written;

    private record Item(long number, CompletableFuture<Long> reply) {}

    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private final ReentrantLock itemsLock = new ReentrantLock();
    private final Condition hasItems = itemsLock.newCondition();
    private boolean isClosed;
    private long consumed;

    Store(long second, Ledger ledger) {
        this.second = second;
        this.ledger = ledger;
        AtomicInteger number = new AtomicInteger();
        workers = Executors.newFixedThreadPool(
            WORKERS, task -> new Thread(task, "worker-" + this.second + "-" + number.incrementAndGet()));
        consumer = new Thread(this::consume, "consumer-" + second);
        consumer.start();
    }

    @Override
    public void submit(long request, long dueNanos) {
        workers.execute(() -> ledger.finish(descend(request, 4), dueNanos));
    }

    @Override
    public void close() throws InterruptedException {
        workers.shutdown();
        if (!workers.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("requests of second " + second + " hang");
        }
        itemsLock.lock();
        isClosed = true;
        hasItems.signalAll();
        itemsLock.unlock();
        consumer.join();
        ledger.add(IN_MONITOR, inMonitor);
        ledger.add(IN_LOCK, inLock);
        ledger.add(CONSUMED, consumed);
    }

    /** Serves the request at one of 2^depth stacks. */
    private long descend(long request, int depth) {
        if (depth == 0) {
            return serve(request);
        }
        if ((request / KINDS >> depth & 1) == 0) {
            return descend(request, depth - 1);
        }
        return descend(request, depth - 1);
    }

    private long serve(long request) {
        long answer = Work.hash(request);
        try {
            switch ((int) (request % KINDS)) {
                case 0: return answer;
                case 1: return serveInMonitor(request, answer);
                case 2: return serveInLock(request, answer);
                case 3: return serveWithPermit(answer);
                case 4: return serveByConsumer(request, answer);
                case 5: return serveInVirtualThread(answer);
                case 6: return serveFromMemory(request, answer);
                default: return serveReading(request, answer);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isLong(long request) {
        return request / KINDS % LONG_EVERY == 0;
    }

    private long serveInMonitor(long request, long answer) throws InterruptedException {
        synchronized (monitor) {
            inMonitor++;
            if (isLong(request)) {
                Thread.sleep(SLEEP_MILLIS);
            }
        }
        return answer;
    }

    private long serveInLock(long request, long answer) throws InterruptedException {
        lock.lock();
        try {
            inLock++;
            if (isLong(request)) {
                Thread.sleep(SLEEP_MILLIS);
            }
        } finally {
            lock.unlock();
        }
        return answer;
    }

    private long serveWithPermit(long answer) throws InterruptedException {
        permits.acquire();
        try {
            Thread.sleep(SLEEP_MILLIS);
            ledger.add(WITH_PERMIT, 1);
        } finally {
            permits.release();
        }
        return answer;
    }

    private long serveByConsumer(long request, long answer) {
        CompletableFuture<Long> reply = new CompletableFuture<>();
        itemsLock.lock();
        items.add(new Item(request, reply));
        hasItems.signal();
        itemsLock.unlock();
        return answer + reply.join();
    }

    private void consume() {
        while (true) {
            itemsLock.lock();
            Item item;
            try {
                while (items.isEmpty() && !isClosed) {
                    hasItems.await();
                }
                item = items.poll();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                itemsLock.unlock();
            }
            if (item == null) {
                return;
            }
            consumed++;
            item.reply.complete(item.number & 0xFF);
        }
    }

    /** In a platform thread, if the JDK has no virtual ones. */
    private long serveInVirtualThread(long answer) throws InterruptedException {
        Threads.start(() -> {
            synchronized (monitor) {
                inMonitor++;
            }
            ledger.add(VIRTUAL, 1);
        }, "virtual-" + second).join();
        return answer;
    }

    private long serveFromMemory(long request, long answer) {
        long sum = Work.allocate(request);
        ledger.add(ALLOCATED, sum);
        return answer + sum;
    }

    private long serveReading(long request, long answer) throws InterruptedException {
        if (isLong(request)) {
            readWrite.writeLock().lock();
            try {
                written++;
                Thread.sleep(SLEEP_MILLIS);
            } finally {
                readWrite.writeLock().unlock();
            }
        }
        readWrite.readLock().lock();
        try {
            ledger.add(READ, written >= 0 ? 1 : 0);
        } finally {
            readWrite.readLock().unlock();
        }
        return answer;
    }
}
