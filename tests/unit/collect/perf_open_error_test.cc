// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_open_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace nettoll {
namespace {

using testing::HasSubstr;

TEST(OpenError, SaysWhyAndWhatHelps) {
  OpenContext bare;
  bare.paranoid = 3;
  bare.descriptors_needed = 1400;
  bare.descriptor_limit = 1024;
  OpenContext with_pmu = bare;
  with_pmu.cpu_pmu = true;
  const struct {
    EventKind kind;
    int precise;
    int code;
    const OpenContext& context;
    const char* says;
  } cases[] = {
      {EventKind::cpu, 0, ENOENT, bare, "shows no hardware PMU"},
      {EventKind::cpu, 0, ENOENT, with_pmu, "does not have this event"},
      {EventKind::software, 0, ENOENT, bare, "kernel does not have this event"},
      {EventKind::cpu, 0, EACCES, bare, "perf_event_paranoid is 3"},
      {EventKind::cpu, 0, EPERM, OpenContext{}, "perf_event_paranoid is not readable"},
      {EventKind::cpu, 0, EPERM, bare, "CAP_PERFMON"},
      {EventKind::cpu, 0, EMFILE, bare, "need 1400 and the limit is 1024"},
      {EventKind::cpu, 0, ENFILE, bare, "fs.file-max"},
      {EventKind::cpu, 0, EBUSY, bare, "nmi_watchdog"},
      {EventKind::other, 0, EINVAL, bare, "counted but not sampled"},
      {EventKind::cpu, 0, EOPNOTSUPP, with_pmu, "no overflow interrupt"},
      {EventKind::cpu, 2, EOPNOTSUPP, with_pmu, "modifier p"},
      {EventKind::other, 0, EOPNOTSUPP, with_pmu, "not sample it"},
      {EventKind::cpu, 0, ENODEV, with_pmu, "no CPU that is online"},
      {EventKind::cpu, 0, EIO, with_pmu, "Input/output error"},
  };
  for (const auto& c : cases) {
    EventSpec spec;
    spec.kind = c.kind;
    spec.precise = static_cast<uint8_t>(c.precise);
    EXPECT_THAT(explain_open_error(spec, c.code, c.context), HasSubstr(c.says));
  }
}

}  // namespace
}  // namespace nettoll
