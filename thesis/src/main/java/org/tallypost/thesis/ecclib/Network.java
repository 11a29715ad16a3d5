// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A network of the source. What is fitted: the start-up costs, to the tables 7.2, 11.1 and 11.4.
 *
 * @param name         of it.
 * @param byteNs       time of a byte on the wire.
 * @param kind         of medium.
 * @param isFramed     whether frames have headers and gaps, and long data are cut into them.
 * @param startNs      of a message of LAM, by the process that sends it: table 7.2.
 * @param connectNs    of a connection of ECCLib, with the first message on it: the slope of table 11.4.
 * @param sessionNs    that RUDP spends on each receiver before it sends: the slope of table 11.1.
 * @param openNs       that RUDP spends once before it sends: table 11.1 without receivers.
 * @param reduceNs     time to reduce a byte; assumed, the source has none.
 */
record Network(
    String name, double byteNs, Kind kind, boolean isFramed, double startNs, double connectNs, double sessionNs, double openNs,
    double reduceNs)
{
    /** LIDI: two hubs, hosts of 100 to 500 MHz. */
    static final Network SLOW = new Network("bus of 10 Mb/s", 800, Kind.BUS, true, 130_000, 2_600_000, 3_500_000, 0, 20);
    /** Cluster: one switch, half duplex, hosts of 700 MHz. */
    static final Network FAST =
        new Network("switch of 100 Mb/s", 80, Kind.HALF_DUPLEX, true, 25_000, 107_000, 286_000, 370_000, 10);

    private static final int MTU = 1500;
    /** Preamble, Ethernet header, checksum, and the gap between frames. */
    private static final int ETHERNET = 8 + 14 + 4 + 12;
    private static final int LEAST_FRAME = 84;
    private static final int IP = 20;
    private static final int UDP = 8;
    /** With the time stamps that Linux adds. */
    private static final int TCP = 32;

    /** What hosts share. */
    enum Kind
    {
        /** One transmission at a time, which all hear. */
        BUS,
        /** A port of each host sends or receives. */
        HALF_DUPLEX,
        /** A port of each host sends and receives. */
        FULL_DUPLEX
    }

    /** Without headers, without costs but a start-up: what the formulas are about. */
    static Network ideal(final Kind kind, final double byteNs, final double startNs)
    {
        return new Network("ideal", byteNs, kind, false, startNs, startNs, startNs, 0, 0);
    }

    /** Bytes of a TCP segment. */
    int segment()
    {
        return isFramed ? MTU - IP - TCP : Integer.MAX_VALUE;
    }

    /** Time of a segment on the wire, with its half of the frame that acknowledges two. */
    double segmentNs(final int bytes)
    {
        return byteNs * (isFramed ? frame(IP + TCP + bytes) + frame(IP + TCP) / 2.0 : bytes);
    }

    /** Time of a datagram with all its frames. */
    double datagramNs(final int bytes)
    {
        if (!isFramed)
        {
            return byteNs * bytes;
        }
        final int fragment = (MTU - IP) / 8 * 8;
        double wire = 0;
        for (int left = bytes + UDP; left > 0; left -= fragment)
        {
            wire += frame(IP + Math.min(left, fragment));
        }
        return byteNs * wire;
    }

    private static int frame(final int packet)
    {
        return Math.max(LEAST_FRAME, packet + ETHERNET);
    }

    /** A switch hands on a frame when it has all of it. */
    double delayNs()
    {
        return isFramed && kind != Kind.BUS ? byteNs * (MTU + ETHERNET) : 0;
    }

    Map<String, Object> description()
    {
        final Map<String, Object> description = new LinkedHashMap<>();
        description.put(name, kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", " + byteNs + " ns a byte; " +
            "no collisions");
        description.put(name + ": start-up of a message, fitted to table 7.2", startNs / 1000 + " us");
        description.put(name + ": connection, fitted to table 11.4", connectNs / 1000 + " us");
        description.put(name + ": session of RUDP, fitted to table 11.1", openNs / 1000 + " us, and " + sessionNs / 1000 +
            " us for each receiver");
        description.put(name + ": reducing a byte, assumed", reduceNs + " ns");
        return description;
    }
}
