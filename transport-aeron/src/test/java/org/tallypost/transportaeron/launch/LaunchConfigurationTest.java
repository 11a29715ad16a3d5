// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.NodeContext;

/** What a process learns of its group, from maps in place of the context, the properties and the environment. */
class LaunchConfigurationTest
{
    @TempDir
    private File directory;

    private final Map<LaunchSetting, String> context = new EnumMap<>(LaunchSetting.class);
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();

    private LaunchConfiguration resolve()
    {
        return LaunchConfiguration.resolve(context, properties::get, variables::get);
    }

    private String refusal(final String... expected)
    {
        final String message = assertThrows(IllegalArgumentException.class, this::resolve).getMessage();
        for (final String part : expected)
        {
            assertTrue(message.contains(part), message);
        }
        return message;
    }

    private LaunchConfigurationTest set(final String... namesAndValues)
    {
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            variables.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return this;
    }

    private void file(final String... lines) throws IOException
    {
        final File file = new File(directory, "launch");
        Files.write(file.toPath(), List.of(lines));
        variables.put("TALLYPOST_LAUNCH_FILE", file.getPath());
    }

    @Test
    void shouldNameSettingsAlikeEverywhere()
    {
        assertEquals("secretFile", LaunchSetting.SECRET_FILE.key());
        assertEquals("tallypost.secretFile", LaunchSetting.SECRET_FILE.property());
        assertEquals("TALLYPOST_SECRET_FILE", LaunchSetting.SECRET_FILE.variable());
    }

    @Test
    void shouldTakeEachSettingFromTheFirstPlaceThatHasIt() throws IOException
    {
        final String[] places = {"context", "system property", "environment variable", "file", "environment of OPEN_MPI"};
        set("OMPI_COMM_WORLD_RANK", "4", "OMPI_COMM_WORLD_SIZE", "8", "OMPI_COMM_WORLD_LOCAL_SIZE", "8");
        file("rank = 3", "group = from-file");
        set("TALLYPOST_RANK", "2");
        properties.put("tallypost.rank", "1");
        context.put(LaunchSetting.RANK, "0");
        final Runnable[] removals = {
            () -> context.clear(), () -> properties.clear(), () -> variables.remove("TALLYPOST_RANK"),
            () -> variables.remove("TALLYPOST_LAUNCH_FILE"), () -> variables.clear()};
        for (int place = 0; place < places.length; place++)
        {
            final LaunchConfiguration found = resolve();
            assertEquals(place, found.rank());
            assertEquals(8, found.rankCount());
            assertTrue(found.origin(LaunchSetting.RANK).contains(places[place]), found.origin(LaunchSetting.RANK));
            assertEquals(place < 4 ? "from-file" : null, found.groupName());
            removals[place].run();
        }
        refusal("number of ranks is not known", "TALLYPOST_RANKS");
    }

    @Test
    void shouldKnowAProcessThatWasStartedAlone()
    {
        assertFalse(LaunchConfiguration.isLaunched(properties::get, variables::get));
        set("TALLYPOST_DIRECTORY", "/dev/shm");
        assertFalse(LaunchConfiguration.isLaunched(properties::get, variables::get));
        properties.put("tallypost.ranks", "2");
        assertTrue(LaunchConfiguration.isLaunched(properties::get, variables::get));
        properties.clear();
        set("OMPI_COMM_WORLD_RANK", "4", "OMPI_COMM_WORLD_SIZE", "8");
        assertTrue(LaunchConfiguration.isLaunched(properties::get, variables::get));
    }

    @Test
    void shouldMakeAContext()
    {
        set("TALLYPOST_RANKS", "3", "TALLYPOST_RANK", "1");
        final NodeContext one = resolve().context();
        assertEquals(3, one.rankCount());
        assertEquals("tallypost", one.groupName());
        assertEquals("tallypost-" + System.getProperty("user.name") + "-tallypost-node-0", one.directory().getName());
        assertNull(one.transport(), "one node needs none");
        set("TALLYPOST_NODES", "alpha,beta", "TALLYPOST_GROUP", "orders", "TALLYPOST_DIRECTORY", directory.getPath(),
            "TALLYPOST_RANK", "2");
        final NodeContext two = resolve().context();
        assertEquals("orders", two.groupName());
        assertEquals(directory.getPath() + "/tallypost-" + System.getProperty("user.name") + "-orders-node-1",
            two.directory().getPath());
        assertEquals(1, two.transport().node());
        assertEquals("0x2 1x1", two.transport().rankMap().layout());
    }

