// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.tallypost.benchmarks.compare.LoopbackPorts;
import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.process.Namespaces;
import org.tallypost.cli.console.OptionException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Options for several nodes, and for a bad network between them.
 */
final class NodeOptions
{
    private static final List<String> OF_NODES = List.of("--network", "--loss", "--duplicate", "--reorder", "--seed");
    private static final int SECRET_LENGTH = 32;
    private static final String LOCAL_HOST = "127.0.0.1";

    /** How nodes are apart. */
    enum Kind
    {
        AUTO, VETH, LOOPBACK
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "1",
        description = "Nodes, each with an equal share of the processes; default ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--network", paramLabel = "KIND", defaultValue = "AUTO", converter = KindConverter.class,
        description = "How nodes on this machine are apart: veth (network namespaces of their own, joined by veth links; needs " +
            "root), loopback (ports), or auto: veth where it is allowed; default auto.")
    private Kind kind;

    @Option(names = "--loss", paramLabel = "RATE", defaultValue = "0", converter = RateConverter.class,
        description = "Share of the datagrams between nodes that are lost, such as 1%% or 0.01.")
    private double loss;

    @Option(names = "--duplicate", paramLabel = "RATE", defaultValue = "0", converter = RateConverter.class,
        description = "Share of the datagrams between nodes that arrive twice.")
    private double duplicates;

    @Option(names = "--reorder", paramLabel = "RATE", defaultValue = "0", converter = RateConverter.class,
        description = "Share of the datagrams between nodes that arrive behind later ones.")
    private double reordering;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of these faults; default: another one each time, printed.")
    private Long seed;

    int nodes()
    {
        return nodes;
    }

    NodePlan plan(final int flows)
    {
        if (nodes <= 1)
        {
            requireNoneOfNodes();
            return nodes == 1 ? NodePlan.ONE :
                new NodePlan(nodes, List.of(), List.of(), "", List.of(), "", 0, 0, 0, 0);
        }
        final String whyNot = kind == Kind.LOOPBACK ? "" : Namespaces.whyNot(nodes);
        if (kind == Kind.VETH && whyNot != null)
        {
            throw new OptionException(spec.commandLine(), "--network veth: " + whyNot);
        }
        final boolean isApart = whyNot == null;
        final String place = isApart ? "in network namespaces of their own, joined by veth" :
            "on loopback ports" + (whyNot.isEmpty() ? "" : ", no network namespaces: " + whyNot);
        final byte[] secret = new byte[SECRET_LENGTH];
        new SecureRandom().nextBytes(secret);
        return new NodePlan(
            nodes,
            IntStream.range(0, nodes).mapToObj((node) -> isApart ? Namespaces.address(node) : LOCAL_HOST).toList(),
            isApart ? Namespaces.names(nodes) : List.of(),
            place,
            LoopbackPorts.free(nodes * flows),
            HexFormat.of().formatHex(secret),
            loss,
            duplicates,
            reordering,
            seed == null ? System.nanoTime() : seed);
    }

    /** An option that says something about the network between nodes is not ignored where there is none. */
    private void requireNoneOfNodes()
    {
        for (final String name : OF_NODES)
        {
            if (spec.commandLine().getParseResult().hasMatchedOption(name))
            {
                throw new OptionException(spec.commandLine(), name + ": found --nodes " + nodes +
                    ", expected --nodes 2 or more: it is about the network between nodes");
            }
        }
    }

    /** A kind in small letters. */
    static final class KindConverter implements ITypeConverter<Kind>
    {
        @Override
        public Kind convert(final String value)
        {
            for (final Kind each : Kind.values())
            {
                if (each.name().equalsIgnoreCase(value))
                {
                    return each;
                }
            }
            throw new TypeConversionException("found '" + value + "', expected auto, veth or loopback");
        }
    }

    /** A share, as a fraction or in percent. */
    static final class RateConverter implements ITypeConverter<Double>
    {
        @Override
        public Double convert(final String value)
        {
            try
            {
                final boolean isPercent = value.endsWith("%");
                final double number = Double.parseDouble(isPercent ? value.substring(0, value.length() - 1) : value);
                final double rate = isPercent ? number / 100 : number;
                if (rate >= 0 && rate < 1)
                {
                    return rate;
                }
            }
            catch (final NumberFormatException ignore)
            {
                // said below
            }
            throw new TypeConversionException("found '" + value + "', expected a share below 1, such as 1% or 0.01");
        }
    }
}
