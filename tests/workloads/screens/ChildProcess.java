package screens;

import java.io.IOException;

/** A program that waits for another process. */
public final class ChildProcess {
  public static void main(String[] args) throws IOException, InterruptedException {
    runTool("1.5");
  }

  private static void runTool(String seconds) throws IOException, InterruptedException {
    new ProcessBuilder("sleep", seconds).start().waitFor();
  }
}
