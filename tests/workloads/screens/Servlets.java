package screens;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URL;

/**
 * Tomcat: each request waits for a report that one request at a time can write. The clients are another
 * process. Tomcat is used by reflection, because it is not on every machine.
 */
public final class Servlets {
  private static final int CLIENTS = 6, REQUESTS = 5;
  private static final Object PRINTER = new Object();

  public static void main(String[] args) throws Exception {
    if (args.length > 1) {
      startClients(Integer.parseInt(args[0]));
      return;
    }
    Class<?> type = Class.forName("org.apache.catalina.startup.Tomcat");
    Object tomcat = type.getConstructor().newInstance();
    type.getMethod("setBaseDir", String.class).invoke(tomcat, args[0]);
    type.getMethod("setPort", int.class).invoke(tomcat, 0);
    Object context = type.getMethod("addContext", String.class, String.class).invoke(tomcat, "", new File(args[0]).getAbsolutePath());
    Class<?> servlet = Class.forName("jakarta.servlet.Servlet");
    Object report = Proxy.newProxyInstance(servlet.getClassLoader(), new Class<?>[] {servlet}, (proxy, method, words) -> {
      if (method.getName().equals("service")) writeReport();
      return null;
    });
    Class<?> contextType = Class.forName("org.apache.catalina.Context");
    type.getMethod("addServlet", contextType, String.class, servlet).invoke(null, context, "report", report);
    contextType.getMethod("addServletMappingDecoded", String.class, String.class).invoke(context, "/report", "report");
    type.getMethod("getConnector").invoke(tomcat);
    type.getMethod("start").invoke(tomcat);
    Object connector = type.getMethod("getConnector").invoke(tomcat);
    int port = (Integer) connector.getClass().getMethod("getLocalPort").invoke(connector);
    String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "screens.Servlets", "" + port, "clients")
        .inheritIO().start().waitFor();
    System.out.println("done");
    System.exit(0);
  }

  private static void writeReport() throws InterruptedException {
    synchronized (PRINTER) {
      Thread.sleep(80);
    }
  }

  private static void startClients(int port) throws InterruptedException {
    Thread[] clients = new Thread[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      clients[i] = new Thread(() -> ask(port), "client-" + (i + 1));
      clients[i].start();
    }
    for (Thread client : clients) client.join();
  }

  private static void ask(int port) {
    try {
      for (int i = 0; i < REQUESTS; i++) {
        URL url = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, "/report");
        try (InputStream in = url.openStream()) {
          while (in.read() >= 0) continue;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
