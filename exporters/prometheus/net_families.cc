// SPDX-License-Identifier: Apache-2.0
// nettoll_drops_*, nettoll_napi_* and nettoll_rx_queue_*: packets dropped, polls of the devices, queues.
#include "exporters/prometheus/family_builder.h"

namespace nettoll::exporter {

void net_families(const Totals& totals, const FamilySink& sink) {
  auto drops =
      counter("nettoll_drops_total",
              "Packets lost, as the kernel reported their drop (tracepoint skb:kfree_skb), counted exactly, "
              "by drop reason, "
              "the function that freed the packet, its protocol and device; reason=\"unclassified\" where "
              "the kernel gives none.",
              {"reason", "function", "protocol", "device"});
  for (const auto& [labels, packets] : totals.drops) {
    drops.add({labels[0], labels[1], labels[2], labels[3]}, packets);
  }
  std::move(drops).emit(sink);

  auto noise =
      counter("nettoll_noise_drops_total",
              "What the kernel reported as dropped and was no loss, counted exactly, by class: local_socket "
              "messages never were on a network, tx_completion packets were sent, consumed packets had done "
              "their service, other_host frames were for others.",
              {"class"});
  for (const auto& [what, packets] : totals.noise_drops) noise.add({name_of(what)}, packets);
  std::move(noise).emit(sink);

  auto polls =
      counter("nettoll_napi_polls_total",
              "NAPI polls of the device on the CPU, counted exactly; device=\"backlog\" is the queue of the "
              "CPU that serves loopback, veth and RPS.",
              {"device", "cpu"});
  auto packets =
      counter("nettoll_napi_packets_total",
              "Packets that NAPI polls of the device took in on the CPU as the polls reported their work, "
              "before GRO.",
              {"device", "cpu"});
  auto exhausted =
      counter("nettoll_napi_budget_exhausted_total",
              "NAPI polls of the device on the CPU that used up their budget, so that more packets may "
              "have been waiting.",
              {"device", "cpu"});
  for (const auto& [labels, napi] : totals.napi) {
    polls.add({labels[0], labels[1]}, napi.polls);
    packets.add({labels[0], labels[1]}, napi.packets);
    exhausted.add({labels[0], labels[1]}, napi.budget_exhausted);
  }
  std::move(polls).emit(sink);
  std::move(packets).emit(sink);
  std::move(exhausted).emit(sink);

  auto queues =
      counter("nettoll_rx_queue_packets_total",
              "Packets of the device by the receive queue that its driver recorded in them, counted "
              "exactly; queue=\"none\" where it recorded none. Only with --queues.",
              {"device", "queue"});
  for (const auto& [labels, count] : totals.queues) queues.add({labels[0], labels[1]}, count);
  std::move(queues).emit(sink);
}

}  // namespace nettoll::exporter
