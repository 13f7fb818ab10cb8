package services;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server for many connections that are mostly idle: {@code IdleServer PORT}. Each connection has a platform thread.
 * Every second one waits in a read of its socket. The others wait in a poll of a queue, which a selector's thread
 * fills. Each wait ends after a second, and the next one begins.
 * A request is an int, and the answer a long: the upper half counts the requests of the connection, the lower half is
 * the request. The answer to COUNT is the number of all requests before it. A signal ends the server.
 */
final class IdleServer {
    static final int COUNT = -1;
    private static final int WAIT_MILLIS = 1000;
    private static final int END = -2; // in a queue: the connection has ended

    private final AtomicLong served = new AtomicLong();
    private final Selector selector = Selector.open();

    private IdleServer() throws IOException {}

    public static void main(String[] args) throws IOException {
        new IdleServer().accept(Integer.parseInt(args[0]));
    }

    private void accept(int port) throws IOException {
        new Thread(this::select, "selector").start();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
            for (int i = 0;; i++) {
                SocketChannel channel = server.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Connection connection = i % 2 == 0 ? new Reader(channel) : new Poller(channel);
                new Thread(connection, "connection-" + i).start();
            }
        }
    }

    private void select() {
        try {
            for (;;) {
                selector.select(key -> ((Poller) key.attachment()).fill(key));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private abstract class Connection implements Runnable {
        final SocketChannel channel;
        private long requests;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        /** Waits for a second at most. Returns the request; null: none came. It throws at the end of the connection. */
        abstract Integer receive() throws Exception;

        @Override
        public void run() {
            try (channel) {
                for (;;) {
                    Integer request = receive();
                    if (request != null) {
                        answer(request);
                    }
                }
            } catch (EOFException e) {
                // the client is done
            } catch (Exception e) {
                e.printStackTrace(); // the client notices the end of the connection
            }
        }

        private void answer(int request) throws IOException {
            long answer = request == COUNT ? served.get() : ++requests << 32 | request;
            if (request != COUNT) {
                served.incrementAndGet();
            }
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, answer);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    private final class Reader extends Connection {
        private final InputStream in;

        Reader(SocketChannel channel) throws IOException {
            super(channel);
            channel.socket().setSoTimeout(WAIT_MILLIS);
            in = channel.socket().getInputStream();
        }

        /** The client sends a request at once, so the time can end only before its first byte. */
        @Override
        Integer receive() throws IOException {
            byte[] bytes = new byte[Integer.BYTES];
            try {
                if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
                    throw new EOFException();
                }
                return ByteBuffer.wrap(bytes).getInt();
            } catch (SocketTimeoutException e) {
                return null;
            }
        }
    }

    private final class Poller extends Connection {
        private final BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        private final ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES); // of the selector's thread

        Poller(SocketChannel channel) throws IOException {
            super(channel);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
            selector.wakeup();
        }

        void fill(SelectionKey key) {
            try {
                if (channel.read(bytes) < 0) {
                    throw new EOFException();
                }
                if (!bytes.hasRemaining()) {
                    queue.add(bytes.getInt(0));
                    bytes.clear();
                }
            } catch (IOException e) {
                key.cancel();
                queue.add(END);
            }
        }

        @Override
        Integer receive() throws Exception {
            Integer request = queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (request != null && request == END) {
                throw new EOFException();
            }
            return request;
        }
    }
}
