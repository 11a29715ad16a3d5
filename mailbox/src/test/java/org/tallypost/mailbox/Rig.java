// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.RegistryDescriptor;

/** A mailbox with its consumer and the registry of its senders, in a directory of a test. */
public final class Rig
{
    static final int TYPE = MailboxDescriptor.TYPE_FIRST_USER;
    static final int PROCESSES = 16;
    static final int MARKS = 32;

    public final Registry registry;
    public final Mailbox box;
    final MailboxPoller poller;
    /** Index of the entry of this process, which is live. */
    public final int process;
    private final UnsafeBuffer registryBuffer;

    public Rig(final File directory, final int sources, final int ringSlots, final int runSlots)
    {
        registry = Registry.create(registryFile(directory), PROCESSES, MARKS);
        registryBuffer = MappedFiles.map(registryFile(directory), RegistryDescriptor.ENTRIES_OFFSET, "registry");
        box = Mailbox.create(boxFile(directory), 7, 1, sources, ringSlots, runSlots);
        poller = new MailboxPoller(box);
        process = join();
    }

    static File registryFile(final File directory)
    {
        return new File(directory, "registry");
    }

    static File boxFile(final File directory)
    {
        return new File(directory, "box");
    }

    /** Enters a process of its own, so that it can be gone while this JVM lives. */
    public int join()
    {
        return registry.join(System.currentTimeMillis());
    }

    public ClaimMark takeMark(final int ofProcess)
    {
        return registry.takeMark(ofProcess, registry.incarnation(ofProcess));
    }

    /** What {@link Registry#declareGone} does with a process that is dead. */
    public void declareGone(final int gone)
    {
        registryBuffer.putIntRelease(
            RegistryDescriptor.entryOffset(gone) + RegistryDescriptor.STATE_OFFSET, RegistryDescriptor.STATE_GONE);
    }

    /** Memory of the registry, to look at or to damage. */
    UnsafeBuffer registryBuffer()
    {
        return registryBuffer;
    }

    /** The addition alone, as if the thread stopped right after it. */
    long add(final int slots)
    {
        return box.buffer().getAndAddLong(MailboxDescriptor.WRITE_POSITION_OFFSET, slots);
    }

    /** Sends one run with everything that belongs to it. */
    public long send(final ClaimMark mark, final int source, final long sequence, final int length)
    {
        mark.intend(box.claimKey(), MailboxDescriptor.slots(length));
        final long position = box.claim(mark, MailboxDescriptor.slots(length));
        Payload.fill(box.buffer(), box.payloadOffset(position), length, source, sequence);
        box.publish(mark, position, TYPE, 0, length, source);
        return position;
    }

    int recover()
    {
        return poller.recover(registry, (source) -> true);
    }
}
