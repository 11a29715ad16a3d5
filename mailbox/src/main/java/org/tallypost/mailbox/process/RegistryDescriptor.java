// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Layout of a node's registry file: which processes are there, and what every sending thread is just claiming.
 *
 * <pre>
 *  offset          length   field
 *  ------------------------------------------------------------------------------------------
 *       0               8   magic
 *       8               4   layout version, written last
 *      12               4   process entries P
 *      16               8   file length, bytes
 *      24               4   mark lines M
 *      28             100   unused, zero
 *     128               4   last incarnation given to a process
 *     132             124   padding
 *     256               8   membership version: changes whenever a process or a rank comes or goes
 *     264             120   padding
 *     384       P x   128   process entries
 *     384 + 128 P  M x 128  mark lines, see {@link ClaimMark}
 *
 *  process entry:
 *       0               4   state: 0 free, 1 live, 2 gone; together with the incarnation one aligned word
 *       4               4   incarnation
 *       8               8   pid
 *      16               8   start time
 *      24               8   namespaces: of pids (low 32 bits), of time (high 32 bits); 0 if unknown
 *      64               8   heartbeat, milliseconds since the epoch, or one more than the last if that is not less
 * </pre>
 */
public final class RegistryDescriptor
{
    /** "TALLYREG" as bytes. */
    public static final long MAGIC = 0x4745_5259_4C4C_4154L;
    /** Version of this layout. */
    public static final int VERSION = 2;

    /** Offset of the number of process entries. */
    public static final int PROCESSES_OFFSET = 12;
    /** Offset of the length of the file. */
    public static final int FILE_LENGTH_OFFSET = 16;
    /** Offset of the number of mark lines. */
    public static final int MARKS_OFFSET = 24;
    /** Offset of the last incarnation that was given to a process. */
    public static final int LAST_INCARNATION_OFFSET = MailboxDescriptor.LINE_LENGTH;
    /** Offset of the membership version. */
    public static final int MEMBERSHIP_OFFSET = LAST_INCARNATION_OFFSET + MailboxDescriptor.LINE_LENGTH;
    /** Offset of the process entries. */
    public static final int ENTRIES_OFFSET = MEMBERSHIP_OFFSET + MailboxDescriptor.LINE_LENGTH;

    /** Offset of the state in an entry. */
    public static final int STATE_OFFSET = 0;
    /** Offset of the incarnation in an entry. */
    public static final int INCARNATION_OFFSET = 4;
    /** Offset of the pid in an entry. */
    public static final int PID_OFFSET = 8;
    /** Offset of the start time in an entry. */
    public static final int START_TIME_OFFSET = 16;
    /** Offset of the namespaces in an entry. */
    public static final int NAMESPACE_OFFSET = 24;
    /** Offset of the heartbeat in an entry. */
    public static final int HEARTBEAT_OFFSET = 64;

    /** An entry that no process has. */
    public static final int STATE_FREE = 0;
    /** The entry of a process that lives. */
    public static final int STATE_LIVE = 1;
    /** The entry of a process that was declared gone. */
    public static final int STATE_GONE = 2;

    private RegistryDescriptor()
    {
    }

    /**
     * Offset of a process entry.
     *
     * @param process index of the process.
     * @return the offset in the file.
     */
    public static int entryOffset(final int process)
    {
        return ENTRIES_OFFSET + process * MailboxDescriptor.LINE_LENGTH;
    }

    /**
     * Offset of a mark line.
     *
     * @param processes number of process entries.
     * @param mark      index of the mark.
     * @return the offset in the file.
     */
    public static int markOffset(final int processes, final int mark)
    {
        return ENTRIES_OFFSET + (processes + mark) * MailboxDescriptor.LINE_LENGTH;
    }

    /**
     * Length of the file.
     *
     * @param processes number of process entries.
     * @param marks     number of mark lines.
     * @return the length in bytes.
     */
    public static long fileLength(final int processes, final int marks)
    {
        return ENTRIES_OFFSET + ((long)processes + marks) * MailboxDescriptor.LINE_LENGTH;
    }
}
