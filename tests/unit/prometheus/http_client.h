// SPDX-License-Identifier: Apache-2.0
// A client for one request over the loopback.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>

#include "base/unique_fd.h"

namespace nettoll::exporter {

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

inline void connect_by(const UniqueFd& fd, uint16_t port) {
  const timeval limit{20, 0};
  (void)::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("connect failed");
  }
}

inline UniqueFd connect_to(uint16_t port) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  connect_by(fd, port);
  return fd;
}

inline void send_text(const UniqueFd& fd, const std::string& text) {
  if (::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("send failed");
  }
}

inline std::string receive_all(const UniqueFd& fd) {
  std::string text;
  char buffer[16384];
  for (ssize_t got = 0; (got = ::recv(fd.get(), buffer, sizeof buffer, 0)) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

inline HttpResponse parse_response(const std::string& text) {
  HttpResponse response;
  const size_t end = text.find("\r\n\r\n");
  if (text.rfind("HTTP/1.1 ", 0) != 0 || end == std::string::npos)
    throw std::runtime_error("no response: " + text);
  response.status = std::stoi(text.substr(9));
  response.body = text.substr(end + 4);
  for (size_t at = text.find("\r\n"); at < end;) {
    const size_t next = text.find("\r\n", at + 2);
    const std::string line = text.substr(at + 2, next - at - 2);
    const size_t colon = line.find(": ");
    std::string name = line.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (colon != std::string::npos) response.headers[name] = line.substr(colon + 2);
    at = next;
  }
  return response;
}

/// `headers` are whole lines with their \r\n.
inline HttpResponse request(uint16_t port, const std::string& method, const std::string& path,
                            const std::string& headers = {}, const std::string& body = {}) {
  const UniqueFd fd = connect_to(port);
  send_text(fd, method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers +
                    "\r\n" + body);
  return parse_response(receive_all(fd));
}

}  // namespace nettoll::exporter
