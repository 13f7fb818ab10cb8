#pragma once
/* A port for a server of a test. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gtest/gtest.h"

/* FindFreePort returns a port of loopback that no process listens on now. */
inline int FindFreePort() {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto *any = reinterpret_cast<struct sockaddr *>(&address);
  EXPECT_EQ(bind(fd, any, size), 0);
  EXPECT_EQ(getsockname(fd, any, &size), 0);
  close(fd);
  return ntohs(address.sin_port);
}
