package orders;

import java.util.ArrayDeque;
import java.util.Deque;

/** A bounded queue between the thread "counter" and the workers. */
final class OrderQueue {
    private final Deque<Order> orders = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    OrderQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Waits while the queue is full. */
    synchronized void put(Order order) throws InterruptedException {
        while (orders.size() == capacity) {
            wait();
        }
        orders.add(order);
        notifyAll();
    }

    /** Waits while the queue is empty. Returns null if it is empty and closed. */
    synchronized Order take() throws InterruptedException {
        while (orders.isEmpty() && !closed) {
            wait();
        }
        notifyAll();
        return orders.poll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
