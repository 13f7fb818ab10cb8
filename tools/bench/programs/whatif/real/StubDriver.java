package whatif.real;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/** A driver whose connections do nothing, so that a program measures the pool alone. */
public final class StubDriver implements Driver, InvocationHandler {
  static final String URL = "jdbc:stub:";

  static {
    try {
      DriverManager.registerDriver(new StubDriver());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Connection connect(String url, Properties properties) {
    if (!acceptsURL(url)) return null;
    return (Connection)
        Proxy.newProxyInstance(
            StubDriver.class.getClassLoader(), new Class<?>[] {Connection.class}, new StubDriver());
  }

  /** Answers each call with a value that means: all is well. */
  @Override
  public Object invoke(Object proxy, Method method, Object[] args) {
    switch (method.getName()) {
      case "hashCode":
        return System.identityHashCode(proxy);
      case "equals":
        return proxy == args[0];
      case "toString":
        return "stub";
      case "getAutoCommit":
      case "isValid":
        return true;
      default:
        break;
    }
    Class<?> type = method.getReturnType();
    if (type == boolean.class) return false;
    if (type == int.class) return 0;
    if (type == long.class) return 0L;
    return null;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(URL);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }
}
