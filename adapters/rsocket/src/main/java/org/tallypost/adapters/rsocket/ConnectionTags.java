// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

/**
 * Tags of messages: what the message is, for which connection. A connection has a number from the rank that has opened it, so the
 * tag also says which of both sends. All of it is in 24 bits, so that the endpoint may have channels.
 */
final class ConnectionTags
{
    /** From the client: it wants a connection. */
    static final int OPEN = 0;
    /** From the server: there is one. */
    static final int ACCEPT = 1;
    /** From the server: there will be none. */
    static final int REFUSE = 2;
    /** One frame of RSocket, whatever its length. */
    static final int FRAME = 3;
    /** The sender sends nothing more. The other one answers with the same, and the number is free then. */
    static final int CLOSE = 4;
    /** Numbers of connections are less than this. */
    static final int ID_COUNT = 1 << 20;

    private static final int KIND_BITS = 3;
    private static final int CLIENT_BIT = 1 << KIND_BITS;
    private static final int ID_SHIFT = KIND_BITS + 1;

    private ConnectionTags()
    {
    }

    static int of(final int kind, final int id, final boolean isFromClient)
    {
        return id << ID_SHIFT | (isFromClient ? CLIENT_BIT : 0) | kind;
    }

    static int kind(final int tag)
    {
        return tag & CLIENT_BIT - 1;
    }

    static boolean isFromClient(final int tag)
    {
        return (tag & CLIENT_BIT) != 0;
    }

    /** Also negative or too large, of a tag that is none of these. */
    static int id(final int tag)
    {
        return tag >> ID_SHIFT;
    }

    /** Of a connection in the table of an endpoint. */
    static long key(final int rank, final int id, final boolean isClientHere)
    {
        return (long)rank << 32 | (long)id << 1 | (isClientHere ? 1 : 0);
    }
}
