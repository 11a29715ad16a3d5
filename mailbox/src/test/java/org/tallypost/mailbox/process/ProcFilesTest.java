// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;

/** What may be believed of a /proc, for each kind of it that programs find in sandboxes. */
class ProcFilesTest
{
    private static final long PID = 17;
    private static final long START = 5_000;
    private static final long NAMESPACE = 43L << 32 | 42;

    @TempDir
    Path root;

    private String mountOptions = "rw";
    private String pids = "\t17";

    @BeforeEach
    void makeOwnProcess() throws IOException
    {
        process(PID, START, 'S', 20);
        Files.createSymbolicLink(root.resolve("self"), Paths.get("17"));
        namespace("17", "pid", "pid:[42]");
        namespace("17", "time", "time:[43]");
    }

    private void process(final long pid, final long start, final char state, final int threads) throws IOException
    {
        final Path directory = Files.createDirectories(root.resolve(Long.toString(pid)));
        final StringBuilder stat = new StringBuilder(pid + " (a ) b) " + state);
        for (int field = 1; field < 40; field++)
        {
            stat.append(' ').append(field == 17 ? threads : field == 19 ? start : 0);
        }
        Files.writeString(directory.resolve("stat"), stat);
    }

    private void namespace(final String process, final String name, final String target) throws IOException
    {
        final Path directory = Files.createDirectories(root.resolve(process).resolve("ns"));
        Files.deleteIfExists(directory.resolve(name));
        Files.createSymbolicLink(directory.resolve(name), Paths.get(target));
    }

    private ProcFiles proc() throws IOException
    {
        Files.writeString(root.resolve("self/mountinfo"), "20 1 0:5 / / rw - tmpfs tmpfs rw,hidepid=2\n" +
            "22 27 0:20 / " + root + " rw,nosuid shared:13 - proc proc " + mountOptions + "\n");
        Files.writeString(root.resolve("self/status"), "Name:\tjava\nNgid:\t0\n" + (pids == null ? "" : "NSpid:" + pids + "\n"));
        return new ProcFiles(root, PID);
    }

    private static ProcessIdentity other(final long pid, final long start)
    {
        return new ProcessIdentity(pid, start, NAMESPACE);
    }

    @Test
    void shouldProveLifeAndDeathInOnesOwnNamespace() throws IOException
    {
        process(18, 6_000, 'R', 1);
        process(19, 7_000, 'Z', 1);
        process(20, 8_000, 'Z', 2);
        final ProcFiles proc = proc();
        assertEquals(START, proc.current().startTime());
        assertEquals(NAMESPACE, proc.current().namespace());
        assertEquals(Liveness.ALIVE, proc.probe(proc.current()));
        assertEquals(Liveness.ALIVE, proc.probe(other(18, 6_000)));
        assertEquals(Liveness.DEAD, proc.probe(other(18, 6_001)), "its pid is another's now");
        assertEquals(Liveness.DEAD, proc.probe(other(19, 7_000)), "a zombie");
        assertEquals(Liveness.ALIVE, proc.probe(other(20, 8_000)), "a zombie with a thread that may still store");
        assertEquals(Liveness.DEAD, proc.probe(other(21, 9_000)));
        assertEquals(Liveness.UNKNOWN, proc.probe(new ProcessIdentity(21, 9_000, 43L << 32 | 44)), "of another pid namespace");
        assertEquals(Liveness.UNKNOWN, proc.probe(new ProcessIdentity(18, 6_000, 44L << 32 | 42)), "of another time namespace");
    }

    /** A sandbox shows the /proc of its host, where this process has another pid, and a stranger has this one's. */
    @Test
    void shouldNotBelieveTheProcOfAnotherNamespace() throws IOException
    {
        pids = "\t4711\t17";
        process(18, 6_000, 'R', 1);
        final ProcFiles proc = proc();
        assertEquals(PID, proc.current().pid());
        assertEquals(Liveness.UNKNOWN, proc.probe(other(18, 6_000)));
        assertEquals(Liveness.UNKNOWN, proc.probe(other(18, 1)), "the number is a stranger's there");
        assertEquals(Liveness.UNKNOWN, proc.probe(other(21, 9_000)), "not there is not dead");
        // the same number in both, by chance
        pids = "\t17\t17";
        assertEquals(Liveness.UNKNOWN, proc().probe(other(21, 9_000)));
        pids = "\t4711";
        assertEquals(Liveness.UNKNOWN, proc().probe(other(21, 9_000)));
    }

    @Test
    void shouldCompareTheLinkWhereThereIsNoListOfPids() throws IOException
    {
        pids = null;
        assertEquals(Liveness.DEAD, proc().probe(other(21, 9_000)));
        assertEquals(Liveness.UNKNOWN, new ProcFiles(root, 4711).probe(other(21, 9_000)));
    }

    @Test
    void shouldTakeItsPidFromProcIfTheJvmDoesNotTell() throws IOException
    {
        proc();
        assertEquals(PID, new ProcFiles(root, 0).current().pid());
    }

    @Test
    void shouldNotTakeHiddenForDead() throws IOException
    {
        process(18, 6_000, 'R', 1);
        for (final String hidden : new String[]{"rw,hidepid=1", "rw,hidepid=2", "rw,gid=4,hidepid=invisible", "rw,hidepid=4"})
        {
            mountOptions = hidden;
            assertEquals(Liveness.ALIVE, proc().probe(other(18, 6_000)), hidden);
            assertEquals(Liveness.DEAD, proc().probe(other(18, 6_001)), hidden);
            assertEquals(Liveness.UNKNOWN, proc().probe(other(21, 9_000)), hidden);
        }
        for (final String shown : new String[]{"rw,hidepid=0", "rw,hidepid=off", "rw"})
        {
            mountOptions = shown;
            assertEquals(Liveness.DEAD, proc().probe(other(21, 9_000)), shown);
        }
        Files.delete(root.resolve("17/mountinfo"));
        assertEquals(Liveness.UNKNOWN, new ProcFiles(root, PID).probe(other(21, 9_000)), "how it is mounted is not known");
    }

    @Test
    void shouldNotTakeAProcThatIsInPartsOnlyForProof() throws IOException
    {
        process(18, 0, 'R', 1);
        assertEquals(Liveness.UNKNOWN, proc().probe(other(18, 0)), "no start time is told");
        final ProcFiles before = proc();
        Files.delete(root.resolve("17/stat"));
        assertEquals(Liveness.UNKNOWN, before.probe(other(21, 9_000)), "this process is not seen either");
        Files.createDirectories(root.resolve("22"));
        Files.writeString(root.resolve("22/stat"), "nonsense");
        assertEquals(Liveness.ALIVE, before.probe(other(22, 9_000)), "there is one, and nothing says that it is another");
        Files.delete(root.resolve("17/ns/pid"));
        process(PID, START, 'S', 20);
        final ProcFiles nameless = proc();
        assertEquals(0, nameless.current().namespace());
        assertEquals(Liveness.UNKNOWN, nameless.probe(new ProcessIdentity(21, 9_000, 0)), "two that are not known are not equal");
        final ProcFiles nothing = new ProcFiles(root.resolve("none"), PID);
        assertEquals(Liveness.UNKNOWN, nothing.probe(nothing.current()));
    }
}
