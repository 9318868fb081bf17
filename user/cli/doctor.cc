// SPDX-License-Identifier: Apache-2.0
// nettoll doctor: what this host offers, what it lacks, and what to do about it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/doctor_checks.h"

namespace nettoll {
namespace {

void print_checks(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    const char* mark = check.works ? "ok  " : check.required ? "FAIL" : "none";
    fmt::print("{}  {:<20} {}{}{}\n", mark, check.name, check.detail, check.remedy.empty() ? "" : "; ",
               check.remedy);
  }
  fmt::print("\n{}\n",
             can_run(checks) ? "nettoll can do its main job here." : "nettoll cannot do its main job here.");
}

nlohmann::json to_json(const std::vector<Check>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const Check& check : checks) {
    nlohmann::json item = {
        {"name", check.name}, {"works", check.works}, {"required", check.required}, {"detail", check.detail}};
    if (!check.remedy.empty()) item["remedy"] = check.remedy;
    list.push_back(std::move(item));
  }
  return {{"can_run", can_run(checks)}, {"checks", std::move(list)}};
}

}  // namespace

void add_doctor(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("doctor", "Tell what this host offers for tracing, what it lacks, and what to do");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->callback([json, &chosen] {
    chosen = [json] {
      const auto checks = examine_host(KernelFs());
      if (*json)
        fmt::print("{}\n", to_json(checks).dump(2));
      else
        print_checks(checks);
      return can_run(checks) ? kExitDone : kExitFailed;
    };
  });
}

}  // namespace nettoll
