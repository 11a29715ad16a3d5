// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.IoUtil;
import org.tallypost.benchmarks.harness.Control;
import org.tallypost.benchmarks.harness.PartyProcess;
import org.tallypost.benchmarks.harness.Patience;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * A process of a team of one transport: one party, or all of them as threads.
 */
public final class TransportProcess
{
    static final String DRIVER = "driver";

    private final TeamSpec spec;
    private final File directory;
    private final int process;
    private final List<Transport> transports = new ArrayList<>();

    TransportProcess(final TeamSpec spec, final File directory, final int process)
    {
        this.spec = spec;
        this.directory = directory;
        this.process = process;
    }

    /**
     * Serves turns until the standard input ends.
     *
     * @param args directory of the team, and number of the process or {@code driver}.
     * @throws IOException if the standard input of a driver cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final PrintStream answers = System.out;
        // what libraries print is no answer
        System.setOut(System.err);
        final File directory = new File(args[0]);
        if (args[1].equals(DRIVER))
        {
            runDrivers(directory);
            return;
        }
        final int process = Integer.parseInt(args[1]);
        PartyProcess.serve(System.in, answers,
            () -> new TransportProcess(TeamSpec.read(directory), directory, process).roles(),
            () ->
            {
                if (process == 0)
                {
                    // nothing else does if the parent was killed
                    IoUtil.delete(directory, true);
                    directory.getParentFile().delete();
                }
            });
    }

    private static void runDrivers(final File directory) throws IOException
    {
        final TeamSpec spec = TeamSpec.read(directory);
        final List<MediaDriver> drivers = new ArrayList<>();
        for (int cell = 0; cell < spec.cells().size(); cell++)
        {
            if (spec.cells().get(cell) != null)
            {
                drivers.add(AeronTransport.launchDriver(place(directory, cell), ThreadingMode.SHARED));
            }
        }
        while (System.in.read() >= 0)
        {
            Thread.onSpinWait();
        }
        drivers.forEach(MediaDriver::close);
    }

    private static File place(final File directory, final int cell)
    {
        final File place = new File(directory, "cell-" + cell);
        IoUtil.ensureDirectoryExists(place, "cell");
        return place;
    }

    /** The first process makes everything, and the control file last: the others wait for it. */
    List<Role> roles()
    {
        final File file = new File(directory, "control");
        final Control control;
        if (process == 0)
        {
            openTransports();
            control = Control.create(file);
        }
        else
        {
            control = Control.await(file, process, spec.timeoutMs());
            openTransports();
        }
        final List<Role> roles = new ArrayList<>();
        final int last = spec.isOneProcess() ? spec.parties() - 1 : process;
        for (int party = process; party <= last; party++)
        {
            roles.add(new TransportRole(party, control));
        }
        return roles;
    }

    /** For processes that do not end when their turns do. */
    void close()
    {
        transports.stream().filter(Objects::nonNull).forEach(Transport::close);
    }

    private void openTransports()
    {
        for (int i = 0; i < spec.cells().size(); i++)
        {
            final LinkSpec cell = spec.cells().get(i);
            transports.add(cell == null || process >= cell.parties() ? null :
                Transport.of(cell, place(directory, i), process));
        }
    }

    /** One party in all cells. */
    private final class TransportRole implements Role
    {
        private final int party;
        private final Control control;
        private final List<CellParty> parties = new ArrayList<>();
        private final List<Patience> patiences = new ArrayList<>();

        TransportRole(final int party, final Control control)
        {
            this.party = party;
            this.control = control;
        }

        @Override
        public void open()
        {
            final int cores = Runtime.getRuntime().availableProcessors();
            for (int i = 0; i < spec.cells().size(); i++)
            {
                final LinkSpec cell = spec.cells().get(i);
                if (cell == null || party >= cell.parties())
                {
                    parties.add(null);
                    patiences.add(null);
                    continue;
                }
                final Link link = transports.get(i).open(party);
                final Patience patience = new Patience(control, party, cell.isOversubscribed(cores),
                    cell.scope() == Scope.NETWORK ? link::work : null);
                patiences.add(patience);
                parties.add(CellParty.of(new CellParty.Seat(cell, control, link, party, patience, spec.slowPercent(),
                    TimeUnit.MILLISECONDS.toNanos(spec.turnMs()), spec.isMixed())));
            }
        }

        @Override
        public boolean takesPart(final int cell)
        {
            return parties.get(cell) != null;
        }

        @Override
        public void meet(final Task task)
        {
            if (party == process)
            {
                DriverRest.turn(true);
            }
            final Patience patience = patiences.get(task.cell());
            patience.restart(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs()));
            control.await(party, spec.cells().get(task.cell()).parties(), task.step(), patience);
        }

        @Override
        public Role.Measured take(final Task task)
        {
            try
            {
                return parties.get(task.cell()).take(task);
            }
            catch (final RuntimeException | Error ex)
            {
                control.abort();
                throw ex;
            }
            finally
            {
                if (party == process)
                {
                    DriverRest.turn(false);
                }
            }
        }
    }
}
