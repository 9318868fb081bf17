// SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only)
/* Programs that do nothing: what loads and attaches here says what this kernel can do. Each is loaded by itself. */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

/* The user side names a function that this kernel has. */
SEC("fentry")
int nt_try_fentry(void *ctx)
{
	return 0;
}

SEC("raw_tp/softirq_entry")
int nt_try_raw_tp(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
