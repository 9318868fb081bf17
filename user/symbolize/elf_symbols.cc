// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/unique_fd.h"
#include "symbolize/demangle.h"

namespace nettoll {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { ::elf_end(elf); }
};

/// An open ELF file.
struct ElfFile {
  UniqueFd fd;
  std::unique_ptr<Elf, ElfEnd> elf;
};

Result<ElfFile> open_elf(const std::string& path) {
  ::elf_version(EV_CURRENT);
  ElfFile file;
  file.fd.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.fd) return system_error(fmt::format("{}: cannot be opened", path), errno);
  file.elf.reset(::elf_begin(file.fd.get(), ELF_C_READ_MMAP, nullptr));
  if (!file.elf || ::elf_kind(file.elf.get()) != ELF_K_ELF)
    return failure(fmt::format("{}: is no ELF file", path));
  return file;
}

/// The section of a type, and its header.
Elf_Scn* section_of(Elf* elf, uint32_t type, GElf_Shdr& header) {
  for (Elf_Scn* section = ::elf_nextscn(elf, nullptr); section; section = ::elf_nextscn(elf, section)) {
    if (::gelf_getshdr(section, &header) && header.sh_type == type) return section;
  }
  return nullptr;
}

std::string build_id_of(Elf* elf) {
  GElf_Shdr header;
  for (Elf_Scn* section = ::elf_nextscn(elf, nullptr); section; section = ::elf_nextscn(elf, section)) {
    if (!::gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE) continue;
    Elf_Data* const data = ::elf_getdata(section, nullptr);
    size_t at = 0;
    GElf_Nhdr note;
    size_t name = 0;
    size_t description = 0;
    while (data && (at = ::gelf_getnote(data, at, &note, &name, &description)) > 0) {
      const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
      if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || std::memcmp(bytes + name, "GNU", 4) != 0)
        continue;
      std::string hex;
      for (size_t i = 0; i < note.n_descsz; ++i) hex += fmt::format("{:02x}", bytes[description + i]);
      return hex;
    }
  }
  return "";
}

/// "<root>/usr/lib/debug/.build-id/ab/cdef.debug", "<file>.debug" and "<root>/usr/lib/debug/<file>.debug".
std::vector<std::string> debug_files(const std::string& root, const std::string& path,
                                     const std::string& build_id) {
  std::vector<std::string> files;
  if (build_id.size() > 2)
    files.push_back(fmt::format("{}/usr/lib/debug/.build-id/{}/{}.debug", root, build_id.substr(0, 2),
                                build_id.substr(2)));
  files.push_back(fmt::format("{}{}.debug", root, path));
  files.push_back(fmt::format("{}/usr/lib/debug{}.debug", root, path));
  return files;
}

/// How well a name says what runs at a place; the order is that of choose_best_symbol() in
/// tools/perf/util/symbol.c.
uint8_t rank_of(const GElf_Sym& symbol, std::string_view name) {
  const auto binding = GELF_ST_BIND(symbol.st_info);
  const size_t underscores = std::min<size_t>(std::min(name.find_first_not_of('_'), name.size()), 15);
  return static_cast<uint8_t>((symbol.st_size == 0 ? 128 : 0) | (binding == STB_WEAK ? 64 : 0) |
                              (binding == STB_LOCAL ? 32 : 0) | underscores);
}

}  // namespace

