// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import org.agrona.DirectBuffer;

/** Stands for Aeron's handler of messages. */
@FunctionalInterface
public interface SimulatedHandler
{
    /**
     * A message.
     *
     * @param buffer with it.
     * @param offset of it.
     * @param length of it.
     * @param header of it.
     */
    void onFragment(DirectBuffer buffer, int offset, int length, SimulatedHeader header);
}
