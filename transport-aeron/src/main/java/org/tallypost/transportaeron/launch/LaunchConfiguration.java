// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.tallypost.endpoint.LongRings;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.internal.Texts;

/**
 * Which group a process belongs to, how many ranks it has, on which nodes, and which of them is this one. Each setting
 * comes from the first of these places that has it:
 *
 * <ol>
 *   <li>the context, that is the program;</li>
 *   <li>the system property "tallypost.KEY";</li>
 *   <li>the environment variable "TALLYPOST_KEY";</li>
 *   <li>the launch file, which is named in one of the three ways above: lines "KEY = value";</li>
 *   <li>the environment that a launcher made: {@link Launcher}.</li>
 * </ol>
 *
 * <p>A value of blanks is none.
 *
 * <p>{@link LaunchSetting#NODES} is a list "host[:port][*ranks], ...": the first node holds the first ranks, and so on.
 * Without numbers of ranks they are spread evenly, the first nodes getting one more if it does not come out even. A process
 * without a rank of its own names its node instead, and may open all ranks of that. Immutable.
 */
public final class LaunchConfiguration
{
    /** UDP port of nodes with an address that names none, unless {@link LaunchSetting#PORT} is set. */
    public static final int DEFAULT_PORT = 40_123;

    /**
     * Seconds for which a node may stand still among several, as for a collection or on a busy host, unless
     * {@link LaunchSetting#LIVENESS_SECONDS} is set.
     */
    public static final int DEFAULT_LIVENESS_SECONDS = 20;

    private static final int MAX_LIVENESS_SECONDS = 86_400;
    private static final String LOCAL_HOST = "127.0.0.1";
    private static final File SHARED_MEMORY = new File("/dev/shm");

    private final String groupName;
    private final int rank;
    private final int node;
    private final Topology topology;
    /** 0 for that of a new context. */
    private final int livenessSeconds;
    private final Launcher launcher;
    private final File directory;
    private final Path secretFile;
    private final Map<LaunchSetting, String> origins;

    private LaunchConfiguration(final Resolver resolver)
    {
        launcher = resolver.launcher;
        origins = resolver.origins;
        groupName = resolver.get(LaunchSetting.GROUP);
        secretFile = resolver.get(LaunchSetting.SECRET_FILE) == null ? null : Path.of(resolver.get(LaunchSetting.SECRET_FILE));
        topology = resolver.topology();
        directory = resolver.directory();
        livenessSeconds = resolver.number(LaunchSetting.LIVENESS_SECONDS,
            topology.nodeCount() > 1 ? DEFAULT_LIVENESS_SECONDS : 0, 1, MAX_LIVENESS_SECONDS);
        rank = resolver.number(LaunchSetting.RANK, -1, 0, topology.rankCount() - 1);
        final int named = resolver.number(LaunchSetting.NODE, -1, 0, topology.nodeCount() - 1);
        if (named >= 0 && rank >= 0 && topology.nodeOf(rank) != named)
        {
            throw new IllegalArgumentException("the rank is on another node: rank=" + rank + resolver.from(LaunchSetting.RANK) +
                ", found node=" + named + resolver.from(LaunchSetting.NODE) + ", expected=" + topology.nodeOf(rank) + ", " +
                topology);
        }
        if (named < 0 && rank < 0 && topology.nodeCount() > 1)
        {
            throw new IllegalArgumentException("this process does not know which node it is on: set " +
                LaunchSetting.RANK.key() + " or " + LaunchSetting.NODE.key() + ", for instance by " +
                LaunchSetting.NODE.variable() + "; " + topology);
        }
        node = rank >= 0 ? topology.nodeOf(rank) : Math.max(0, named);
    }

    /**
     * Finds out, from what the program says and from the process's properties and environment.
     *
     * @param context settings of the program; what is not in it comes from elsewhere.
     * @return the configuration.
     * @throws IllegalArgumentException if something is missing, malformed, or does not fit together; the message says
     *                                  where it came from.
     */
    public static LaunchConfiguration resolve(final Map<LaunchSetting, String> context)
    {
        return resolve(context, System::getProperty, System::getenv);
    }

