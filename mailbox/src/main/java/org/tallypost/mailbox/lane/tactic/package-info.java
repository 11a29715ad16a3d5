// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How a lane is read, and how a poll that found nothing waits, on this machine: what trials find out. The only package that
 * measures itself.
 */
package org.tallypost.mailbox.lane.tactic;