    /** A process that gets no processor for some seconds is there still. */
    @Test
    void shouldLetOtherNodesStandStillForAsLongAsIsSet()
    {
        set("TALLYPOST_RANKS", "2", "TALLYPOST_RANK", "1");
        assertEquals(new NodeContext().livenessIntervalNs(), resolve().context().livenessIntervalNs(), "one node");
        set("TALLYPOST_NODES", "alpha,beta");
        assertEquals(20_000_000_000L, resolve().context().livenessIntervalNs());
        set("TALLYPOST_LIVENESS_SECONDS", "90");
        assertEquals(90_000_000_000L, resolve().context().livenessIntervalNs());
        set("TALLYPOST_NODES", "alpha");
        assertEquals(90_000_000_000L, resolve().context().livenessIntervalNs(), "one node");
        set("TALLYPOST_LIVENESS_SECONDS", "0");
        refusal("livenessSeconds out of range: found=0 (from environment variable TALLYPOST_LIVENESS_SECONDS), " +
            "expected=1 to 86400");
    }

    @Test
    void shouldMakeNoDirectoryForTheNodesDirectories() throws IOException
    {
        final File file = new File(directory, "file");
        assertTrue(file.createNewFile());
        for (final File place : new File[]{new File(directory, "missing"), file})
        {
            set("TALLYPOST_RANKS", "3", "TALLYPOST_RANK", "1", "TALLYPOST_DIRECTORY", place.getPath());
            final LaunchConfiguration launch = resolve();
            final String message = assertThrows(IllegalArgumentException.class, launch::context).getMessage();
            assertEquals("directory: found=" + place + " (from environment variable TALLYPOST_DIRECTORY), expected an existing " +
                "directory, in which each node makes one of its own", message);
        }
        assertFalse(new File(directory, "missing").exists());
    }

    @Test
    void shouldFindTheLaunchFileByPropertyAndContext() throws IOException
    {
        file("ranks = 3");
        final String path = variables.remove("TALLYPOST_LAUNCH_FILE");
        properties.put("tallypost.launchFile", path);
        assertEquals(3, resolve().rankCount());
        properties.clear();
        context.put(LaunchSetting.FILE, path);
        assertEquals(3, resolve().rankCount());
        context.put(LaunchSetting.FILE, path + ".missing");
        refusal("cannot read the launch file", path + ".missing");
    }

    @Test
    void shouldStartOnOpenMpi()
    {
        set("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_LOCAL_RANK", "2",
            "OMPI_COMM_WORLD_LOCAL_SIZE", "4", "PMIX_RANK", "2");
        final LaunchConfiguration found = resolve();
        assertEquals(Launcher.OPEN_MPI, found.launcher());
        assertEquals(2, found.rank());
        assertEquals(4, found.rankCount());
        assertEquals(0, found.node());
        assertEquals("127.0.0.1:40123", found.topology().address(0).toString());
    }

    @Test
    void shouldAskForAddressesWhenALauncherSpreadsRanksOverHosts()
    {
        set("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_LOCAL_SIZE", "2");
        refusal("several hosts", "ranks=4", "on this host=2", "TALLYPOST_NODES");
        set("TALLYPOST_NODES", "alpha, beta:5000");
        final LaunchConfiguration found = resolve();
        assertEquals(1, found.node());
        assertEquals("0x2 1x2", found.topology().map().layout());
        assertEquals("beta:5000", found.topology().address(1).toString());
        assertEquals("alpha:40123", found.topology().address(0).toString());
    }

    @Test
    void shouldStartOnPmiAndPmix()
    {
        set("PMI_RANK", "1", "PMI_SIZE", "3", "MPI_LOCALNRANKS", "3");
        assertEquals(Launcher.PMI, resolve().launcher());
        assertEquals(1, resolve().rank());
        assertEquals(3, resolve().rankCount());
        set("MPI_LOCALNRANKS", "1");
        refusal("several hosts");
        variables.clear();
        set("PMIX_RANK", "5");
        refusal("PMIX does not tell", "TALLYPOST_RANKS");
        set("TALLYPOST_RANKS", "6");
        refusal("PMIX does not tell on which hosts", "TALLYPOST_NODES");
        set("TALLYPOST_NODES", "127.0.0.1");
        assertEquals(Launcher.PMIX, resolve().launcher());
        assertEquals(5, resolve().rank());
    }

