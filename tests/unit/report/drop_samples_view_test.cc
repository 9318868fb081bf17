// SPDX-License-Identifier: Apache-2.0
#include "report/drop_samples_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/report/squeeze.h"

namespace nettoll {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

DropSample sample(const std::string& reason, const std::string& function, const std::string& flow) {
  DropSample s;
  s.raw.time_ns = 3'661'000'002'000;
  s.raw.cpu = 1;
  s.raw.reason = 3;
  s.raw.pid = 42;
  s.raw.task = "sh";
  s.raw.length = 60;
  s.raw.id = {4026531840, 2};
  s.drop = {reason, "core", function, kVmlinux, "ipv4", "eth0", 4026531840, 1};
  s.stack = {{function, kVmlinux, SymbolKind::kernel}, {"vendor_poll", "vendor", SymbolKind::kernel}};
  s.in_softirq = true;
  s.flow = flow;
  return s;
}

DropWindow window() {
  DropWindow w;
  w.wall_start_ns = 1;
  w.duration_ns = 2'000'000'000;
  w.drops = {{"NO_SOCKET", "core", "__udp4_lib_rcv", kVmlinux, "ipv4", "eth0", 4026531840, 12},
             {"TC_EGRESS", "vendor", "f", "mod", "ipv6", "", 0, 2},
             {"NOT_SPECIFIED", "core", "unix_stream_connect", kVmlinux, "none", "", 0, 700}};
  w.samples = {sample("NO_SOCKET", "__udp4_lib_rcv", "10.0.0.1:1 > 10.0.0.2:2 udp"),
               sample("NO_SOCKET", "__udp4_lib_rcv", "10.0.0.1:3 > 10.0.0.2:2 udp"),
               sample("XDP", "do_xdp_generic", "")};
  w.account = SampleAccount{714, 3, 710, 1, 0};
  return w;
}

TEST(DropView, KeepsNoiseApart) {
  const std::string text = squeeze(drop_window_view(window(), {}));
  EXPECT_THAT(text, HasSubstr("Lost: 14 packets, 7.00 a second\n"
                              "reason subsystem function module protocol device netns packets /s\n"
                              "NO_SOCKET core __udp4_lib_rcv vmlinux ipv4 eth0 4026531840 12 6.00\n"
                              "TC_EGRESS vendor f mod ipv6 - - 2 1.00\n"));
  EXPECT_THAT(text, HasSubstr("Noise, no loss: 700 packets, 350 a second\n"));
  EXPECT_THAT(text,
              HasSubstr("NOT_SPECIFIED core unix_stream_connect vmlinux none - - 700 350 local message\n"));
}

TEST(DropView, ShowsTheNameOfANamespace) {
  DropWindow w = window();
  w.netns_names = {{4026531840, "blue"}};
  EXPECT_THAT(squeeze(drop_window_view(w, {})),
              HasSubstr("NO_SOCKET core __udp4_lib_rcv vmlinux ipv4 eth0 blue 12 6.00\n"));
  const auto row = drop_window_json(w, {})["loss"]["rows"][0];
  EXPECT_EQ(row["netns"], 4026531840);
  EXPECT_EQ(row["netns_name"], "blue");
}

TEST(DropView, ShowsStacksExamplesAndTheAccount) {
  const std::string text = squeeze(drop_window_view(window(), {.limit = {}, .stacks = 1, .examples = 2}));
  EXPECT_THAT(text, HasSubstr("Stacks of the samples (1 of 2)\n"
                              "2 of 3 samples, NO_SOCKET\n__udp4_lib_rcv\nvendor_poll [vendor]\n"));
  EXPECT_THAT(text, HasSubstr("Examples (2 of 3;"));
  EXPECT_THAT(text, HasSubstr("01:01:01.000002 1 NO_SOCKET __udp4_lib_rcv eth0 10.0.0.1:1 > 10.0.0.2:2 udp "
                              "60 softirq over sh[42]\n"));
  EXPECT_THAT(text, Not(HasSubstr("do_xdp_generic")));
  EXPECT_THAT(
      text,
      HasSubstr(
          "Samples: 714 drops matched, 3 sampled, 2 shown, 710 over the rate limit, 1 lost in the ring\n"));
}

TEST(DropView, HasFewerColumnsOnANarrowTerminal) {
  const std::string text =
      squeeze(drop_window_view(window(), {.limit = {}, .stacks = 0, .examples = 0, .width = 80}));
  EXPECT_THAT(text, HasSubstr("reason function protocol device netns packets /s\n"
                              "NO_SOCKET __udp4_lib_rcv ipv4 eth0 4026531840 12 6.00\n"
                              "vendor:TC_EGRESS f ipv6 - - 2 1.00\n"));
}

TEST(DropView, OfNothingHasNoNumbers) {
  const std::string text = drop_window_view({}, {});
  EXPECT_EQ(text, "Lost: none\n");
}

TEST(DropView, SaysWhatIsMissing) {
  DropWindow w = window();
  w.drop_reasons = false;
  w.notes = {"a note"};
  w.account->missed_runs = 5;
  w.losses = {{LossKind::missed_run, "nt_drop", 4}};
  const std::string text = drop_window_view(w, {.limit = 1, .stacks = 0, .examples = 0});
  EXPECT_THAT(text, HasSubstr("this kernel gives no reasons"));
  EXPECT_THAT(text, HasSubstr("... 1 more (--limit 0 shows all)"));
  EXPECT_THAT(text, HasSubstr("5 runs skipped by the kernel"));
  EXPECT_THAT(text, HasSubstr("Not counted: 4 missed_run nt_drop\n"));
  EXPECT_THAT(text, HasSubstr("Note: a note\n"));
  EXPECT_THAT(text, Not(HasSubstr("Examples")));
  EXPECT_THAT(text, Not(HasSubstr("Stacks")));
}

TEST(DropView, NothingControlsTheTerminal) {
  DropWindow w = window();
  w.samples[0].raw.task = "a\033[2Jb";
  EXPECT_THAT(drop_window_view(w, {}), Not(HasSubstr("\033")));
}

TEST(DropJson, HasWhatWasMeasured) {
  const auto json = drop_window_json(window(), {.limit = {}, .stacks = 3, .examples = 100});
  EXPECT_EQ(json["loss"]["packets"], 14);
  EXPECT_EQ(json["loss"]["rows"].size(), 2u);
  EXPECT_EQ(json["loss"]["rows"][0]["packets_per_second"], 6.0);
  EXPECT_FALSE(json["loss"]["rows"][1].contains("netns"));
  EXPECT_EQ(json["noise"]["rows"][0]["class"], "local_socket");
  EXPECT_EQ(json["samples"]["rate_limited"], 710);
  EXPECT_EQ(json["stacks"][0]["samples"], 2);
  EXPECT_EQ(json["stacks"][0]["frames"][1]["module"], "vendor");
  ASSERT_EQ(json["examples"].size(), 3u);
  EXPECT_EQ(json["examples"][0]["task"]["pid"], 42);
  EXPECT_EQ(json["examples"][0]["reason_number"], 3);
  EXPECT_FALSE(json["examples"][0].contains("source_port"));
}

TEST(DropJson, WithoutSamplesHasNoKeyOfThem) {
  DropWindow w = window();
  w.account.reset();
  w.samples.clear();
  const auto json = drop_window_json(w, {});
  for (const char* key : {"samples", "stacks", "examples"}) EXPECT_FALSE(json.contains(key)) << key;
}

}  // namespace
}  // namespace nettoll
