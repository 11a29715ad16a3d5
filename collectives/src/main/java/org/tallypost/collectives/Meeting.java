// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.NoRoomException;

/** Where ranks meet to become a team: what is known of other ranks, and the files with names in which arenas are. */
interface Meeting
{
    /** This rank. */
    int rank();

    /** Incarnation of this rank. */
    int incarnation();

    /** State and incarnation of a rank, as {@link org.tallypost.endpoint.Endpoint#rankState}. */
    long rankState(int rank);

    /** Ends the sleep of a rank, as far as that is possible now. */
    void wake(int rank);

    /** Sends a message of two parts to a rank of another node, as {@link org.tallypost.endpoint.Endpoint#offer}. */
    long send(int rank, DirectBuffer head, int headLength, DirectBuffer data, int offset, int length);

    /**
     * Makes a file of zeros that others find by its name.
     *
     * @throws NoRoomException  if there is no room for it.
     * @throws MailboxException if there is one of that name.
     */
    Place create(String name, long length);

    /** A file that another rank, or this one, has made; null if there is none. */
    Place tryAttach(String name);

    /** A number that this process alone has: members with the same one can read one another's memory. */
    long process();

    /** Where the files with the memory of a team come from; null if there are none. */
    MemoryTable.Files memories(String team);

    /** A file with an arena. */
    interface Place
    {
        /** Where it is: no other file in this process is there. */
        String path();

        /** What is in it. */
        AtomicBuffer buffer();

        /** Ends the use of it here. The maker's file loses its name. */
        void close();
    }
}
