// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A transport's settings, and the media driver that they lead to: its files, its times, its sockets, the streams that it lets in,
 * and how much may be under way.
 */
package org.tallypost.transportaeron.internal.driver;
