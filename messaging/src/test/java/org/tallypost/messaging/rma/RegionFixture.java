// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.io.File;
import java.nio.file.Path;
import org.tallypost.endpoint.NodeContext;

/** What the tests of regions need. */
final class RegionFixture
{
    private RegionFixture()
    {
    }

    static NodeContext context(final Path directory, final int ranks)
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(ranks)
            .slotsPerSender(16).livenessIntervalNs(100_000_000L).deleteOnClose(true)
            .errorHandler((t) ->
            {
                throw new AssertionError("error handler called", t);
            });
    }

    static long seed(final String test)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println(test + ": seed=" + seed);
        return seed;
    }
}
