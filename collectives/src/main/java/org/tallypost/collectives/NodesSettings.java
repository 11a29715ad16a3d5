// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** By what leaders choose algorithms. All take what the first node's leader says in its hello, so that they choose alike. */
final class NodesSettings
{
    /** Place of the algorithm among the settings. */
    private static final int FORCED = 3;
    private static final AlgorithmBetweenNodes[] ALGORITHMS = AlgorithmBetweenNodes.values();

    private final UnsafeBuffer hello = new UnsafeBuffer(new byte[HELLO_LENGTH]);
    private final double[] settings = new double[HELLO_LENGTH / Double.BYTES];
    private NodesCostModel model;
    /** What operations go by as far as they can; null for what is best. */
    private AlgorithmBetweenNodes forced;

    /** Those of this process, until others come. */
    NodesSettings(final CollectivesContext context)
    {
        settings[0] = context.profile().messageNs();
        settings[1] = context.profile().messageByteNs();
        settings[2] = context.profile().reduceNs(false);
        settings[FORCED] = context.algorithmBetweenNodes() == null ? 0 : 1 + context.algorithmBetweenNodes().ordinal();
        for (int i = 0; i < settings.length; i++)
        {
            hello.putDouble(i * Double.BYTES, settings[i]);
        }
    }

    /** What a hello of this process says: {@code HELLO_LENGTH} bytes. */
    DirectBuffer hello()
    {
        return hello;
    }

    /** Takes those of a hello. Whether all can be; those before one that cannot are taken. */
    boolean take(final DirectBuffer buffer, final int offset)
    {
        for (int i = 0; i < settings.length; i++)
        {
            final double setting = buffer.getDouble(offset + i * Double.BYTES);
            if (!(i == FORCED ? setting >= 0 && setting <= ALGORITHMS.length : setting > 0 && setting < Double.MAX_VALUE))
            {
                return false;
            }
            settings[i] = setting;
        }
        return true;
    }

    /** The team begins, with so many nodes: what comes later does not count. */
    void begin(final int nodes)
    {
        model = new NodesCostModel(nodes, settings[0], settings[1], settings[2]);
        forced = settings[FORCED] == 0 ? null : ALGORITHMS[(int)settings[FORCED] - 1];
    }

    /** What one node sends comes to all others at once, or does not; the same at all leaders. */
    void multicast(final boolean isPossible)
    {
        model.multicast(isPossible);
    }

    /** Whether it does. */
    boolean hasMulticast()
    {
        return model.hasMulticast();
    }

    /** What an operation with so many bytes goes by: the algorithm that was set, if it can be, or the fastest. */
    AlgorithmBetweenNodes choose(final Kind kind, final long length, final boolean isCommutative)
    {
        return forced != null && model.isPossible(forced, kind, isCommutative) ? forced :
            model.choose(kind, length, isCommutative);
    }

    /** Into how many pieces so many bytes are best cut in a chain. */
    int pieces(final int length)
    {
        return model.pieces(length);
    }
}
