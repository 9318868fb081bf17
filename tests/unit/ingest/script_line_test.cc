// SPDX-License-Identifier: Apache-2.0
#include "ingest/script_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/script_header.h"

namespace nettoll {
namespace {

/// "comm|pid|cpu|time|period|event", "-" for what is not printed.
std::string head(std::string_view line) {
  const auto s = parse_script_sample(line);
  if (!s) return "none";
  const auto or_dash = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  return fmt::format("{}|{}|{}|{}|{}|{}", s->comm, or_dash(s->pid), or_dash(s->cpu), or_dash(s->time_ns),
                     or_dash(s->period), s->event.empty() ? "-" : s->event);
}

TEST(ScriptLine, HeadsOfSamples) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"python3 13294 [000]  1557.710387:    1003009 cpu-clock: ",
       "python3|13294|0|1557710387000|1003009|cpu-clock"},
      {"firefox  7564/7564  2574592.839818:          1 cycles:uppp: ",
       "firefox|7564|-|2574592839818000|1|cycles:uppp"},
      {"            perf  9622 [013]    89.502343:    1426884     instructions:          769eaa68 [unknown] "
       "(/lib/libc.so)",
       "perf|9622|13|89502343000|1426884|instructions"},
      {"iperf 27409/28744 [000] 441995.133575: cpu-clock: ", "iperf|27409|0|441995133575000|-|cpu-clock"},
      {"simple-terminat    10 198792.736893:    1001001 cpu-clock:",
       "simple-terminat|10|-|198792736893000|1001001|cpu-clock"},
      {"Web Content 12 34 5/6 [001] 1.000000001: 7 cycles:", "Web Content 12 34|5|1|1000000001|7|cycles"},
      {"swapper     0 [000] 12.5: net:netif_receive_skb: dev=lo skbaddr=0xffff len=60",
       "swapper|0|0|12500000000|-|net:netif_receive_skb"},
      {"       perf-exec  7213   101.132490:          1 cpu_core/cycles:ppp/:  ffffffffabc45683 [unknown] "
       "(x)",
       "perf-exec|7213|-|101132490000|1|cpu_core/cycles:ppp/"},
      {":-1    -1 [002] 5.000000:   1 cycles: ", ":-1|-1|2|5000000000|1|cycles"},
      {"cc1 4242 [001] 99 cycles: ", "cc1|4242|1|-|99|cycles"},
      {"cc1 4242 cycles: ", "cc1|4242|-|-|-|cycles"},
      {"cc1plus    2004008 cpu-clock: ", "cc1plus|-|-|-|2004008|cpu-clock"},
      {"         cc1plus    2004008 cpu-clock:", "cc1plus|-|-|-|2004008|cpu-clock"},
      {"cc1plus 2004008 cpu-clock: ", "cc1plus|2004008|-|-|-|cpu-clock"},
      {"cc1plus    4242 cpu-clock: ", "cc1plus|4242|-|-|-|cpu-clock"},
      {"cc1plus    42 cpu-clock: ", "cc1plus|42|-|-|-|cpu-clock"},
      {"cc1plus          1 cycles: ", "cc1plus|-|-|-|1|cycles"},
      {"cc1plus 12345678901 cycles: ", "cc1plus|-|-|-|12345678901|cycles"},
      {"cc1plus              42 cycles: ", "none"},
      {"Web Content 75758.019621: cpu-clock: ", "Web Content|-|-|75758019621000|-|cpu-clock"},
      {"cc1plus 75758.019621:    2004008 cpu-clock: ", "cc1plus|-|-|75758019621000|2004008|cpu-clock"},
      {"cc1plus 75758.019621: ", "none"},
      {"cc1plus cpu-clock: ", "none"},
      {"swapper     0/0         0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff9da00000(0xe014ba) @ 0]: x "
       "[k]_text",
       "swapper|0|-|0|-|-"},
      {"\tffffffff81e65193 __netif_receive_skb_core+0x333 ([kernel.kallsyms])", "none"},
      {"\t    55d0c0 foo::bar(int, char*) (/usr/bin/x)", "none"},
      {"Processed 123 events and lost 4 chunks!", "none"},
      {"12.5: cycles:", "none"},
      {"", "none"},
  };
  for (const auto& [line, expected] : table) EXPECT_EQ(head(line), expected) << line;
}

std::string frame(std::string_view line) {
  const auto f = parse_script_frame(line);
  if (!f) return "none";
  return fmt::format("{}|{}|{}", f->address ? fmt::format("{:x}", *f->address) : "-", f->symbol, f->dso);
}