    /** What a launcher does not tell is not known: several hosts are never taken for one. */
    @Test
    void shouldRefuseToGuessThatAllRanksAreOnThisHost()
    {
        final String[][] environments = {
            {"PMI_RANK", "2", "PMI_SIZE", "4"},
            {"PMI_RANK", "2", "PMI_SIZE", "4", "FLUX_TASK_RANK", "2", "FLUX_JOB_SIZE", "4", "FLUX_JOB_NNODES", "2"},
            {"OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4"},
            {"PMIX_RANK", "2", "PMIX_SIZE", "4"},
            {"SLURM_PROCID", "2", "SLURM_NTASKS", "4", "SLURM_NODELIST", "a,b", "SLURM_TASKS_PER_NODE", "2(x2)",
                "SLURM_DISTRIBUTION", "cyclic", "SLURM_NNODES", "2"},
            {"JOB_COMPLETION_INDEX", "2", "TALLYPOST_RANKS", "4", "HOSTNAME", "a"}
        };
        for (final String[] environment : environments)
        {
            variables.clear();
            set(environment);
            refusal("does not tell on which hosts the ranks are", "ranks=4", "on this host=not known", "TALLYPOST_NODES");
            set("TALLYPOST_NODES", "a,b");
            assertEquals(1, resolve().node());
        }
    }

    @Test
    void shouldTakeOneHostForOneHost()
    {
        set("PMI_RANK", "2", "PMI_SIZE", "4", "FLUX_JOB_NNODES", "1");
        assertEquals(1, resolve().topology().nodeCount());
        variables.clear();
        set("SLURM_PROCID", "2", "SLURM_NTASKS", "4", "SLURM_NNODES", "1", "SLURM_DISTRIBUTION", "cyclic");
        assertEquals(1, resolve().topology().nodeCount());
        variables.clear();
        set("PMI_RANK", "0", "PMI_SIZE", "1");
        assertEquals(1, resolve().topology().nodeCount());
        variables.clear();
        set("SLURM_PROCID", "0", "TALLYPOST_RANK", "1", "TALLYPOST_RANKS", "2");
        assertEquals(1, resolve().topology().nodeCount(), "ranks that the user gives, within somebody's allocation");
    }

    /** srun --mpi=pmi2: the ranks of PMI, the hosts of Slurm. */
    @Test
    void shouldTakeTheHostsOfSlurmWhereItSpeaksPmi()
    {
        set("PMI_RANK", "2", "PMI_SIZE", "4", "SLURM_PROCID", "2", "SLURM_STEP_NUM_TASKS", "4",
            "SLURM_STEP_NODELIST", "n[1-2]", "SLURM_STEP_TASKS_PER_NODE", "2(x2)", "SLURM_DISTRIBUTION", "block");
        assertEquals("0x2 1x2", resolve().topology().map().layout());
        assertEquals(1, resolve().node());
        set("SLURM_STEP_NUM_TASKS", "2");
        refusal("PMI does not tell", "TALLYPOST_NODES");
    }

    @Test
    void shouldTakeAValueOfBlanksForNone()
    {
        set("TALLYPOST_NODES", " ", "TALLYPOST_RANKS", "2", "TALLYPOST_RANK", "0", "TALLYPOST_GROUP", "");
        assertEquals(1, resolve().topology().nodeCount());
        assertNull(resolve().groupName());
    }

    @Test
    void shouldRefuseASecretThatOthersMayRead() throws IOException
    {
        final File file = new File(directory, "open-secret");
        Files.writeString(file.toPath(), "sixteen bytes or more");
        set("TALLYPOST_RANKS", "2", "TALLYPOST_SECRET_FILE", file.getPath());
        for (final String mode : List.of("rw-r--r--", "rw----r--", "rw-rw----", "rw-----w-"))
        {
            Files.setPosixFilePermissions(file.toPath(), PosixFilePermissions.fromString(mode));
            final String message = assertThrows(IllegalArgumentException.class, resolve()::secret).getMessage();
            assertTrue(message.contains("permissions=" + mode) && message.contains("chmod 600 " + file), message);
        }
        Files.setPosixFilePermissions(file.toPath(), PosixFilePermissions.fromString("r--------"));
        assertArrayEquals("sixteen bytes or more".getBytes(StandardCharsets.UTF_8), resolve().secret());
    }

