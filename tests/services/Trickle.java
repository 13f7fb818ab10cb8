package services;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of IdleServer: {@code Trickle PORT CLIENTS CONNECTIONS}. The clients share the connections out. Each makes a
 * request over the next one of its connections, and then rests. At the end every connection is used once more, and it
 * prints {@code answer lost NUMBER} and {@code answer connections NUMBER}: requests that the server has not counted,
 * and connections that answered.
 */
final class Trickle {
    private static final int REST_MILLIS = 80; // 8 clients make about 100 requests a second

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        int clients = Integer.parseInt(args[1]);
        List<Line> lines = new ArrayList<>();
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            callers.add(new Caller());
        }
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            Line line = new Line(port);
            line.call(); // so that its thread exists in the server
            lines.add(line);
            callers.get(i % clients).lines.add(line);
        }
        new Clients(callers).obey();
        long sent = 0;
        for (Line line : lines) {
            line.call();
            sent += line.requests;
        }
        System.out.println("answer lost " + (sent - lines.get(0).ask(IdleServer.COUNT)));
        System.out.println("answer connections " + lines.size());
        for (Line line : lines) {
            line.socket.close();
        }
    }

    private static final class Line {
        private final Socket socket;
        private final DataInputStream in;
        private int requests;

        Line(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
        }

        long ask(int request) throws IOException {
            socket.getOutputStream().write(ByteBuffer.allocate(Integer.BYTES).putInt(0, request).array());
            return in.readLong();
        }

        void call() throws IOException {
            int request = ++requests * 31 & Integer.MAX_VALUE;
            long answer = ask(request);
            if (answer != ((long) requests << 32 | request)) {
                throw new IllegalStateException("request " + request + " has the answer " + answer);
            }
        }
    }

    private static final class Caller implements Clients.Client {
        private final List<Line> lines = new ArrayList<>();
        private int next;

        @Override
        public void request() throws IOException {
            lines.get(next++ % lines.size()).call();
        }

        @Override
        public long rest(long now) throws InterruptedException {
            Thread.sleep(REST_MILLIS);
            return System.nanoTime();
        }
    }
}
