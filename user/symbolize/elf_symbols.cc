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

/// The section with a name, and its header.
Elf_Scn* section_named(Elf* elf, std::string_view name, GElf_Shdr& header) {
  size_t names = 0;
  if (::elf_getshdrstrndx(elf, &names) != 0) return nullptr;
  for (Elf_Scn* section = ::elf_nextscn(elf, nullptr); section; section = ::elf_nextscn(elf, section)) {
    const char* const text =
        ::gelf_getshdr(section, &header) ? ::elf_strptr(elf, names, header.sh_name) : nullptr;
    if (text && name == text) return section;
  }
  return nullptr;
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
    GElf_Shdr header;
    for (Elf_Scn* section = ::elf_nextscn(program, nullptr); section;
         section = ::elf_nextscn(program, section)) {
      if (::gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR))
        code_ends_.push_back(header.sh_offset + header.sh_size);
    }
    std::sort(code_ends_.begin(), code_ends_.end());
  }

  /// Names the entries of the procedure linkage table, which have no symbols: "memcpy@plt". x86-64 and arm64
  /// alone.
  void add_plt(Elf* elf) {
    constexpr uint64_t kEntry = 16;
    GElf_Ehdr file;
    if (!::gelf_getehdr(elf, &file)) return;
    const bool arm = file.e_machine == EM_AARCH64;
    if (!arm && file.e_machine != EM_X86_64) return;
    GElf_Shdr relocations;
    GElf_Shdr names;
    Elf_Scn* const relocation_section = section_named(elf, ".rela.plt", relocations);
    Elf_Scn* const name_section = section_of(elf, SHT_DYNSYM, names);
    Elf_Data* const relocation_data =
        relocation_section ? ::elf_getdata(relocation_section, nullptr) : nullptr;
    Elf_Data* const name_data = name_section ? ::elf_getdata(name_section, nullptr) : nullptr;
    if (!relocation_data || !name_data || relocations.sh_entsize == 0) return;
    for (const std::string_view table : {".plt.sec", ".plt"}) {
      GElf_Shdr plt;
      if (!section_named(elf, table, plt)) continue;
      // The first entry of .plt resolves names for all others.
      uint64_t place = plt.sh_offset + (table == ".plt" ? (arm ? 2 * kEntry : kEntry) : 0);
      const size_t count = relocations.sh_size / relocations.sh_entsize;
      for (size_t i = 0; i < count && i < INT32_MAX; ++i, place += kEntry) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        if (!::gelf_getrela(relocation_data, static_cast<int>(i), &relocation) ||
            !::gelf_getsym(name_data, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol))
          continue;
        const char* const name = ::elf_strptr(elf, names.sh_link, symbol.st_name);
        if (!name || *name == '\0' || place + kEntry > plt.sh_offset + plt.sh_size) continue;
        put(place, kEntry, demangled(name) + "@plt", 0);
      }
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
      put(symbol.st_value - load->p_vaddr + load->p_offset, symbol.st_size, name, rank_of(symbol, name));
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
      // A label without a size reaches up to what follows in its section.
      if (list[i].end != list[i].start) continue;
      list[i].end = end_of_section(list[i].start);
      if (i + 1 < list.size()) list[i].end = std::min(list[i].end, list[i + 1].start);
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
  void put(uint64_t start, uint64_t size, std::string_view name, uint8_t rank) {
    symbols_.functions_.push_back({start, start + size, static_cast<uint32_t>(symbols_.names_.size()), rank});
    symbols_.names_.append(name).push_back('\0');
  }
  uint64_t end_of_section(uint64_t offset) const {
    const auto end = std::upper_bound(code_ends_.begin(), code_ends_.end(), offset);
    return end == code_ends_.end() ? offset : *end;
  }

  ElfSymbols& symbols_;
  std::vector<GElf_Phdr> loads_;
  std::vector<uint64_t> code_ends_;  ///< of sections, by rising offset
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
  reader.add_plt(program->elf.get());
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
