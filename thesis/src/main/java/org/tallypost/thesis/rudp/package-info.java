// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * RUDP, the broadcast of ECCLib (Barbieri, 2003, section 10.3.2), as state machines without sockets and without a clock:
 * datagrams in bursts, and bitmaps of what is missing. It is the reference that broadcasts are measured against, and no part of
 * the runtime.
 */
package org.tallypost.thesis.rudp;
