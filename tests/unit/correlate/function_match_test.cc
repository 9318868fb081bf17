// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_match.h"
#include "model/symbol_identity.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Names = std::vector<std::string>;

Symbol symbol(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, kVmlinux};
  return {text.substr(colon + 1), text.substr(0, colon)};
}

/// "a=b" for each pair, "a=" and "=b" for what stands alone.
Names match(const Names& a, const Names& b) {
  std::vector<Symbol> left, right;
  for (const auto& name : a) left.push_back(symbol(name));
  for (const auto& name : b) right.push_back(symbol(name));
  Names text;
  for (const auto& row : match_functions(left, right))
    text.push_back((row.a ? a[*row.a] : "") + "=" + (row.b ? b[*row.b] : ""));
  return text;
}

TEST(SourceName, LosesWhatCompilersAdd) {
  EXPECT_EQ(source_name("ip_rcv"), "ip_rcv");
  EXPECT_EQ(source_name("ip_rcv.isra.0"), "ip_rcv");
  EXPECT_EQ(source_name("ip_rcv.constprop.0.isra.1"), "ip_rcv");
  EXPECT_EQ(source_name("ip_rcv.cold"), "ip_rcv");
  EXPECT_EQ(source_name(".ip_rcv"), ".ip_rcv");
  EXPECT_EQ(source_name(""), "");
}

TEST(MatchFunctions, ByNameAndModule) {
  EXPECT_EQ(match({"f", "g", "h"}, {"g", "f", "i"}), (Names{"f=f", "g=g", "h=", "=i"}));
}

TEST(MatchFunctions, ThroughSuffixesWhereOnlyOneCanBeMeant) {
  EXPECT_EQ(match({"f.isra.0"}, {"f.isra.1"}), (Names{"f.isra.0=f.isra.1"}));
  EXPECT_EQ(match({"f"}, {"f.constprop.0"}), (Names{"f=f.constprop.0"}));
  EXPECT_EQ(match({"f.part.0"}, {"f"}), (Names{"f.part.0=f"}));
  // Two copies on one side: which one is meant is not known.
  EXPECT_EQ(match({"f.isra.0", "f.part.0"}, {"f.isra.1"}), (Names{"f.isra.0=", "f.part.0=", "=f.isra.1"}));
  // What is equal is taken first.
  EXPECT_EQ(match({"f", "f.cold"}, {"f", "f.part.0"}), (Names{"f=f", "f.cold=f.part.0"}));
}

TEST(MatchFunctions, ThroughAModuleThatIsBuiltIn) {
  EXPECT_EQ(match({"nf_tables:nft_do_chain"}, {"nft_do_chain"}),
            (Names{"nf_tables:nft_do_chain=nft_do_chain"}));
  // Modules that have functions of one name are not one another.
  EXPECT_EQ(match({"virtio_net:open"}, {"veth:open"}), (Names{"virtio_net:open=", "=veth:open"}));
  EXPECT_EQ(match({"a:f.isra.0"}, {"b:f.isra.1"}), (Names{"a:f.isra.0=", "=b:f.isra.1"}));
}

/// "a=b" for each pair of functions of programs, given as "file:name".
Names match_user(const Names& a, const Names& b) {
  std::vector<Symbol> left, right;
  for (const auto& name : a) left.push_back({symbol(name).name, symbol(name).module, SymbolKind::user});
  for (const auto& name : b) right.push_back({symbol(name).name, symbol(name).module, SymbolKind::user});
  Names text;
  for (const auto& row : match_functions(left, right))
    text.push_back((row.a ? a[*row.a] : "") + "=" + (row.b ? b[*row.b] : ""));
  return text;
}

TEST(MatchFunctions, OfOneProgramOrLibraryOnly) {
  EXPECT_EQ(match_user({"/bin/one:main"}, {"/bin/two:main"}), (Names{"/bin/one:main=", "=/bin/two:main"}));
  EXPECT_EQ(match_user({"/bin/one:main.cold"}, {"/bin/two:main.cold"}),
            (Names{"/bin/one:main.cold=", "=/bin/two:main.cold"}));
  // The file may lie elsewhere, unless there are several of its name.
  EXPECT_EQ(match_user({"/lib/libc.so.6:read"}, {"/usr/lib/libc.so.6:read"}),
            (Names{"/lib/libc.so.6:read=/usr/lib/libc.so.6:read"}));
  EXPECT_EQ(match_user({"/a/x:f"}, {"/b/x:f", "/c/x:f"}), (Names{"/a/x:f=", "=/b/x:f", "=/c/x:f"}));
  EXPECT_EQ(match_user({"/a/x:f.isra.0"}, {"/b/x:f"}), (Names{"/a/x:f.isra.0=/b/x:f"}));
}

TEST(MatchFunctions, TakesNoDotOfAnotherLanguageForASuffix) {
  EXPECT_EQ(match_user({"x:main.run"}, {"x:main.stop"}), (Names{"x:main.run=", "=x:main.stop"}));
  EXPECT_EQ(match_user({"x:log(char*, ...)"}, {"x:log(char*, ...) const"}),
            (Names{"x:log(char*, ...)=", "=x:log(char*, ...) const"}));
  EXPECT_EQ(match_user({"x:main.run.cold"}, {"x:main.run.part.0"}),
            (Names{"x:main.run.cold=x:main.run.part.0"}));
  EXPECT_EQ(match_user({"x:a.partial"}, {"x:a"}), (Names{"x:a.partial=", "=x:a"}));
}

TEST(MatchFunctions, TakesCodeWithoutANameByItsModuleAlone) {
  const auto unnamed = [](const char* module, SymbolKind kind) {
    return std::vector<Symbol>{{kUnknownName, module, kind}};
  };
  // Readers know kinds of it as well as their files tell.
  EXPECT_EQ(match_functions(unnamed("", SymbolKind::user), unnamed("", SymbolKind::unknown)).size(), 1u);
  EXPECT_EQ(match_functions(unnamed("/a/x", SymbolKind::user), unnamed("/b/x", SymbolKind::user)).size(), 1u);
  EXPECT_EQ(match_functions(unnamed("x", SymbolKind::user), unnamed("y", SymbolKind::user)).size(), 2u);
  EXPECT_EQ(match_functions(unnamed("nf_tables", SymbolKind::kernel), unnamed("vmlinux", SymbolKind::kernel))
                .size(),
            2u);
}

TEST(MatchFunctions, OfOneKindOnly) {
  const std::vector<Symbol> kernel{{"f", "bpf", SymbolKind::kernel}};
  const std::vector<Symbol> bpf{{"f", "bpf", SymbolKind::bpf}};
  EXPECT_EQ(match_functions(kernel, bpf).size(), 2u);
}

TEST(MatchFunctions, OfNothing) {
  EXPECT_TRUE(match({}, {}).empty());
  EXPECT_EQ(match({}, {"f"}), (Names{"=f"}));
}

}  // namespace
}  // namespace nettoll