    @Test
    void shouldStartOnSlurm()
    {
        set("SLURM_PROCID", "5", "SLURM_NTASKS", "7", "SLURM_NODEID", "2", "SLURM_NODELIST", "node[08-10],login",
            "SLURM_TASKS_PER_NODE", "2(x3),1", "PMIX_RANK", "5", "TALLYPOST_PORT", "4000");
        final LaunchConfiguration found = resolve();
        assertEquals(Launcher.SLURM, found.launcher());
        assertEquals(5, found.rank());
        assertEquals(2, found.node());
        assertEquals("0x2 1x2 2x2 3x1", found.topology().map().layout());
        assertEquals("node10:4000", found.topology().address(2).toString());
        assertEquals("login:4000", found.topology().address(3).toString());
        set("SLURM_STEP_NODELIST", "node08", "SLURM_STEP_TASKS_PER_NODE", "7", "SLURM_STEP_NUM_TASKS", "7");
        assertEquals("0x7", resolve().topology().map().layout(), "the step counts, not the job");
        set("SLURM_STEP_TASKS_PER_NODE", "7(x2)");
        refusal("names 1 hosts and the tasks of 2");
        set("SLURM_STEP_TASKS_PER_NODE", "6");
        refusal("ranks of the nodes do not fit", "with 6", "ranks=7", "environment of SLURM");
    }

    @Test
    void shouldNotGuessWhereRanksAreWhenSlurmSpreadsThem()
    {
        set("SLURM_PROCID", "1", "SLURM_NTASKS", "4", "SLURM_NODELIST", "a,b", "SLURM_TASKS_PER_NODE", "2(x2)",
            "SLURM_DISTRIBUTION", "cyclic", "TALLYPOST_NODES", "a*2,b*2");
        assertEquals(0, resolve().node());
        assertTrue(resolve().origin(LaunchSetting.NODES).contains("TALLYPOST_NODES"));
    }

    @Test
    void shouldStartInPods()
    {
        set("KUBERNETES_SERVICE_HOST", "10.0.0.1", "HOSTNAME", "tally-2", "TALLYPOST_RANKS", "3",
            "TALLYPOST_DOMAIN", "tally.default.svc.cluster.local");
        final LaunchConfiguration found = resolve();
        assertEquals(Launcher.KUBERNETES_STATEFUL_SET, found.launcher());
        assertEquals(2, found.rank());
        assertEquals(2, found.node());
        assertEquals("0x1 1x1 2x1", found.topology().map().layout());
        assertEquals("tally-0.tally.default.svc.cluster.local:40123", found.topology().address(0).toString());
        set("HOSTNAME", "job-x-1", "JOB_COMPLETION_INDEX", "1");
        assertEquals(Launcher.KUBERNETES_JOB, resolve().launcher());
        assertEquals(1, resolve().rank());
        assertEquals("job-x-2.tally.default.svc.cluster.local:40123", resolve().topology().address(2).toString());
        set("JOB_COMPLETION_INDEX", "3");
        refusal("rank out of range: found=3", "environment of KUBERNETES_JOB", "expected=0 to 2");
    }

    @Test
    void shouldTakeTheNumberOfPodsFromWhereverItIs()
    {
        set("KUBERNETES_SERVICE_HOST", "10.0.0.1", "HOSTNAME", "tally-1");
        refusal("number of ranks is not known", "KUBERNETES_STATEFUL_SET does not tell");
        properties.put("tallypost.ranks", "2");
        assertEquals(2, resolve().topology().nodeCount());
    }

    @Test
    void shouldKnowNoLauncherWhereThereIsNone()
    {
        set("KUBERNETES_SERVICE_HOST", "10.0.0.1", "HOSTNAME", "web-7f9c-xk2lp", "TALLYPOST_RANKS", "2");
        assertNull(resolve().launcher());
        assertEquals(-1, resolve().rank());
        assertEquals(0, resolve().node());
        set("HOSTNAME", "db-1");
        variables.remove("KUBERNETES_SERVICE_HOST");
        assertNull(resolve().launcher(), "a host may be called so");
    }

