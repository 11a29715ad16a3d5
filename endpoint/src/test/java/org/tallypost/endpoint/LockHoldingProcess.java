// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.tallypost.mailbox.process.NodeLock;

/** Holds the lock of a node until it reads a line. Argument: the node's directory. */
public final class LockHoldingProcess
{
    static final String HELD = "held";

    private LockHoldingProcess()
    {
    }

    /**
     * Entry point.
     *
     * @param args the directory.
     */
    public static void main(final String[] args)
    {
        NodeLock.locked(NodeLock.file(new File(args[0])), () ->
        {
            System.out.println(HELD);
            try
            {
                return System.in.read();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }
}