    /**
     * Finds out from the process's properties and environment alone.
     *
     * @return the configuration.
     * @throws IllegalArgumentException as {@link #resolve(Map)}.
     */
    public static LaunchConfiguration resolve()
    {
        return resolve(Map.of());
    }

    /**
     * Whether anything tells this process a rank, or how many there are: its properties, its environment, or a launcher's.
     *
     * @return false for a process that was started alone.
     */
    public static boolean isLaunched()
    {
        return isLaunched(System::getProperty, System::getenv);
    }

    static boolean isLaunched(final UnaryOperator<String> properties, final UnaryOperator<String> variables)
    {
        final Resolver found = new Resolver(Map.of(), properties, variables);
        return found.launcher != null || found.get(LaunchSetting.RANK) != null || found.get(LaunchSetting.RANKS) != null ||
            found.get(LaunchSetting.NODES) != null;
    }

    static LaunchConfiguration resolve(
        final Map<LaunchSetting, String> context, final UnaryOperator<String> properties,
        final UnaryOperator<String> variables)
    {
        return new LaunchConfiguration(new Resolver(context, properties, variables));
    }

    /** Looks settings up, and remembers where each was found. */
    private static final class Resolver
    {
        final Launcher launcher;
        final Map<LaunchSetting, String> values = new EnumMap<>(LaunchSetting.class);
        final Map<LaunchSetting, String> origins = new EnumMap<>(LaunchSetting.class);
        private final UnaryOperator<String> variables;

        Resolver(
            final Map<LaunchSetting, String> context, final UnaryOperator<String> properties,
            final UnaryOperator<String> variables)
        {
            this.variables = variables;
            for (final LaunchSetting setting : LaunchSetting.values())
            {
                offer(setting, context.get(setting), "the context");
                offer(setting, properties.apply(setting.property()), "system property " + setting.property());
                offer(setting, variables.apply(setting.variable()), "environment variable " + setting.variable());
            }
            if (get(LaunchSetting.FILE) != null)
            {
                offerAll(LaunchFile.read(Path.of(get(LaunchSetting.FILE))), "file " + get(LaunchSetting.FILE));
            }
            launcher = Launcher.of(variables);
            if (launcher != null)
            {
                offerAll(launcher.settings(variables, get(LaunchSetting.RANKS)), "the environment of " + launcher);
            }
        }

        private void offerAll(final Map<LaunchSetting, String> settings, final String origin)
        {
            settings.forEach((setting, value) -> offer(setting, value, origin));
        }

        private void offer(final LaunchSetting setting, final String value, final String origin)
        {
            if (value != null && !value.isBlank() && values.putIfAbsent(setting, value.strip()) == null)
            {
                origins.put(setting, origin);
            }
        }

        String get(final LaunchSetting setting)
        {
            return values.get(setting);
        }

        String from(final LaunchSetting setting)
        {
            return origins.containsKey(setting) ? " (from " + origins.get(setting) + ")" : "";
        }

        int number(final LaunchSetting setting, final int otherwise, final int least, final int most)
        {
            final String text = get(setting);
            if (text == null)
            {
                return otherwise;
            }
            final int number = Texts.number(setting.key() + from(setting), text);
            if (number < least || number > most)
            {
                throw new IllegalArgumentException(setting.key() + " out of range: found=" + number + from(setting) +
                    ", expected=" + least + " to " + most);
            }
            return number;
        }

        File directory()
        {
            final String named = get(LaunchSetting.DIRECTORY);
            return named != null ? new File(named) :
                SHARED_MEMORY.isDirectory() ? SHARED_MEMORY : new File(System.getProperty("java.io.tmpdir"));
        }

        Topology topology()
        {
            final int ranks = number(LaunchSetting.RANKS, 0, 1, Integer.MAX_VALUE);
            final int port = number(LaunchSetting.PORT, DEFAULT_PORT, 1, 65_535);
            if (get(LaunchSetting.NODES) == null)
            {
                return oneNode(ranks, port);
            }
            final List<NodeAddress> addresses = new ArrayList<>();
            final List<Integer> counts = new ArrayList<>();
            for (final String part : get(LaunchSetting.NODES).split(",", -1))
            {
                final int star = part.indexOf('*');
                addresses.add(address(star < 0 ? part : part.substring(0, star), port));
                counts.add(star < 0 ? -1 : Texts.number("ranks of a node" + from(LaunchSetting.NODES), part.substring(star + 1)));
            }
            return Topology.blocks(addresses, rankCounts(counts, ranks));
        }

