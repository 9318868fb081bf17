// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/http_reply.h"

#include <charconv>
#include <optional>
#include <utility>

namespace nettoll::exporter {
namespace {

constexpr const char* kExposition = "text/plain; version=0.0.4; charset=utf-8";

std::shared_ptr<const std::string> body(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// Cuts the part before `separator` off the front of `rest`.
std::string_view next_part(std::string_view& rest, char separator) {
  const size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = trim(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

bool same_word(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

/// The weight among a coding's parameters: 1 where there is none, 0 for nonsense.
double weight_of(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view value = next_part(parameters, ';');
    if (!same_word(next_part(value, '='), "q")) continue;
    double weight = 0;
    const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), weight);
    return ec == std::errc() && end == value.data() + value.size() ? weight : 0;
  }
  return 1;
}

HttpReply metrics(const HttpRequest& request, const HttpSources& sources) {
  HttpReply reply;
  reply.content_type = kExposition;
  reply.varies = true;
  const auto snapshot = sources.scrape();
  reply.gzip = !snapshot->gzip.empty() && accepts_gzip(request.accept_encoding);
  // Shares the snapshot's life and points into it.
  reply.body = {snapshot, reply.gzip ? &snapshot->gzip : &snapshot->text};
  return reply;
}

HttpReply healthz(const HttpSources& sources) {
  HttpReply reply;
  const Health health = sources.health();
  reply.status = health.ok ? 200 : 503;
  reply.body = body(health.ok ? "ok\n" : health.reason + "\n");
  return reply;
}

HttpReply landing_page(const HttpSources& sources) {
  HttpReply reply;
  reply.content_type = "text/html; charset=utf-8";
  reply.body = body(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta "
      "charset=\"utf-8\"><title>nettoll</title></head>\n<body>\n"
      "<h1>nettoll</h1>\n<p>What every kernel networking function costs the hardware. Version " +
      sources.version +
      ".</p>\n<ul>\n<li><a href=\"/metrics\">Metrics</a></li>\n<li><a "
      "href=\"/healthz\">Health</a></li>\n</ul>\n"
      "</body>\n</html>\n");
  return reply;
}

HttpReply plain_error(int status, std::string text) {
  HttpReply reply;
  reply.status = status;
  reply.body = body(std::move(text));
  return reply;
}

}  // namespace

HttpReply unauthorized() {
  return plain_error(401, "a user and a password are needed\n");
}

HttpReply too_many_checks() {
  HttpReply reply = plain_error(503, "too many passwords are being checked; try again\n");
  reply.retry = true;
  return reply;
}

HttpReply cannot_render() {
  return plain_error(500, "cannot render\n");
}

bool accepts_gzip(std::string_view accept_encoding) {
  std::optional<double> gzip;
  std::optional<double> any;
  while (!accept_encoding.empty()) {
    std::string_view rest = next_part(accept_encoding, ',');
    const std::string_view coding = next_part(rest, ';');
    if (same_word(coding, "gzip") || same_word(coding, "x-gzip")) gzip = weight_of(rest);
    if (coding == "*") any = weight_of(rest);
  }
  return gzip ? *gzip > 0 : any.value_or(0) > 0;
}

HttpReply reply_to(const HttpRequest& request, const HttpSources& sources) {
  const bool known = request.path == "/metrics" || request.path == "/healthz" || request.path == "/";
  if (!known) return plain_error(404, "not found; see /metrics, /healthz or /\n");
  if (request.method != "GET" && request.method != "HEAD") {
    HttpReply reply = plain_error(405, "only GET and HEAD are answered\n");
    reply.allow = true;
    return reply;
  }
  if (request.path == "/metrics") return metrics(request, sources);
  if (request.path == "/healthz") return healthz(sources);
  return landing_page(sources);
}

}  // namespace nettoll::exporter
