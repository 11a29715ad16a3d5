// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.launch;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.tallypost.transportaeron.internal.Texts;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * What started this process, found out from the environment variables that it set. The first one that fits counts, in the
 * order of this list: one that starts processes within the allocation of another comes before it.
 */
public enum Launcher
{
    /** Open MPI's mpirun. */
    OPEN_MPI("OMPI_COMM_WORLD_RANK")
    {
        @Override
        void read(final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
        {
            put(into, LaunchSetting.RANK, variables.apply("OMPI_COMM_WORLD_RANK"));
            put(into, LaunchSetting.RANKS, variables.apply("OMPI_COMM_WORLD_SIZE"));
        }

        @Override
        String localRanks(final UnaryOperator<String> variables)
        {
            return variables.apply("OMPI_COMM_WORLD_LOCAL_SIZE");
        }
    },

    /**
     * MPICH, Intel MPI, and others with a process manager that speaks PMI. Within a step of Slurm, as with
     * {@code srun --mpi=pmi2}, it is Slurm that tells the hosts.
     */
    PMI("PMI_RANK")
    {
        @Override
        void read(final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
        {
            put(into, LaunchSetting.RANK, variables.apply("PMI_RANK"));
            put(into, LaunchSetting.RANKS, variables.apply("PMI_SIZE"));
            if (isStepOfSlurm(variables))
            {
                SLURM.read(variables, ranks, into);
            }
        }

        // srun has started this process itself, and not a launcher within its allocation
        private boolean isStepOfSlurm(final UnaryOperator<String> variables)
        {
            final String rank = variables.apply("PMI_RANK");
            return rank.equals(variables.apply("SLURM_PROCID")) && Objects.equals(variables.apply("PMI_SIZE"),
                first(variables, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"));
        }

        @Override
        String localRanks(final UnaryOperator<String> variables)
        {
            final String local = first(variables, "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE");
            return local == null && isOne(variables.apply("FLUX_JOB_NNODES")) ? variables.apply("PMI_SIZE") : local;
        }
    },

    /** Slurm's srun, with or without PMIx: it tells the hosts and the tasks of each, too. */
    SLURM("SLURM_PROCID")
    {
        @Override
        void read(final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
        {
            put(into, LaunchSetting.RANK, variables.apply("SLURM_PROCID"));
            put(into, LaunchSetting.RANKS, first(variables, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"));
            final String hosts = first(variables, "SLURM_STEP_NODELIST", "SLURM_NODELIST", "SLURM_JOB_NODELIST");
            final String tasks = first(variables, "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE");
            if (hosts != null && tasks != null && isBlock(variables.apply("SLURM_DISTRIBUTION")))
            {
                put(into, LaunchSetting.NODES, nodes(HostList.expand(hosts), HostList.tasks(tasks)));
            }
        }

        @Override
        String localRanks(final UnaryOperator<String> variables)
        {
            return isOne(first(variables, "SLURM_STEP_NUM_NODES", "SLURM_NNODES", "SLURM_JOB_NUM_NODES")) ?
                first(variables, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS") : null;
        }

        // other distributions put neighbours on different hosts, in ways that the variables do not tell
        private boolean isBlock(final String distribution)
        {
            return distribution == null || distribution.startsWith("block");
        }

        private String nodes(final List<String> hosts, final int[] tasks)
        {
            if (hosts.size() != tasks.length)
            {
                throw new IllegalArgumentException("Slurm names " + hosts.size() + " hosts and the tasks of " + tasks.length +
                    ": hosts=" + hosts);
            }
            final List<String> parts = new ArrayList<>();
            for (int i = 0; i < tasks.length; i++)
            {
                parts.add(hosts.get(i) + "*" + tasks[i]);
            }
            return String.join(",", parts);
        }
    },

    /** A launcher that speaks PMIx and sets nothing of its own; it does not tell the number of ranks. */
    PMIX("PMIX_RANK")
    {
        @Override
        void read(final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
        {
            put(into, LaunchSetting.RANK, variables.apply("PMIX_RANK"));
            put(into, LaunchSetting.RANKS, variables.apply("PMIX_SIZE"));
        }
    },

    /** A Kubernetes job with an index for each pod: one rank for each. */
    KUBERNETES_JOB("JOB_COMPLETION_INDEX")
    {
        @Override
        void read(final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
        {
            put(into, LaunchSetting.RANK, variables.apply("JOB_COMPLETION_INDEX"));
            pods(variables, ranks, into);
        }
    },

    /** A pod of a Kubernetes StatefulSet: its host name ends in its ordinal. One rank for each. */
    KUBERNETES_STATEFUL_SET("KUBERNETES_SERVICE_HOST")
    {
        @Override
        boolean fits(final UnaryOperator<String> variables)
        {
            return super.fits(variables) && ordinalOffset(variables.apply("HOSTNAME")) > 0;
        }

        @Override
        void read(final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
        {
            final String host = variables.apply("HOSTNAME");
            put(into, LaunchSetting.RANK, host.substring(ordinalOffset(host)));
            pods(variables, ranks, into);
        }
    };

    private final String sign;

    Launcher(final String sign)
    {
        this.sign = sign;
    }

    /** Whether the environment is one that this launcher makes. */
    boolean fits(final UnaryOperator<String> variables)
    {
        return variables.apply(sign) != null;
    }

    abstract void read(UnaryOperator<String> variables, String ranks, Map<LaunchSetting, String> into);

    /** Ranks that share this host, null if the launcher does not tell. */
    String localRanks(final UnaryOperator<String> variables)
    {
        return null;
    }

    /**
     * The launcher of a process.
     *
     * @param variables the environment, null for what is not set.
     * @return null if it was none of these.
     */
    static Launcher of(final UnaryOperator<String> variables)
    {
        for (final Launcher launcher : values())
        {
            if (launcher.fits(variables))
            {
                return launcher;
            }
        }
        return null;
    }

    /**
     * What a launcher tells of the settings.
     *
     * @param variables the environment.
     * @param ranks     number of ranks that the user has set, null if none.
     */
    final Map<LaunchSetting, String> settings(final UnaryOperator<String> variables, final String ranks)
    {
        final Map<LaunchSetting, String> settings = new EnumMap<>(LaunchSetting.class);
        read(variables, ranks, settings);
        return settings;
    }

    /** Offset of the number at the end of "name-number", 0 if there is none. */
    private static int ordinalOffset(final String host)
    {
        final int dash = host == null ? -1 : host.lastIndexOf('-');
        return dash > 0 && host.substring(dash + 1).matches("\\d{1,9}") ? dash + 1 : 0;
    }

    /**
     * Pods are named alike, and each is a node with one rank. How many there are is told by nobody but the user; their names
     * are known with the domain of the headless service.
     */
    private static void pods(
        final UnaryOperator<String> variables, final String ranks, final Map<LaunchSetting, String> into)
    {
        final String host = variables.apply("HOSTNAME");
        final int offset = ordinalOffset(host);
        if (ranks == null || offset == 0)
        {
            return;
        }
        final int count = Math.min(BatchDescriptor.MAX_NODES, Texts.number("ranks", ranks));
        final List<String> pods = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            pods.add(host.substring(0, offset) + i + "*1");
        }
        put(into, LaunchSetting.NODES, String.join(",", pods));
    }

    private static boolean isOne(final String number)
    {
        return number != null && "1".equals(number.strip());
    }

    private static String first(final UnaryOperator<String> variables, final String... names)
    {
        for (final String name : names)
        {
            if (variables.apply(name) != null)
            {
                return variables.apply(name);
            }
        }
        return null;
    }

    private static void put(final Map<LaunchSetting, String> into, final LaunchSetting setting, final String value)
    {
        if (value != null)
        {
            into.put(setting, value);
        }
    }
}
