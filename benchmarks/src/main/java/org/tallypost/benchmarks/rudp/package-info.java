// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * RUDP, ECCLib's broadcast, over sockets: the reference that other broadcasts are held against. Data go by UDP broadcast, control
 * messages over a connection to each receiver. No part of the runtime.
 */
package org.tallypost.benchmarks.rudp;
