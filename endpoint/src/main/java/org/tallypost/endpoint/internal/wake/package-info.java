// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Threads that wait, and how they are woken, within a process and from others. Not for programs.
 */
package org.tallypost.endpoint.internal.wake;
