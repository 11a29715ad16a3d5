// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What takes part in a comparison: the transports that were named, or the usual ones, and variants of them.
 *
 * @param suite        that is measured.
 * @param scope        of the comparison.
 * @param transports   that were named, null for the usual ones.
 * @param isNative     whether programs of the machine are usual.
 * @param subject      that was named, null for the usual one.
 * @param isTwin       whether the subject takes part once more.
 * @param slowed       percent by which the subject is slower when it takes part once more; 0 if it does not.
 * @param builds       others that take part, as {@code NAME=JAR}.
 * @param besides      receives beside those that are measured, for further contestants.
 */
record Lineup(
    Suite suite,
    Scope scope,
    List<String> transports,
    boolean isNative,
    String subject,
    boolean isTwin,
    double slowed,
    List<String> builds,
    List<Beside> besides)
{
    static final String ALL = "all";
    static final String BUILD = "--build";

    /**
     * Makes the contestants.
     *
     * @param path on which native programs are looked for; those that are missing are left out.
     * @return the contestants in the order of reports.
     * @throws IllegalArgumentException that names the option, what was found and what is expected.
     */
    List<Contestant> contestants(final String path)
    {
        final List<TransportKind> kinds = new ArrayList<>();
        if (transports == null || transports.equals(List.of(ALL)))
        {
            Arrays.stream(TransportKind.values()).filter(this::isWanted)
                .filter((kind) -> kind.whyNot(scope, 1) == null).forEach(kinds::add);
        }
        else
        {
            transports.forEach((name) -> kinds.add(kind(name)));
        }
        final List<Contestant> contestants = new ArrayList<>(kinds.stream().distinct()
            .filter((kind) -> NativePrograms.whyNot(kind, path) == null).map(Contestant::new).toList());
        for (final Beside beside : besides)
        {
            kinds.stream().distinct().filter(TransportKind::isMatching)
                .filter((kind) -> NativePrograms.whyNot(kind, path) == null)
                .map((kind) -> new Contestant(kind.label() + beside.suffix(), kind, 0, null, beside)).forEach(contestants::add);
        }
        if (!contestants.isEmpty())
        {
            addVariants(contestants, contestants.get(subject(contestants)));
        }
        return contestants;
    }

    /** Whether a transport takes part, if it can. */
    boolean isWanted(final TransportKind kind)
    {
        return transports == null ? suite.isUsual(kind, scope) || kind.isNative() && isNative :
            transports.equals(List.of(ALL)) ? !kind.isNative() || isNative : transports.contains(kind.label());
    }

    private static TransportKind kind(final String name)
    {
        try
        {
            return TransportKind.of(name);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException("--transports: " + ex.getMessage(), ex);
        }
    }

    private void addVariants(final List<Contestant> contestants, final Contestant own)
    {
        if (isTwin)
        {
            contestants.add(new Contestant(own.label() + "-twin", own.kind(), 0, null, Beside.NOTHING));
        }
        if (slowed > 0)
        {
            contestants.add(new Contestant(own.label() + "-slowed", own.kind(), slowed, null, Beside.NOTHING));
        }
        if (builds != null)
        {
            addBuilds(contestants, own.kind());
        }
    }

    private void addBuilds(final List<Contestant> contestants, final TransportKind kind)
    {
        require(scope != Scope.THREADS, BUILD, "--scope " + scope.label(), "--scope processes or network");
        require(!kind.isNative(), BUILD, "the subject " + kind.label(), "a subject that is measured by Java");
        for (final String text : builds)
        {
            final OtherBuild build;
            try
            {
                build = OtherBuild.parse(text);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new IllegalArgumentException(BUILD + ": " + ex.getMessage(), ex);
            }
            require(Stream.concat(Arrays.stream(TransportKind.values()).map(TransportKind::label),
                contestants.stream().map(Contestant::label)).noneMatch(build.name()::equals), BUILD,
                "the name '" + build.name() + "'", "one that no transport and no other build has");
            contestants.add(new Contestant(build.name(), kind, 0, build.classPath(), Beside.NOTHING));
        }
    }

    /**
     * Finds the one that is held against the others.
     *
     * @param contestants that take part.
     * @return its number; the first one's if the usual subject takes no part.
     * @throws IllegalArgumentException if one was named that takes no part.
     */
    int subject(final List<Contestant> contestants)
    {
        final String wanted = subject == null ? suite.subject(scope).label() : subject;
        for (int i = 0; i < contestants.size(); i++)
        {
            if (contestants.get(i).label().equals(wanted))
            {
                return i;
            }
        }
        require(subject == null, "--subject", "'" + subject + "'", "one of the transports that take part: " +
            contestants.stream().map(Contestant::label).collect(Collectors.joining(", ")));
        return 0;
    }

    private static void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new IllegalArgumentException(name + ": found " + found + ", expected " + expected);
        }
    }
}