    @Test
    void shouldReadAFile() throws IOException
    {
        file("# a group on two hosts", "", "group=orders", "nodes = a*1", "nodes = b:7*3", " node = 1 ", "port = 9");
        final LaunchConfiguration found = resolve();
        assertEquals("orders", found.groupName());
        assertEquals(4, found.rankCount());
        assertEquals(-1, found.rank());
        assertEquals(1, found.node());
        assertEquals("a:9", found.topology().address(0).toString());
        assertArrayEquals(new int[]{1, 2, 3}, found.topology().map().ranks(1));
    }

    @Test
    void shouldSayWhatIsWrongAndWhere() throws IOException
    {
        file("ranks = 2", "rnak = 1");
        refusal("no setting: found=\"rnak = 1\"", "line=2", "secretFile");
        file("ranks = 2", "ranks = 3");
        refusal("ranks is set twice: found=2 and 3", "line=2");
        file("launchFile = other");
        refusal("no setting");
        file("ranks = many");
        refusal("ranks (from file ", "is no number: found=\"many\"");
        file("nodes = a*2, b");
        refusal("expected a number of ranks behind each address, as host*2");
        file("nodes = a, b");
        refusal("expected a number of ranks behind each address, as host*2, or ranks and no number behind any");
        file("nodes = a*2, b*2", "ranks = 5");
        refusal("with 4, expected ranks=5");
        file("nodes = a*2, b*2");
        refusal("does not know which node", "TALLYPOST_NODE");
        file("nodes = a*2, b*2", "node = 2");
        refusal("node out of range: found=2", "expected=0 to 1");
        file("nodes = a*2, b*2", "node = 0", "rank = 2");
        refusal("on another node: rank=2", "found node=0", "expected=1");
        file("nodes = a*2, b?x*2", "node = 0");
        refusal("no host name or address: found=\"b?x\"", "nodes=a*2, b?x*2");
    }

    @Test
    void shouldSpreadRanksEvenly()
    {
        set("TALLYPOST_NODES", "a,b,c", "TALLYPOST_RANKS", "8", "TALLYPOST_NODE", "2");
        assertEquals("0x3 1x3 2x2", resolve().topology().map().layout());
    }

    @Test
    void shouldReadTheSecretFromItsFile() throws IOException
    {
        set("TALLYPOST_RANKS", "1");
        assertNull(resolve().secret());
        final File file = new File(directory, "secret");
        Files.write(file.toPath(), "sixteen bytes or more\r\n".getBytes(StandardCharsets.UTF_8));
        Files.setPosixFilePermissions(file.toPath(), PosixFilePermissions.fromString("rw-------"));
        set("TALLYPOST_SECRET_FILE", file.getPath());
        assertArrayEquals("sixteen bytes or more".getBytes(StandardCharsets.UTF_8), resolve().secret());
        set("TALLYPOST_SECRET_FILE", file.getPath() + ".missing");
        final LaunchConfiguration missing = resolve();
        assertTrue(assertThrows(IllegalArgumentException.class, missing::secret).getMessage().contains("secret.missing"));
    }

    @Test
    void shouldExpandHostLists()
    {
        assertEquals(List.of("a"), HostList.expand("a"));
        assertEquals(List.of("n1", "n2", "n3", "n7", "x"), HostList.expand("n[1-3,7],x"));
        assertEquals(List.of("n098", "n099", "n100"), HostList.expand("n[098-100]"));
        assertEquals(List.of("r1n1", "r1n2", "r2n1", "r2n2"), HostList.expand("r[1-2]n[1-2]"));
        assertEquals(List.of("n1-ib", "n2-ib"), HostList.expand("n[1-2]-ib"));
        assertArrayEquals(new int[]{2, 2, 2, 1}, HostList.tasks("2(x3),1"));
        for (final String bad : List.of("", "a,", "n[1", "n1]", "n[2-1]", "n[]", "n[a]", "n[[1]]", "n[1-99999999]", "n[1-2-3]",
            "n[0-65536]", "r[0-999]n[0-999]"))
        {
            assertThrows(IllegalArgumentException.class, () -> HostList.expand(bad), bad);
        }
        for (final String bad : List.of("", "2(x3", "(x3)", "2(x0)", "2(x99999999)", "2,,1", "x"))
        {
            assertThrows(IllegalArgumentException.class, () -> HostList.tasks(bad), bad);
        }
    }
}
