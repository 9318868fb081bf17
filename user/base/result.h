// SPDX-License-Identifier: Apache-2.0
// Errors as values. The interface follows std::expected (C++23), which this project can move to when C++23 is
// the floor; until then the few members in use are here, since Debian 12 ships no package of tl::expected.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

namespace nettoll {

/// Who has to act: the person who typed the command (exit status 2) or the one who runs the host (exit status
/// 1).
enum class ErrorKind { usage, failure };

/// What failed and on what (`message`), and what to do next (`remedy`, may be empty). `code` is the errno
/// where there was one, else 0.
struct Error {
  std::string message;
  std::string remedy;
  ErrorKind kind = ErrorKind::failure;
  int code = 0;

  /// One line for a person: "message; remedy".
  std::string text() const { return remedy.empty() ? message : message + "; " + remedy; }
};

inline Error usage_error(std::string message, std::string remedy = {}) {
  return Error{std::move(message), std::move(remedy), ErrorKind::usage, 0};
}
inline Error failure(std::string message, std::string remedy = {}) {
  return Error{std::move(message), std::move(remedy), ErrorKind::failure, 0};
}
/// strerror(3), and names for the errors that the kernel keeps to itself and yet returns from bpf(2) and
/// perf_event_open(2) (include/linux/errno.h).
inline std::string error_name(int code) {
  constexpr int kNotSupported = 524;  // ENOTSUPP
  return code == kNotSupported ? "Operation is not supported" : std::strerror(code);
}

/// An error of a system call: "message: error_name(code)".
inline Error system_error(std::string message, int code, std::string remedy = {}) {
  return Error{fmt::format("{}: {}", message, error_name(code)), std::move(remedy), ErrorKind::failure, code};
}

/// A value or the Error that kept it from being. Must be looked at.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return error_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const& { return std::get<1>(error_); }
  Error&& error() && { return std::get<1>(std::move(error_)); }

 private:
  std::variant<std::monostate, Error> error_;
};

using Status = Result<void>;

}  // namespace nettoll
