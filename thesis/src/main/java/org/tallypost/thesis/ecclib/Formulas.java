// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

/**
 * The cost formulas of chapter 4, by their numbers in the text. K is the number of processes with the root, n the bytes of all
 * processes together; times are in nanoseconds. Trees are complete binary ones, so K is a power of two less one; the butterfly
 * has a power of two.
 *
 * @param startNs   start-up of a message, alpha.
 * @param byteNs    time of a byte on the wire; beta(n) is n times that.
 * @param reduceNs  time to reduce a byte; Op(n) is n times that.
 */
public record Formulas(double startNs, double byteNs, double reduceNs)
{
    private static double log2(final double value)
    {
        return Math.log(value) / Math.log(2);
    }

    private double beta(final double bytes)
    {
        return bytes * byteNs;
    }

    /**
     * Equation 4.1: from one process to another.
     *
     * @param bytes of the message.
     * @return time.
     */
    public double pointToPoint(final double bytes)
    {
        return startNs + beta(bytes);
    }

    /**
     * Equation 4.3 as Foster's model has it: a medium that several want at a time gives each a part of its bandwidth. The text
     * divides the time by their number, where it says that the bandwidth is divided.
     *
     * @param bytes   of the message.
     * @param senders that want the medium.
     * @return time.
     */
    public double contended(final double bytes, final int senders)
    {
        return startNs + senders * beta(bytes);
    }

    /**
     * Equation 4.4: a broadcast, message by message. The root sends to itself as well; without that it is one less of K.
     *
     * @param processes K.
     * @param bytes     of the data.
     * @return time.
     */
    public double linearBroadcast(final int processes, final double bytes)
    {
        return processes * pointToPoint(bytes);
    }

    /**
     * Equations 4.5 and 4.6: a broadcast down a binary tree.
     *
     * @param processes K.
     * @param bytes     of the data.
     * @param isAtOnce  whether a process sends to both its children at the same time, 4.5.
     * @return time.
     */
    public double treeBroadcast(final int processes, final double bytes, final boolean isAtOnce)
    {
        return (isAtOnce ? 1 : 2) * log2(processes) * pointToPoint(bytes);
    }

    /**
     * Equation 4.8: a physical broadcast with a protocol that repeats what was lost. Without losses and with a start-up of
     * nothing it is 4.7, the ideal one.
     *
     * @param processes  K.
     * @param bytes      of the data.
     * @param repeatedNs R, the time of what is repeated.
     * @return time.
     */
    public double physicalBroadcast(final int processes, final double bytes, final double repeatedNs)
    {
        return processes * startNs + beta(bytes) + repeatedNs;
    }

    /**
     * Equation 4.9: a scatter or gather, message by message.
     *
     * @param processes K.
     * @param bytes     of all portions.
     * @return time.
     */
    public double linearScatter(final int processes, final double bytes)
    {
        return processes * pointToPoint(bytes / processes);
    }

    /**
     * Equations 4.10 and 4.11: a scatter down a binary tree.
     *
     * @param processes K.
     * @param bytes     of all portions.
     * @param isAtOnce  whether a process sends to both its children at the same time, 4.10.
     * @return time.
     */
    public double treeScatter(final int processes, final double bytes, final boolean isAtOnce)
    {
        return (isAtOnce ? 1 : 2) * (log2(processes) * startNs + beta(bytes / processes * (processes - 1)));
    }

    /**
     * Equation 4.14: what the processes of a tree send one after the other in a scatter, level by level.
     *
     * @param processes K, a power of two less one.
     * @param portion   bytes of one process, M.
     * @return bytes, F(K, M).
     */
    public static long treeVolumeBySum(final int processes, final long portion)
    {
        long volume = 0;
        for (int left = processes + 1; left > 1; left /= 2)
        {
            volume += 2 * (left / 2 - 1) * portion;
        }
        return volume;
    }

    /**
     * Equation 4.27: the same in one step.
     *
     * @param processes K, a power of two less one.
     * @param portion   bytes of one process, M.
     * @return bytes, F(K, M).
     */
    public static long treeVolume(final int processes, final long portion)
    {
        return 2 * portion * (processes - Integer.numberOfTrailingZeros(Integer.highestOneBit(processes + 1)));
    }

    /**
     * Equation 4.31 takes this for the volume: it leaves the logarithm out.
     *
     * @param processes K.
     * @param portion   bytes of one process, M.
     * @return bytes.
     */
    public static long treeVolumeRoughly(final int processes, final long portion)
    {
        return 2 * portion * (processes - 1);
    }

    /**
     * Equation 4.33: a gather, and then the root reduces everything.
     *
     * @param processes K.
     * @param bytes     of all portions.
     * @return time.
     */
    public double centralReduce(final int processes, final double bytes)
    {
        return linearScatter(processes, bytes) + bytes * reduceNs;
    }

    /**
     * Equation 4.34: a reduction along a chain.
     *
     * @param processes K.
     * @param bytes     of all portions.
     * @return time.
     */
    public double chainReduce(final int processes, final double bytes)
    {
        return (processes - 1) * (pointToPoint(bytes / processes) + bytes / processes * reduceNs);
    }

    /**
     * Equation 4.35: a reduction up a binary tree.
     *
     * @param processes K.
     * @param bytes     of all portions.
     * @return time.
     */
    public double treeReduce(final int processes, final double bytes)
    {
        return (log2(processes + 1) - 1) * (pointToPoint(bytes / processes) + bytes / processes * reduceNs);
    }

    /**
     * Equation 4.38: a token that goes round once.
     *
     * @param processes K.
     * @param least     bytes of the smallest message.
     * @return time.
     */
    public double ringBarrier(final int processes, final double least)
    {
        return processes * pointToPoint(least);
    }

    /**
     * Equation 4.39: all tell one, and it answers all.
     *
     * @param processes K.
     * @param least     bytes of the smallest message.
     * @return time.
     */
    public double linearBarrier(final int processes, final double least)
    {
        return 2 * (processes - 1) * pointToPoint(least);
    }

    /**
     * Equation 4.40: a butterfly.
     *
     * @param processes K, a power of two.
     * @param least     bytes of the smallest message.
     * @return time.
     */
    public double butterflyBarrier(final int processes, final double least)
    {
        return log2(processes) * 2 * pointToPoint(least);
    }
}
