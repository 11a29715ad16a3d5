// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The memory: one mapped mailbox per endpoint, shared by all its senders, with express lanes for a few. Its layout, and how
 * slots are mapped, claimed, committed and polled, and how the death of a process is proven. It knows nothing of credits.
 */
package org.tallypost.mailbox;
