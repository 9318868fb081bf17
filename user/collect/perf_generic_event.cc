// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_generic_event.h"

#include <linux/perf_event.h>
#include <strings.h>

#include <array>
#include <span>

namespace nettoll {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

struct Plain {
  std::string_view name;
  std::string_view other;  ///< a second spelling, or empty
  uint32_t type;
  uint64_t config;
};

// `dummy` and `bpf-output` of the kernel's list count nothing and are left out.
constexpr Plain kPlain[] = {
    {"cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"ref-cycles", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"cpu-clock", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cgroup-switches", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES},
};

enum Op { kRead = 1, kWrite = 2, kPrefetch = 4 };

struct Words {
  std::array<std::string_view, 5> words;  ///< the first is canonical; unused ones are empty
  uint64_t code;
  int ops = 0;  ///< for caches: which operations the kernel knows there
};

// The tables of perf's evsel__hw_cache, with the operations of evsel__hw_cache_stat: a read of the
// instruction side is a fetch, and there are no writes to it.
constexpr Words kCaches[] = {
    {{"L1-dcache", "l1-d", "l1d", "L1-data"}, PERF_COUNT_HW_CACHE_L1D, kRead | kWrite | kPrefetch},
    {{"L1-icache", "l1-i", "l1i", "L1-instruction"}, PERF_COUNT_HW_CACHE_L1I, kRead | kPrefetch},
    {{"LLC", "L2"}, PERF_COUNT_HW_CACHE_LL, kRead | kWrite | kPrefetch},
    {{"dTLB", "d-tlb", "Data-TLB"}, PERF_COUNT_HW_CACHE_DTLB, kRead | kWrite | kPrefetch},
    {{"iTLB", "i-tlb", "Instruction-TLB"}, PERF_COUNT_HW_CACHE_ITLB, kRead},
    {{"branch", "branches", "bpu", "btb", "bpc"}, PERF_COUNT_HW_CACHE_BPU, kRead},
    {{"node"}, PERF_COUNT_HW_CACHE_NODE, kRead | kWrite | kPrefetch},
};

constexpr Words kOps[] = {
    {{"load", "loads", "read"}, PERF_COUNT_HW_CACHE_OP_READ},
    {{"store", "stores", "write"}, PERF_COUNT_HW_CACHE_OP_WRITE},
    {{"prefetch", "prefetches", "speculative-read", "speculative-load"}, PERF_COUNT_HW_CACHE_OP_PREFETCH},
};

constexpr Words kResults[] = {
    {{"refs", "Reference", "ops", "access"}, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
    {{"misses", "miss"}, PERF_COUNT_HW_CACHE_RESULT_MISS},
};

/// Takes one of the words from the front of `text`, which must end there or go on with a '-'. Longest first,
/// so that "loads" is not "load" with a rest.
const Words* take_word(std::span<const Words> table, std::string_view& text) {
  const Words* found = nullptr;
  size_t length = 0;
  for (const Words& entry : table) {
    for (const std::string_view word : entry.words) {
      if (word.size() <= length || word.size() > text.size() || !same_word(word, text.substr(0, word.size())))
        continue;
      if (word.size() < text.size() && text[word.size()] != '-') continue;
      found = &entry;
      length = word.size();
    }
  }
  if (found) text.remove_prefix(length == text.size() ? length : length + 1);
  return found;
}

/// perf's spelling: "LLC-loads", "LLC-load-misses", "L1-dcache-prefetches".
std::string cache_name(const Words& cache, const Words& op, bool miss) {
  std::string name(cache.words[0]);
  name += '-';
  name += miss ? op.words[0] : op.words[1];
  if (miss) name += "-misses";
  return name;
}

std::optional<GenericEvent> cache_event(const Words& cache, const Words& op, const Words& result) {
  if (!(cache.ops >> op.code & 1)) return std::nullopt;
  return GenericEvent{cache_name(cache, op, result.code == PERF_COUNT_HW_CACHE_RESULT_MISS),
                      PERF_TYPE_HW_CACHE, cache.code | op.code << 8 | result.code << 16};
}

/// cache[-op][-result], op and result in either order; a load and an access where they are left out.
std::optional<GenericEvent> find_cache_event(std::string_view text) {
  if (text.empty() || text.back() == '-') return std::nullopt;
  const Words* cache = take_word(kCaches, text);
  if (!cache) return std::nullopt;
  const Words* op = nullptr;
  const Words* result = nullptr;
  while (!text.empty()) {
    const Words* word = op ? nullptr : take_word(kOps, text);
    if (word) {
      op = word;
      continue;
    }
    word = result ? nullptr : take_word(kResults, text);
    if (!word) return std::nullopt;
    result = word;
  }
  return cache_event(*cache, op ? *op : kOps[0], result ? *result : kResults[0]);
}

}  // namespace

std::optional<GenericEvent> find_generic_event(std::string_view name) {
  for (const Plain& plain : kPlain) {
    if (same_word(name, plain.name) || (!plain.other.empty() && same_word(name, plain.other)))
      return GenericEvent{std::string(plain.name), plain.type, plain.config};
  }
  return find_cache_event(name);
}

std::vector<std::string> generic_event_names() {
  std::vector<std::string> names;
  for (const Plain& plain : kPlain) names.emplace_back(plain.name);
  for (const Words& cache : kCaches) {
    for (const Words& op : kOps) {
      for (const Words& result : kResults) {
        if (auto event = cache_event(cache, op, result)) names.push_back(std::move(event->name));
      }
    }
  }
  return names;
}

}  // namespace nettoll
