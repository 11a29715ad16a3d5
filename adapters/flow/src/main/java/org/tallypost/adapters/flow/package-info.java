// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** Streams of {@link java.util.concurrent.Flow} from one rank to another, with backpressure by credits. */
package org.tallypost.adapters.flow;
