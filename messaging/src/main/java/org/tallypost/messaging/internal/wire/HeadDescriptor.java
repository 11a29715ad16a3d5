// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.wire;

/**
 * The heads of messages between messengers, in front of the program's bytes, or alone. Numbers are little-endian.
 *
 * <pre>
 *  EAGER_EXTENDED, EAGER_SYNC, RTS, RTS_REGION, RTS_LOAN, RTS_MEMORY, CANCEL, offset length
 *       0  4   context
 *       4  4   message tag; the end of EAGER_EXTENDED
 *       8  8   send id; the end of EAGER_SYNC and CANCEL
 *      16  8   message length; the end of RTS
 *      24 16   place key, of RTS_REGION and RTS_LOAN
 *      40  8   place position in the region, 0 in a loan
 *      24  8   memory address, of RTS_MEMORY
 *      32  8   address of the proof
 *      40  8   proof
 *  CTS, DONE, CANCELLED
 *       0  8   answered send id; the end of DONE and CANCELLED
 *       8  8   receive id, of CTS
 *      16  8   wanted length; the end of CTS without a staging area
 *      24 16   staging key, of CTS with an area
 *      40  8   staging length
 *  DATA
 *       0  8   asking receive id
 *       8  8   data position
 *  WINDOW
 *       0  8   session
 *       8  8   bytes limit
 *      16  8   announcements limit
 *  HELLO
 *       0  8   new session
 *       8  8   version
 *  LOOK has no head
 *  GOODBYE
 *       0  8   left session
 *       8  8   heard session
 * </pre>
 */
public final class HeadDescriptor
{
    /** Context of a message. */
    public static final int CONTEXT_OFFSET = 0;
    /** Tag of a message. */
    public static final int TAG_OFFSET = CONTEXT_OFFSET + Integer.BYTES;
    /** Head of EAGER_EXTENDED. */
    public static final int EXTENDED_LENGTH = TAG_OFFSET + Integer.BYTES;
    /** Id of a send. */
    public static final int SEND_ID_OFFSET = EXTENDED_LENGTH;
    /** Head of EAGER_SYNC; all of CANCEL. */
    public static final int SYNC_LENGTH = SEND_ID_OFFSET + Long.BYTES;
    /** Length of a message. */
    public static final int MESSAGE_LENGTH_OFFSET = SYNC_LENGTH;
    /** All of RTS. */
    public static final int RTS_LENGTH = MESSAGE_LENGTH_OFFSET + Long.BYTES;
    /** Key of the region or the loan that has the bytes. */
    public static final int PLACE_KEY_OFFSET = RTS_LENGTH;
    /** Where in it they begin. */
    public static final int PLACE_POSITION_OFFSET = PLACE_KEY_OFFSET + 16;
    /** Address of the bytes in the memory of the sender's process. */
    public static final int PLACE_ADDRESS_OFFSET = PLACE_KEY_OFFSET;
    /** Address of the proof that it is that process. */
    public static final int PROOF_ADDRESS_OFFSET = PLACE_ADDRESS_OFFSET + Long.BYTES;
    /** The 8 bytes that are there. */
    public static final int PROOF_OFFSET = PROOF_ADDRESS_OFFSET + Long.BYTES;
    /** All of RTS_REGION, RTS_LOAN and RTS_MEMORY, which take one slot. */
    public static final int PLACED_LENGTH = PLACE_POSITION_OFFSET + Long.BYTES;
    /** What of it says where the bytes are. */
    public static final int PLACE_LENGTH = PLACED_LENGTH - PLACE_KEY_OFFSET;

    /** Id of the send that is answered. */
    public static final int ANSWERED_ID_OFFSET = 0;
    /** All of DONE and CANCELLED. */
    public static final int DONE_LENGTH = ANSWERED_ID_OFFSET + Long.BYTES;
    /** Id of the receive that is to get the bytes. */
    public static final int RECEIVE_ID_OFFSET = DONE_LENGTH;
    /** Bytes that the receive takes. */
    public static final int WANTED_OFFSET = RECEIVE_ID_OFFSET + Long.BYTES;
    /** All of CTS without a staging area. */
    public static final int CTS_LENGTH = WANTED_OFFSET + Long.BYTES;
    /** Key of the region that the bytes may be put into. */
    public static final int STAGING_KEY_OFFSET = CTS_LENGTH;
    /** Its length. */
    public static final int STAGING_LENGTH_OFFSET = STAGING_KEY_OFFSET + 16;
    /** All of CTS with a staging area, which takes one slot. */
    public static final int CTS_STAGED_LENGTH = STAGING_LENGTH_OFFSET + Long.BYTES;

    /** Id of the receive that gets the bytes. */
    public static final int ASKING_ID_OFFSET = 0;
    /** Where in the message the bytes belong. */
    public static final int POSITION_OFFSET = ASKING_ID_OFFSET + Long.BYTES;
    /** Head of DATA. */
    public static final int DATA_LENGTH = POSITION_OFFSET + Long.BYTES;

    /** Which meeting of the two is meant. */
    public static final int SESSION_OFFSET = 0;
    /** Limit of bytes. */
    public static final int BYTES_LIMIT_OFFSET = SESSION_OFFSET + Long.BYTES;
    /** Limit of announcements. */
    public static final int ANNOUNCEMENTS_LIMIT_OFFSET = BYTES_LIMIT_OFFSET + Long.BYTES;
    /** All of WINDOW. */
    public static final int WINDOW_LENGTH = ANNOUNCEMENTS_LIMIT_OFFSET + Long.BYTES;

    /** Version of these layouts. */
    public static final int VERSION_OFFSET = SESSION_OFFSET + Long.BYTES;
    /** All of HELLO. */
    public static final int HELLO_LENGTH = VERSION_OFFSET + Long.BYTES;
    /** The version. */
    public static final long VERSION = 0x4D53_4706L;

    /** The session of the one that says goodbye, as a sender; 0 if it had not greeted. */
    public static final int LEFT_SESSION_OFFSET = 0;
    /** The session of the one that hears it, as a sender; 0 if the other has heard of none. */
    public static final int HEARD_SESSION_OFFSET = LEFT_SESSION_OFFSET + Long.BYTES;
    /** All of GOODBYE. */
    public static final int GOODBYE_LENGTH = HEARD_SESSION_OFFSET + Long.BYTES;
    /** In the tag of GOODBYE: nothing comes any more with low priority, so no message. */
    public static final int GOODBYE_LOW = 1;
    /** In the tag of GOODBYE: nothing comes any more with high priority. */
    public static final int GOODBYE_HIGH = 2;
    /** In the tag of GOODBYE: nothing comes any more. Two with one priority each say the same. */
    public static final int GOODBYE_ALL = GOODBYE_LOW | GOODBYE_HIGH;

    /** Longest head of all. */
    public static final int MAX_LENGTH = PLACED_LENGTH;

    private HeadDescriptor()
    {
    }
}
