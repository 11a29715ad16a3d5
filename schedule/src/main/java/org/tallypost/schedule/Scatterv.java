// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * A scatter without a tree: the root sends to one process after the other; or a gather, in which it receives from one after
 * the other. The root changes after some rounds.
 */
public final class Scatterv extends Collective
{
    private final int stay;
    private final boolean isUpwards;

    /**
     * Steps one after the other.
     *
     * @param processes of the application, which all take part.
     * @param length    of each message.
     * @param rounds    operations.
     * @param stay      rounds of the same root.
     * @param isUpwards whether it is a gather.
     */
    public Scatterv(final int processes, final int length, final int rounds, final int stay, final boolean isUpwards)
    {
        super(processes, processes, length, rounds);
        this.stay = stay;
        this.isUpwards = isUpwards;
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        final int root = round / stay % active();
        if (rank != root)
        {
            if (isUpwards)
            {
                to.sendAndWait(root, length());
            }
            else
            {
                to.receiveAndWait(root);
            }
            return;
        }
        for (int peer = 0; peer < active(); peer++)
        {
            if (peer != root && isUpwards)
            {
                to.receiveAndWait(peer);
            }
            else if (peer != root)
            {
                to.sendAndWait(peer, length());
            }
        }
    }
}
