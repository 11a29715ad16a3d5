// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;

/**
 * Takes what a transport delivers.
 */
public interface Inlet
{
    /**
     * A message, valid until this returns.
     *
     * @param buffer that holds it.
     * @param offset of it in bytes.
     * @param length of it in bytes.
     */
    void onMessage(DirectBuffer buffer, int offset, int length);
}
