// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Image;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.files.Notice;

/**
 * Streams that say they come from one other node and have not proven it: one that gives no proof in time, or wrong ones, is
 * rejected. For the agent's thread.
 */
final class Strangers
{
    private static final int MAX_BAD_PROOFS = 3;

    private final NodePort port;
    private final int peerNode;
    private final long admissionNs;
    private final IntFunction<Image> images;
    private final Map<Integer, Integer> badProofs = new HashMap<>();
    /** Sessions that were never admitted, and since when they are here: by the time for which this thread did not stand still. */
    private final Map<Integer, Long> sinceNs = new HashMap<>();
    private final Notices refusals = new Notices();
    private final Notices liars = new Notices();
    private final Notices silent = new Notices();
    private long pausedNs;
    /** Whether it is known why there is no link: the nodes do not fit together. */
    private boolean isRefused;
    private long rejectedCount;

    /**
     * None yet.
     *
     * @param images the stream of a session, null if there is none.
     */
    Strangers(final NodePort port, final int peerNode, final long admissionNs, final IntFunction<Image> images)
    {
        this.port = port;
        this.peerNode = peerNode;
        this.admissionNs = admissionNs;
        this.images = images;
    }

    /** A stream has come. */
    void onImage(final int session, final long nowNs)
    {
        sinceNs.put(session, nowNs - pausedNs);
    }

    /** A stream has gone. */
    void onImageGone(final int session)
    {
        sinceNs.remove(session);
        badProofs.remove(session);
    }

    /** A stream has proven itself: there is a link. */
    void onLinked(final int session)
    {
        isRefused = false;
        sinceNs.remove(session);
        badProofs.clear();
    }

    /** The other node, or somebody in its name, has said why it is not linked with this one. */
    void onRefused(final String text, final boolean isUp, final long nowNs)
    {
        isRefused |= !isUp;
        if (refusals.isDue(nowNs))
        {
            port.event(new TransportEvent(TransportEvent.Kind.REFUSED, peerNode, -1, -1, 0, 0, text + refusals.untold()));
            port.onError(new Notice("not linked", text + "; give all nodes the same values" + refusals.untold()));
        }
    }

    /** No stream comes any more. */
    void clear()
    {
        sinceNs.clear();
        badProofs.clear();
    }

    /** Time for which this thread stood still does not count. */
    void pause(final long pauseNs)
    {
        pausedNs += pauseNs;
    }

    /** Somebody has given a wrong proof. */
    void onBadProof(final int session, final long nowNs)
    {
        final int count = badProofs.merge(session, 1, Integer::sum);
        if (count == 1 && liars.isDue(nowNs))
        {
            port.event(new TransportEvent(TransportEvent.Kind.STRANGER, peerNode, -1, -1, 0, 0,
                "a node that does not know the secret says to be node " + peerNode + ": session=" + session +
                liars.untold()));
        }
        if (count >= MAX_BAD_PROOFS)
        {
            // if the stream goes on all the same its image is rejected again
            badProofs.remove(session);
            reject(session);
        }
    }

    /**
     * A stream without a proof in time is sent away, whatever else it says.
     *
     * @return how many were due.
     */
    int rejectDue(final long nowNs)
    {
        return sinceNs.isEmpty() ? 0 : rejectOlder(nowNs);
    }

    private int rejectOlder(final long nowNs)
    {
        // a copy: while one is rejected Aeron may tell of others that have come or gone
        final Integer[] due = sinceNs.entrySet().stream()
            .filter((stranger) -> nowNs - pausedNs - stranger.getValue() > admissionNs).map(Map.Entry::getKey)
            .toArray(Integer[]::new);
        for (final Integer session : due)
        {
            onImageGone(session);
            if (reject(session) && !isRefused && silent.isDue(nowNs))
            {
                port.event(new TransportEvent(TransportEvent.Kind.STRANGER, peerNode, -1, -1, 0, 0,
                    "a node that says to be node " + peerNode + " has given no proof of the secret for " +
                    admissionNs / 1_000_000 + " ms and is rejected: session=" + session + silent.untold()));
            }
        }
        return due.length;
    }

    private boolean reject(final int session)
    {
        final Image stranger = images.apply(session);
        if (stranger == null || stranger.isClosed())
        {
            return false;
        }
        rejectedCount++;
        stranger.reject("not admitted");
        return true;
    }

    @Override
    public String toString()
    {
        return "strangers rejected=" + rejectedCount;
    }
}
