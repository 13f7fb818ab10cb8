package services;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A servlet for Tomcat. Each request looks prices up in a cache that a monitor guards, and answers with a page of
 * LENGTH bytes. {@code /shop?count} answers with the number of pages.
 */
public final class Shop extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int LENGTH = 4096;
    private static final int PRICES = 200;

    private final transient Map<Integer, String> cache = new LinkedHashMap<>();
    private final transient AtomicLong pages = new AtomicLong();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        if ("count".equals(request.getQueryString())) {
            response.getOutputStream().print(pages.get());
            return;
        }
        StringBuilder page = new StringBuilder(LENGTH);
        for (int i = 0; page.length() < LENGTH; i++) {
            page.append(findPrice(i % PRICES)).append('\n');
        }
        page.setLength(LENGTH);
        pages.incrementAndGet();
        response.setContentType("text/plain");
        response.setContentLength(LENGTH);
        response.getOutputStream().write(page.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private String findPrice(int number) {
        synchronized (cache) {
            return cache.computeIfAbsent(number, n -> "item " + n + " costs " + n * 37 % 101);
        }
    }
}
