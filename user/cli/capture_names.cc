// SPDX-License-Identifier: Apache-2.0
#include "cli/capture_names.h"

#include <sys/utsname.h>

#include <array>

#include "ingest/byte_source.h"
#include "symbolize/kernel_symbols_builder.h"

namespace nettoll {
namespace {

std::optional<uint64_t> address_of(const KernelSymbols& symbols, std::string_view name) {
  std::optional<uint64_t> address;
  symbols.for_each_named(name, [&](const Hit& hit) {
    if (hit.module == kVmlinux) address = hit.start;
  });
  return address;
}

}  // namespace

Status CaptureNames::load_given() {
  if (options_.kallsyms.empty()) return {};
  auto source = open_file(options_.kallsyms, "name a copy of that host's /proc/kallsyms");
  if (!source) return source.error();
  KernelSymbolsBuilder builder;
  std::vector<uint8_t> piece(256 << 10);
  for (;;) {
    const auto got = (*source)->read(piece);
    if (!got) return failure(fmt::format("{}: {}", options_.kallsyms, got.error().message));
    if (*got == 0) break;
    builder.add({reinterpret_cast<const char*>(piece.data()), *got});
  }
  if (!(*source)->damage().empty())
    return failure(fmt::format("{}: {}", options_.kallsyms, (*source)->damage()), "copy the file again");
  auto symbols = builder.finish();
  if (!symbols)
    return failure(fmt::format("{}: {}", options_.kallsyms, symbols.error().message),
                   "copy /proc/kallsyms as root, on the host and in the boot of the capture");
  symbols_ = std::move(*symbols);
  return {};
}

void CaptureNames::load_host(const CaptureFacts& facts, KernelIdentity& identity) {
  if (const auto notes = fs_.read("/sys/kernel/notes")) identity.build_id = build_id_of_notes(*notes);
  utsname names{};
  if (::uname(&names) == 0) identity.release = names.release;
  const bool other_build = !facts.kernel_build_id.empty() && !identity.build_id.empty() &&
                           facts.kernel_build_id != identity.build_id;
  const bool other_release =
      (facts.kernel_build_id.empty() || identity.build_id.empty()) && facts.release != identity.release;
  if (other_build || other_release) return;  // ten megabytes that would not be used
  auto symbols = KernelSymbols::load(fs_);
  if (symbols)
    symbols_ = std::move(*symbols);
  else
    without_symbols_ = UnnamedCause::zeroed_kallsyms;
}

std::vector<std::string> CaptureNames::prepare(const CaptureFacts& facts) {
  const KernelIdentity capture{facts.kernel_build_id, facts.release,
                               facts.reference ? std::optional(facts.reference->address) : std::nullopt};
  KernelIdentity mine;
  const SymbolOrigin origin = symbols_ ? SymbolOrigin::given : SymbolOrigin::host;
  if (origin == SymbolOrigin::host) load_host(facts, mine);
  if (symbols_ && facts.reference) mine.reference = address_of(*symbols_, facts.reference->name);
  match_ = match_kernel(capture, mine, origin);
  if (match_.use && !symbols_) {
    match_.use = false;
    match_.note = "kernel functions have no names: /proc/kallsyms hides its addresses; run as root";
  }
  if (symbols_) symbols_->for_each_function([&](const Hit& hit) { modules_.emplace(hit.module); });
  if (match_.note.empty()) return {};
  return {match_.note};
}

CodeName CaptureNames::kernel(uint64_t address, std::string_view module) {
  if (!match_.use) return without_symbols_;
  const bool of_module = !module.empty();
  if (of_module && !match_.modules) return UnnamedCause::no_module_symbols;
  const auto hit = symbols_->find(of_module ? address : address - match_.shift);
  if (!of_module) ++(hit ? kernel_found_ : kernel_missed_);
  if (!hit)
    return of_module && !modules_.contains(std::string(module)) ? UnnamedCause::no_module_symbols
                                                                : UnnamedCause::kernel_hole;
  const bool in_vmlinux = hit->module == kVmlinux;
  if (!in_vmlinux && !match_.modules) return UnnamedCause::no_module_symbols;
  // Where a module was mapped, only its own functions can be; kallsyms of another boot has others there.
  if (of_module && hit->kind == SymbolKind::kernel && hit->module != module)
    return UnnamedCause::no_module_symbols;
  return Symbol{std::string(hit->name), std::string(hit->module), hit->kind};
}

std::vector<std::string> CaptureNames::remarks() const {
  if (options_.kallsyms.empty() || kernel_missed_ <= kernel_found_) return {};
  return {
      fmt::format("of {} addresses of the kernel {} lie in functions of {}: it is of another kernel or boot, "
                  "and the names that it gives are wrong",
                  kernel_found_ + kernel_missed_, kernel_found_, options_.kallsyms)};
}

CodeName CaptureNames::user(const MappedFile& mapped, uint64_t file_offset) {
  const File& file = file_of(mapped);
  if (!file.symbols) return file.cause;
  auto name = file.symbols->find(file_offset);
  if (!name) return UnnamedCause::stripped;
  return Symbol{std::move(*name), mapped.path, SymbolKind::user};
}

const CaptureNames::File& CaptureNames::file_of(const MappedFile& mapped) {
  const auto [place, is_new] = files_.try_emplace(mapped.path + '\n' + mapped.build_id);
  File& file = place->second;
  if (!is_new) return file;
  auto symbols = ElfSymbols::load(options_.symfs, mapped.path);
  if (!symbols) return file;
  if (!mapped.build_id.empty() && !symbols->build_id().starts_with(mapped.build_id) &&
      !symbols->build_id().empty()) {
    file.cause = UnnamedCause::other_file;
    return file;
  }
  file.symbols = std::move(*symbols);
  return file;
}

}  // namespace nettoll
