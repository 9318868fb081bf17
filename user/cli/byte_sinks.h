// SPDX-License-Identifier: Apache-2.0
// Where commands write what they make.
#pragma once

#include <utility>

#include "base/atomic_file.h"
#include "base/byte_sink.h"
#include "cli/output.h"

namespace nettoll {

class StandardOutSink : public ByteSink {
 public:
  Status write(std::string_view bytes) override { return print_out(bytes); }
};

/// A file that appears once it is committed.
class FileSink : public ByteSink {
 public:
  explicit FileSink(AtomicFile file) : file_(std::move(file)) {}

  Status write(std::string_view bytes) override { return file_.append(bytes); }
  Status commit() { return file_.commit(); }

 private:
  AtomicFile file_;
};

}  // namespace nettoll
