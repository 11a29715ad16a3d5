// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.io.File;
import java.io.PrintStream;
import java.util.List;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.harness.Control;
import org.tallypost.benchmarks.harness.PartyProcess;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.node.Node;

/**
 * A process with one rank.
 */
public final class ImbProcess
{
    private ImbProcess()
    {
    }

    /**
     * Serves turns until the standard input ends.
     *
     * @param args directory of the team, and the rank.
     */
    public static void main(final String[] args)
    {
        final PrintStream answers = System.out;
        // what libraries print is no answer
        System.setOut(System.err);
        final File directory = new File(args[0]);
        final int rank = Integer.parseInt(args[1]);
        PartyProcess.serve(System.in, answers, () -> roles(directory, rank), () ->
        {
            if (rank == 0)
            {
                // nothing else does if the parent was killed
                IoUtil.delete(directory, true);
                directory.getParentFile().delete();
            }
        });
    }

    /** The first process makes everything, and the control file last: the others wait for it. */
    private static List<Role> roles(final File directory, final int rank)
    {
        final ImbSpec spec = ImbSpec.read(directory);
        final File file = new File(directory, "control");
        final File raw = new File(directory, "raw");
        if (rank == 0)
        {
            final List<Node> nodes = ImbParty.launch(spec, directory);
            final UnsafeBuffer memory = ImbRaw.create(raw, spec);
            return List.of(new ImbParty(spec, rank, nodes, memory, Control.create(file)));
        }
        final Control control = Control.await(file, rank, spec.timeoutMs());
        return List.of(new ImbParty(spec, rank, ImbParty.launch(spec, directory), ImbRaw.attach(raw, spec), control));
    }
}