        private Topology oneNode(final int ranks, final int port)
        {
            final String local = launcher == null ? null : launcher.localRanks(variables);
            if (ranks == 0)
            {
                throw new IllegalArgumentException("the number of ranks is not known: set " + LaunchSetting.RANKS.key() +
                    " or " + LaunchSetting.NODES.key() + ", for instance by " + LaunchSetting.RANKS.variable() +
                    (launcher == null ? "" : "; " + launcher + " does not tell"));
            }
            // a launcher starts processes on several hosts: that all are on this one has to be known, and not only not denied
            final boolean isByLauncher = launcher != null && ("the environment of " + launcher).equals(
                origins.get(LaunchSetting.RANK));
            if (local == null ? ranks > 1 && isByLauncher : Texts.number("ranks of this host", local) < ranks)
            {
                throw new IllegalArgumentException((local == null ? launcher + " does not tell on which hosts the ranks are" :
                    "the ranks are on several hosts, and their addresses are not known") + ": ranks=" + ranks +
                    from(LaunchSetting.RANKS) + ", on this host=" + (local == null ? "not known" : local) + "; set " +
                    LaunchSetting.NODES.key() + ", for instance by " + LaunchSetting.NODES.variable() +
                    "=host1,host2, or =" + LOCAL_HOST + " if all are on this host");
            }
            return Topology.blocks(List.of(new NodeAddress(LOCAL_HOST, port)), new int[]{ranks});
        }

        private NodeAddress address(final String text, final int port)
        {
            final String domain = get(LaunchSetting.DOMAIN);
            final NodeAddress address;
            try
            {
                address = NodeAddress.parse(text.strip(), port);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new IllegalArgumentException(ex.getMessage() + ", nodes=" + get(LaunchSetting.NODES) +
                    from(LaunchSetting.NODES), ex);
            }
            final boolean isBare = address.host().indexOf('.') < 0 && address.host().indexOf(':') < 0;
            return domain == null || !isBare ? address : new NodeAddress(address.host() + "." + domain, address.port());
        }

        private int[] rankCounts(final List<Integer> counts, final int ranks)
        {
            final long known = counts.stream().filter((count) -> count >= 0).count();
            final int[] result = counts.stream().mapToInt(Integer::intValue).toArray();
            if (known == 0 && ranks > 0)
            {
                for (int i = 0; i < result.length; i++)
                {
                    result[i] = ranks / result.length + (i < ranks % result.length ? 1 : 0);
                }
                return result;
            }
            final long sum = Arrays.stream(result).asLongStream().sum();
            if (known < result.length || ranks > 0 && sum != ranks)
            {
                throw new IllegalArgumentException("ranks of the nodes do not fit: found nodes=" + get(LaunchSetting.NODES) +
                    from(LaunchSetting.NODES) + (known < result.length ? ", expected a number of ranks behind each " +
                    "address, as host*2, or " + LaunchSetting.RANKS.key() + " and no number behind any" :
                    " with " + sum + ", expected " +
                    LaunchSetting.RANKS.key() + "=" + ranks + from(LaunchSetting.RANKS)));
            }
            return result;
        }
    }

