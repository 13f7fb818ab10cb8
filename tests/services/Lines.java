package services;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection that carries lines of text. One thread at a time may use it. */
final class Lines implements Closeable {
    private final Socket socket;
    private final BufferedReader in;

    /** The object closes the socket. */
    Lines(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    static Lines connect(int port) throws IOException {
        return new Lines(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Returns null at the end of the connection. */
    String receive() throws IOException {
        return in.readLine();
    }

    void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Sends a request and returns the answer to it. */
    String ask(String line) throws IOException {
        send(line);
        String answer = receive();
        if (answer == null) {
            throw new EOFException("the server has ended the connection");
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
