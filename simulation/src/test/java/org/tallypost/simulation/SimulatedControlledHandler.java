// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import org.agrona.DirectBuffer;

/** Stands for Aeron's handler of messages that says how to go on. */
@FunctionalInterface
public interface SimulatedControlledHandler
{
    /**
     * A message.
     *
     * @param buffer with it.
     * @param offset of it.
     * @param length of it.
     * @param header of it.
     * @return what comes next.
     */
    Action onFragment(DirectBuffer buffer, int offset, int length, SimulatedHeader header);
}