    /**
     * A context for this process's part in its node: name and ranks of the group, the node's directory, and with several nodes
     * the transport between them. The rest has its defaults, and may be set.
     *
     * <pre>
     *   final LaunchConfiguration launch = LaunchConfiguration.resolve();
     *   try (Node node = Node.launch(launch.context()); Endpoint endpoint = node.open(launch.rank()))
     * </pre>
     *
     * <p>The directory is "tallypost-USER-GROUP-node-NODE" in {@link LaunchSetting#DIRECTORY}, by default /dev/shm or, where
     * there is none, the system's place for temporary files: groups of one user that run on one host at the same time need
     * names of their own. In one node the sizes are those of {@link LongRings}. With several nodes the liveness interval is
     * {@link #DEFAULT_LIVENESS_SECONDS}; {@link LaunchSetting#LIVENESS_SECONDS} sets it, with one node as well.
     *
     * @return a new context.
     * @throws IllegalArgumentException if the secret cannot be read, or there is no directory of the name that was given.
     */
    public NodeContext context()
    {
        if (!directory.isDirectory())
        {
            throw new IllegalArgumentException(LaunchSetting.DIRECTORY.key() + ": found=" + directory.getAbsolutePath() +
                (origins.containsKey(LaunchSetting.DIRECTORY) ? " (from " + origins.get(LaunchSetting.DIRECTORY) + ")" : "") +
                ", expected an existing directory, in which each node makes one of its own");
        }
        final NodeContext context = new NodeContext().rankCount(rankCount());
        if (groupName != null)
        {
            context.groupName(groupName);
        }
        if (livenessSeconds > 0)
        {
            context.livenessIntervalNs(TimeUnit.SECONDS.toNanos(livenessSeconds));
        }
        context.directory(new File(directory, "tallypost-" + System.getProperty("user.name") + "-" + context.groupName() +
            "-node-" + node));
        return topology.nodeCount() == 1 ? LongRings.set(context) : context.transport(transport());
    }

    /**
     * The transport between the nodes, for a program with a context of its own.
     *
     * @return a new transport, with the secret if there is one.
     * @throws IllegalArgumentException if the secret cannot be read.
     */
    public AeronTransport transport()
    {
        return new AeronTransport(topology, node).secret(secret());
    }

    /**
     * Name of the group.
     *
     * @return null if nobody named it.
     */
    public String groupName()
    {
        return groupName;
    }

    /**
     * Number of ranks of the group.
     *
     * @return at least 1.
     */
    public int rankCount()
    {
        return topology.rankCount();
    }

    /**
     * Rank of this process.
     *
     * @return -1 if it has none of its own.
     */
    public int rank()
    {
        return rank;
    }

    /**
     * Node of this process.
     *
     * @return index of the node.
     */
    public int node()
    {
        return node;
    }

    /**
     * The nodes and their ranks; one node on this host if nobody named any.
     *
     * @return the topology.
     */
    public Topology topology()
    {
        return topology;
    }

    /**
     * What started this process.
     *
     * @return null if it was none of the known launchers.
     */
    public Launcher launcher()
    {
        return launcher;
    }

    /**
     * Where a setting came from, for messages.
     *
     * @param setting asked for.
     * @return null if it came from nowhere.
     */
    public String origin(final LaunchSetting setting)
    {
        return origins.get(setting);
    }

    /**
     * The group's secret.
     *
     * @return the bytes of the secret file without line ends behind them; null if no file was named.
     * @throws IllegalArgumentException if the file cannot be read, or if others than its owner may read or write it.
     */
    public byte[] secret()
    {
        if (secretFile == null)
        {
            return null;
        }
        try
        {
            refuseIfOpenToOthers();
            final byte[] bytes = Files.readAllBytes(secretFile);
            int length = bytes.length;
            while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r'))
            {
                length--;
            }
            return Arrays.copyOf(bytes, length);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("cannot read the secret: file=" + secretFile + ", cause=" + ex, ex);
        }
    }

    /**
     * As ssh does with a private key: a file that belongs to this process's user is for that user alone. One of somebody else, as
     * a container's secret that root owns, is as its owner wants it. Where a file system has no such permissions there is
     * nothing to look at.
     */
    private void refuseIfOpenToOthers() throws IOException
    {
        final PosixFileAttributeView view = Files.getFileAttributeView(secretFile, PosixFileAttributeView.class);
        if (view == null)
        {
            return;
        }
        final PosixFileAttributes attributes = view.readAttributes();
        final String mode = PosixFilePermissions.toString(attributes.permissions());
        if (attributes.owner().getName().equals(System.getProperty("user.name")) && !mode.endsWith("------"))
        {
            throw new IllegalArgumentException("others than its owner may use the file of the secret: file=" + secretFile +
                ", found permissions=" + mode + ", expected=rw-------; run chmod 600 " + secretFile);
        }
    }
}
