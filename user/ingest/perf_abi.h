// SPDX-License-Identifier: Apache-2.0
// The numbers of perf.data: include/uapi/linux/perf_event.h up to Linux 6.17, and of perf itself
// tools/perf/util/header.h and tools/lib/perf/include/perf/event.h. They stand here under names of our own
// since a capture may be newer than the headers that nettoll is built with.
#pragma once

#include <cstdint>

namespace nettoll::perf {

// Types of records.
enum RecordType : uint32_t {
  kMmap = 1,
  kLost = 2,
  kComm = 3,
  kExit = 4,
  kThrottle = 5,
  kUnthrottle = 6,
  kFork = 7,
  kRead = 8,
  kSample = 9,
  kMmap2 = 10,
  kAux = 11,
  kItraceStart = 12,
  kLostSamples = 13,
  kSwitch = 14,
  kSwitchCpuWide = 15,
  kNamespaces = 16,
  kKsymbol = 17,
  kBpfEvent = 18,
  kCgroup = 19,
  kTextPoke = 20,
  kAuxOutputHwId = 21,
  kCallchainDeferred = 22,
  // From here on perf's own.
  kHeaderAttr = 64,
  kHeaderEventType = 65,
  kHeaderTracingData = 66,
  kHeaderBuildId = 67,
  kFinishedRound = 68,
  kIdIndex = 69,
  kAuxtraceInfo = 70,
  kAuxtrace = 71,
  kAuxtraceError = 72,
  kThreadMap = 73,
  kCpuMap = 74,
  kStatConfig = 75,
  kStat = 76,
  kStatRound = 77,
  kEventUpdate = 78,
  kTimeConv = 79,
  kHeaderFeature = 80,
  kCompressed = 81,
  kFinishedInit = 82,
  kCompressed2 = 83,
  kBpfMetadata = 84,
  kRecordTypes = 85,
};

// struct perf_event_header.
inline constexpr size_t kRecordHeaderBytes = 8;

// perf_event_header::misc.
inline constexpr uint16_t kMiscCpuMode = 7;
enum CpuMode : uint8_t {
  kModeUnknown = 0,
  kModeKernel = 1,
  kModeUser = 2,
  kModeHypervisor = 3,
  kModeGuestKernel = 4,
  kModeGuestUser = 5,
};
inline constexpr uint16_t kMiscCommExec = 1 << 13;     // of kComm
inline constexpr uint16_t kMiscMmapBuildId = 1 << 14;  // of kMmap2

// perf_event_attr::sample_type.
enum SampleBit : uint64_t {
  kIp = 1u << 0,
  kTid = 1u << 1,
  kTime = 1u << 2,
  kAddr = 1u << 3,
  kReadValues = 1u << 4,
  kCallchain = 1u << 5,
  kId = 1u << 6,
  kCpu = 1u << 7,
  kPeriod = 1u << 8,
  kStreamId = 1u << 9,
  kRaw = 1u << 10,
  kBranchStack = 1u << 11,
  kRegsUser = 1u << 12,
  kStackUser = 1u << 13,
  kWeight = 1u << 14,
  kDataSrc = 1u << 15,
  kIdentifier = 1u << 16,
};

// perf_event_attr::read_format.
enum ReadBit : uint64_t {
  kTotalTimeEnabled = 1u << 0,
  kTotalTimeRunning = 1u << 1,
  kReadId = 1u << 2,
  kReadGroup = 1u << 3,
  kReadLost = 1u << 4,
  kKnownReadBits = (1u << 5) - 1,
};

// Bits of the flags of perf_event_attr, counted from the first.
enum AttrFlag : unsigned {
  kFlagInherit = 1,
  kFlagExcludeUser = 4,
  kFlagExcludeKernel = 5,
  kFlagFreq = 10,
  kFlagSampleIdAll = 18,
};

// perf_event_attr::type.
enum EventType : uint32_t {
  kHardware = 0,
  kSoftware = 1,
  kTracepoint = 2,
  kHwCache = 3,
  kRawEvent = 4,
  kBreakpoint = 5
};
inline constexpr uint64_t kCpuClock = 0;  // of kSoftware
inline constexpr uint64_t kTaskClock = 1;

// Entries of a call chain that are no address but say of which mode the next ones are.
enum ContextMarker : uint64_t {
  kContextHypervisor = static_cast<uint64_t>(-32),
  kContextKernel = static_cast<uint64_t>(-128),
  kContextUser = static_cast<uint64_t>(-512),
  kContextUserDeferred = static_cast<uint64_t>(-640),
  kContextGuest = static_cast<uint64_t>(-2048),
  kContextGuestKernel = static_cast<uint64_t>(-2176),
  kContextGuestUser = static_cast<uint64_t>(-2560),
  kContextMax = static_cast<uint64_t>(-4095),  // this and all above are markers
};

// HEADER_* features of the file.
enum Feature : unsigned {
  kTracingData = 1,
  kBuildId = 2,
  kHostname = 3,
  kOsRelease = 4,
  kVersion = 5,
  kArch = 6,
  kNrCpus = 7,
  kCpuDesc = 8,
  kCpuId = 9,
  kCmdline = 11,
  kEventDesc = 12,
  kPmuMappings = 15,
  kClockData = 29,
  kFeatureBits = 256,
};

// kEventUpdate.
inline constexpr uint64_t kUpdateName = 2;

}  // namespace nettoll::perf
