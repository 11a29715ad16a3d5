// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.Arrays;

/** The least label of each connected component of a random graph: labels go to other ranks by requests, until none changes. */
final class ConnectedComponents extends LoggpProgram
{
    private static final int LABEL = 0;
    private static final int EDGE_OPERATIONS = 10;

    private final int vertices;
    private final int[] labels;
    private final boolean[] isNew;

    ConnectedComponents(final LoggpRank rank, final int vertices)
    {
        super(rank);
        this.vertices = vertices;
        labels = new int[vertices];
        isNew = new boolean[vertices];
        // an edge carries labels both ways: the answer is the label of its end
        rank.onRequest(LABEL, (source, edge, label) ->
        {
            final int end = other(source * vertices + edge) % vertices;
            offer(end, label);
            return labels[end];
        }, this::offer);
    }

    private void offer(final int vertex, final int label)
    {
        if (label < labels[vertex])
        {
            labels[vertex] = label;
            isNew[vertex] = true;
        }
    }

    private int total()
    {
        return vertices * rank.size();
    }

    /** The other end of the edge that begins at a vertex; half of them are near. */
    private int other(final int vertex)
    {
        final int chance = chance(3, vertex);
        return (chance & 1) == 0 ? vertex / vertices * vertices + (chance >> 1) % vertices : (chance >> 1) % total();
    }

    @Override
    void run()
    {
        for (int i = 0; i < vertices; i++)
        {
            labels[i] = rank.rank() * vertices + i;
            isNew[i] = true;
        }
        barrier();
        long changed = 1;
        while (changed > 0)
        {
            int own = 0;
            for (int i = 0; i < vertices; i++)
            {
                own += isNew[i] ? 1 : 0;
            }
            Arrays.fill(isNew, false);
            barrier();
            spreadNear();
            spread();
            barrier();
            changed = sum(own);
        }
    }

    /** Labels reach as far as they can within this rank, which takes no messages. */
    private void spreadNear()
    {
        boolean hasChanged = true;
        while (hasChanged)
        {
            hasChanged = false;
            for (int i = 0; i < vertices; i++)
            {
                final int end = other(rank.rank() * vertices + i);
                if (end / vertices == rank.rank() && labels[i] != labels[end % vertices])
                {
                    final int label = Math.min(labels[i], labels[end % vertices]);
                    offer(i, label);
                    offer(end % vertices, label);
                    hasChanged = true;
                }
            }
            rank.compute(vertices * EDGE_OPERATIONS);
        }
    }

    /** Edges to other ranks carry labels both ways. Each begins at a vertex of this rank. */
    private void spread()
    {
        for (int i = 0; i < vertices; i++)
        {
            final int end = other(rank.rank() * vertices + i);
            rank.compute(EDGE_OPERATIONS);
            if (end / vertices != rank.rank())
            {
                rank.request(end / vertices, LABEL, i, labels[i]);
            }
        }
    }

    @Override
    boolean isRight()
    {
        final int[] parents = new int[total()];
        Arrays.setAll(parents, (i) -> i);
        for (int vertex = 0; vertex < parents.length; vertex++)
        {
            final int one = root(parents, vertex);
            final int two = root(parents, other(vertex));
            parents[Math.max(one, two)] = Math.min(one, two);
        }
        boolean isEqual = true;
        for (int i = 0; i < vertices; i++)
        {
            isEqual &= labels[i] == root(parents, rank.rank() * vertices + i);
        }
        return sum(isEqual ? 0 : 1) == 0;
    }

    private static int root(final int[] parents, final int vertex)
    {
        int root = vertex;
        while (parents[root] != root)
        {
            root = parents[root];
        }
        return root;
    }
}
