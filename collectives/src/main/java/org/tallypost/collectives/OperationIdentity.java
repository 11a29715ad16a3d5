// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** What an operation is, as numbers that members compare: they differ if members have called different operations. */
final class OperationIdentity
{
    private static final long MIX_1 = 0xbf58_476d_1ce4_e5b9L;
    private static final long MIX_2 = 0x94d0_49bb_1331_11ebL;
    private static final long NAME_SEED = 0xcbf2_9ce4_8422_2325L;
    private static final long NAME_FACTOR = 0x100_0000_01b3L;

    private long passed;
    private long salt;
    private long whole;

    /** What the members must have alike beside what they pass: the operation that this one is a part of. */
    void salt(final long value)
    {
        salt = value;
    }

    /** What all members must have passed alike. */
    void pass(final Kind kind, final long typeAndReducer, final int root, final int length, final int distribution)
    {
        passed = mix(kind.ordinal() + 1 ^ typeAndReducer);
        passed = mix(passed ^ (long)root << Integer.SIZE ^ length & 0xFFFF_FFFFL);
        passed = mix(passed ^ distribution ^ salt);
    }

    /** The length of the longest portion, which members have not known before. */
    void settle(final int longest)
    {
        passed = mix(passed ^ longest);
    }

    /** How it goes through the arena. */
    void go(final Algorithm algorithm, final boolean isExposing)
    {
        whole = mix(passed ^ (long)algorithm.ordinal() << 1 ^ (isExposing ? 1 : 0));
    }

    /** What was passed: without the algorithm, which members of other nodes need not share. */
    long passed()
    {
        return passed;
    }

    /** What was passed, and how it goes. */
    long whole()
    {
        return whole;
    }

    static long typeAndReducer(final ElementType type, final Reducer reducer)
    {
        long hash = NAME_SEED;
        for (int i = 0; i < reducer.name().length(); i++)
        {
            hash = (hash ^ reducer.name().charAt(i)) * NAME_FACTOR;
        }
        return mix(hash ^ type.ordinal() + 1);
    }

    static long mix(final long value)
    {
        long mixed = value;
        mixed = (mixed ^ mixed >>> 30) * MIX_1;
        mixed = (mixed ^ mixed >>> 27) * MIX_2;
        return mixed ^ mixed >>> 31;
    }
}