TEST(ScriptLine, Frames) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"\tffffffff81e65193 __netif_receive_skb_core.constprop.0+0x333 ([kernel.kallsyms])",
       "ffffffff81e65193|__netif_receive_skb_core.constprop.0|[kernel.kallsyms]"},
      {"\t             643 _Z4betav (/workdir/simple)", "643|_Z4betav|/workdir/simple"},
      {"\t           12345 operator()(int (*)(char)) const (/usr/lib/a b.so)",
       "12345|operator()(int (*)(char)) const|/usr/lib/a b.so"},
      {"\t    7f5a47896360 [unknown] ([unknown])", "7f5a47896360|[unknown]|[unknown]"},
      {"\t    7f5a47896360 [unknown] (/memfd:x (deleted))", "7f5a47896360|[unknown]|/memfd:x (deleted)"},
      {"\t    7fff6000 Ljava/lang/Object;.<init> (/tmp/perf-1.map)",
       "7fff6000|Ljava/lang/Object;.<init>|/tmp/perf-1.map"},
      {"\tffffffff81e65193 ip_rcv", "ffffffff81e65193|ip_rcv|"},
      {"\tffffffff81e65193", "ffffffff81e65193||"},
      {"\t ip_rcv+0x10 ([kernel.kallsyms])", "-|ip_rcv|[kernel.kallsyms]"},
      {"\t             d70 _start+0xffff018fd5dce000 (/usr/lib/ld.so)", "d70|_start|/usr/lib/ld.so"},
      {"\tabc void foo<1+0x>(int) (/x)", "abc|void foo<1+0x>(int)|/x"},
      {"\tsome words of a tool", "none"},
  };
  for (const auto& [line, expected] : table) EXPECT_EQ(frame(line), expected) << line;
}

TEST(ScriptLine, OnlyAddressesInTheirColumnAreFramesOfALine) {
  EXPECT_TRUE(parse_frame_of_line("  ffffffffb6c661ac [unknown] ([kernel.kallsyms])"));
  EXPECT_TRUE(parse_frame_of_line("          769eaa68 [unknown] (/lib/libc-2.15.so)"));
  EXPECT_EQ(
      parse_frame_of_line("  ffffffff9df2dd9e foo 0xffffffff9df2dd9e/0xffffffff9df2dd90/P/-/-/1 ")->symbol,
      "foo");
  EXPECT_FALSE(parse_frame_of_line(" dev=lo skbaddr=0xffff888109bd38e0 len=60"));
  EXPECT_FALSE(parse_frame_of_line(" add 17 (bytes)"));
  EXPECT_FALSE(parse_frame_of_line(" "));
  EXPECT_FALSE(parse_frame_of_line(""));
}

TEST(ScriptLine, OtherLines) {
  EXPECT_TRUE(lacks_its_thread("         cc1plus cpu-clock:  ffffffffb6c661ac ip_rcv ([kernel.kallsyms])"));
  EXPECT_TRUE(lacks_its_thread("cpu-clock: "));
  EXPECT_TRUE(lacks_its_thread("75758.019621: cpu-clock:"));
  EXPECT_FALSE(lacks_its_thread("Some words: and more"));
  EXPECT_FALSE(lacks_its_thread("12.5:"));
  EXPECT_FALSE(lacks_its_thread(""));
  EXPECT_TRUE(is_hex_dump(". ... raw event: size 88 bytes"));
  EXPECT_TRUE(is_hex_dump("0x130@perf.data [0x58]: event: 1"));
  EXPECT_FALSE(is_hex_dump("perf 1 [000] 1.5: cycles:"));
  EXPECT_EQ(lost_in_record(" PERF_RECORD_LOST lost 12"), 12u);
  EXPECT_EQ(lost_in_record(" PERF_RECORD_LOST_SAMPLES lost 3"), 3u);
  EXPECT_FALSE(lost_in_record(" PERF_RECORD_COMM: perf:1/1 lost 3"));
}

TEST(ScriptHeader, TakesWhatItKnows) {
  ScriptHeader header;
  for (const char* line : {"# hostname : box", "# os release : 6.1.0", "# perf version : 6.1",
                           "# arch : x86_64", "# nrcpus online : 4", "# cpudesc : A CPU : 3 GHz",
                           "# cmdline : /usr/bin/perf record -g", "# ========", "#",
                           "# event : name = cycles:k, , id = { 1, 2 }, { sample_period, sample_freq } = "
                           "4000, freq = 1, exclude_user = 1",
                           "# event : name = instructions, type = 0, { sample_period, sample_freq } = "
                           "100000, sample_type = IP"}) {
    parse_script_header(line, header);
  }
  EXPECT_EQ(header.facts.host, "box");
  EXPECT_EQ(header.facts.cpu, "A CPU : 3 GHz");
  EXPECT_EQ(header.facts.cpus_online, 4u);
  ASSERT_EQ(header.events.size(), 2u);
  EXPECT_EQ(header.events[0].name, "cycles:k");
  EXPECT_EQ(header.events[0].frequency, 4000u);
  EXPECT_TRUE(header.events[0].kernel_only);
  EXPECT_EQ(header.events[1].period, 100000u);
  EXPECT_FALSE(header.events[1].kernel_only);
}

}  // namespace
}  // namespace nettoll