/// Fills an ElfSymbols.
class ElfReader {
 public:
  ElfReader(Elf* program, ElfSymbols& symbols) : symbols_(symbols) {
    size_t count = 0;
    ::elf_getphdrnum(program, &count);
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (::gelf_getphdr(program, static_cast<int>(i), &header) && header.p_type == PT_LOAD)
        loads_.push_back(header);
    }
  }

  void add(Elf* elf, Elf_Scn* table, const GElf_Shdr& header) {
    Elf_Data* const data = ::elf_getdata(table, nullptr);
    if (!data || header.sh_entsize == 0) return;
    const size_t count = header.sh_size / header.sh_entsize;
    for (size_t i = 0; i < count && i < INT32_MAX; ++i) {
      GElf_Sym symbol;
      if (!::gelf_getsym(data, static_cast<int>(i), &symbol)) continue;
      const auto type = GELF_ST_TYPE(symbol.st_info);
      const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
      // Assembly has labels without a type.
      const bool label = type == STT_NOTYPE && symbol.st_shndx != SHN_ABS;
      if (symbol.st_shndx == SHN_UNDEF || (!function && !label)) continue;
      const char* const name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
      const GElf_Phdr* const load = load_of(symbol.st_value);
      if (!name || *name == '\0' || *name == '$' || !load) continue;
      const uint64_t start = symbol.st_value - load->p_vaddr + load->p_offset;
      symbols_.functions_.push_back({start, start + symbol.st_size,
                                     static_cast<uint32_t>(symbols_.names_.size()), rank_of(symbol, name)});
      symbols_.names_.append(name).push_back('\0');
    }
  }

  void finish() {
    auto& list = symbols_.functions_;
    const auto name_length = [&](uint32_t name) { return std::strlen(symbols_.names_.data() + name); };
    std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) {
      if (a.start != b.start) return a.start < b.start;
      if (a.rank != b.rank) return a.rank < b.rank;
      const size_t left = name_length(a.name);
      const size_t right = name_length(b.name);
      return left != right ? left > right : a.name < b.name;
    });
    list.erase(std::unique(list.begin(), list.end(),
                           [](const auto& a, const auto& b) { return a.start == b.start; }),
               list.end());
    for (size_t i = 0; i < list.size(); ++i) {
      // A label without a size reaches up to what follows in its segment.
      if (list[i].end == list[i].start)
        list[i].end = i + 1 < list.size() ? list[i + 1].start : end_of_load(list[i].start);
    }
    list.shrink_to_fit();
    symbols_.names_.shrink_to_fit();
  }

 private:
  const GElf_Phdr* load_of(uint64_t address) const {
    for (const GElf_Phdr& load : loads_) {
      if ((load.p_flags & PF_X) && address >= load.p_vaddr && address - load.p_vaddr < load.p_memsz)
        return &load;
    }
    return nullptr;
  }
  uint64_t end_of_load(uint64_t offset) const {
    for (const GElf_Phdr& load : loads_) {
      if (offset >= load.p_offset && offset - load.p_offset < load.p_filesz)
        return load.p_offset + load.p_filesz;
    }
    return offset;
  }

  ElfSymbols& symbols_;
  std::vector<GElf_Phdr> loads_;
};

Result<ElfSymbols> ElfSymbols::load(const std::string& root, const std::string& path) {
  auto program = open_elf(root + path);
  if (!program) return program.error();
  ElfSymbols symbols;
  symbols.build_id_ = build_id_of(program->elf.get());
  ElfReader reader(program->elf.get(), symbols);
  GElf_Shdr header;
  if (Elf_Scn* table = section_of(program->elf.get(), SHT_SYMTAB, header)) {
    reader.add(program->elf.get(), table, header);
  } else {
    for (const std::string& file : debug_files(root, path, symbols.build_id_)) {
      auto debug = open_elf(file);
      if (!debug || build_id_of(debug->elf.get()) != symbols.build_id_) continue;
      if (Elf_Scn* debug_table = section_of(debug->elf.get(), SHT_SYMTAB, header))
        reader.add(debug->elf.get(), debug_table, header);
      break;
    }
    if (Elf_Scn* dynamic = section_of(program->elf.get(), SHT_DYNSYM, header))
      reader.add(program->elf.get(), dynamic, header);
  }
  reader.finish();
  return symbols;
}

std::optional<std::string> ElfSymbols::find(uint64_t file_offset) const {
  const auto above = std::upper_bound(functions_.begin(), functions_.end(), file_offset,
                                      [](uint64_t offset, const Function& f) { return offset < f.start; });
  if (above == functions_.begin()) return std::nullopt;
  const Function& function = *std::prev(above);
  if (file_offset >= function.end) return std::nullopt;
  return demangled(names_.data() + function.name);
}

}  // namespace nettoll
