// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

/** The settings of a driver of streams to all nodes: their numbers are behind those of all other streams. */
final class MulticastStreams extends AeronSettings
{
    MulticastStreams(final AeronSettings others, final int termLength)
    {
        super(others, termLength);
    }

    @Override
    int receiver()
    {
        return StreamGuard.TO_ALL;
    }
}
