// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * What a run came to. Times are picoseconds; those of the parts are sums over all processes.
 *
 * @param isComplete     whether all processes came to their end; if not, all that are left wait for one another for good.
 * @param totalPs        when the last process had finished its last round; if not complete, when nothing moved any more.
 * @param roundEndPs     when the last process had finished each round; 0 for those that none finished.
 * @param messages       received whole.
 * @param delayedSends   messages that had to wait for credits.
 * @param dataPackets    sent, control packets not counted.
 * @param creditPackets  sent by packet, or given directly.
 * @param requests       compulsory requests sent, or direct revocations.
 * @param responses      compulsory responses.
 * @param steals         calls that took credits back from a victim.
 * @param creditsStolen  credits moved from one quota to another.
 * @param piggybacked    credits that travelled in data packets.
 * @param sendPs         in sending data packets.
 * @param retrievePs     in retrieving data packets.
 * @param controlPs      in sending and retrieving control packets.
 * @param protocolPs     in the protocol's own decisions.
 * @param creditWaitPs   with something to send, no credit for it, and nothing to retrieve.
 * @param receiveWaitPs  with nothing to send and nothing to retrieve, before the last round was finished.
 * @param heldUpPs       held up by cards that could take no more.
 * @param overflowPs     in which the cards of nodes were blocked since a mailbox was full.
 * @param peakSlots      most slots for data of one mailbox that were filled, or had a packet under way to them.
 */
public record FabricResult(
    boolean isComplete,
    long totalPs,
    long[] roundEndPs,
    long messages,
    long delayedSends,
    long dataPackets,
    long creditPackets,
    long requests,
    long responses,
    long steals,
    long creditsStolen,
    long piggybacked,
    long sendPs,
    long retrievePs,
    long controlPs,
    long protocolPs,
    long creditWaitPs,
    long receiveWaitPs,
    long heldUpPs,
    long overflowPs,
    int peakSlots)
{
    /** Picoseconds of a microsecond. */
    public static final double MICROSECOND = 1e6;

    /** {@return when the last process had finished each round, in picoseconds; 0 for those that none finished} */
    @Override
    public long[] roundEndPs()
    {
        return roundEndPs.clone();
    }

    /**
     * The whole time.
     *
     * @return in microseconds.
     */
    public double totalMicros()
    {
        return totalPs / MICROSECOND;
    }

    /**
     * How much longer a run took than another one.
     *
     * @param reference the other one.
     * @return 0.05 for five hundredths more.
     */
    public double overhead(final FabricResult reference)
    {
        return (double)totalPs / reference.totalPs - 1;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof FabricResult && toString().equals(other.toString());
    }

    @Override
    public int hashCode()
    {
        return toString().hashCode();
    }

    @Override
    public String toString()
    {
        return "FabricResult[isComplete=" + isComplete + ", totalPs=" + totalPs + ", messages=" + messages + ", delayedSends=" +
            delayedSends + ", dataPackets=" + dataPackets + ", creditPackets=" + creditPackets + ", requests=" + requests +
            ", responses=" + responses + ", steals=" + steals + ", creditsStolen=" + creditsStolen + ", piggybacked=" +
            piggybacked + ", sendPs=" + sendPs + ", retrievePs=" + retrievePs + ", controlPs=" + controlPs + ", protocolPs=" +
            protocolPs + ", creditWaitPs=" + creditWaitPs + ", receiveWaitPs=" + receiveWaitPs + ", heldUpPs=" + heldUpPs +
            ", overflowPs=" + overflowPs + ", peakSlots=" + peakSlots + ", roundEndPs=" + Arrays.toString(roundEndPs) + "]";
    }
}
