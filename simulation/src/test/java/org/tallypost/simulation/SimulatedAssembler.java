// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import org.agrona.DirectBuffer;

/** Stands for Aeron's assembler: messages are whole here. */
public final class SimulatedAssembler implements SimulatedHandler
{
    private final SimulatedHandler handler;

    /**
     * Hands messages on.
     *
     * @param handler for them.
     */
    public SimulatedAssembler(final SimulatedHandler handler)
    {
        this.handler = handler;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final SimulatedHeader header)
    {
        handler.onFragment(buffer, offset, length, header);
    }
}
