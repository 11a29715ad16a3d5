// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.util.List;
import org.tallypost.node.LinkStat;

/**
 * A node at one moment.
 *
 * @param directory of the node, absolute.
 * @param group     name of the group.
 * @param node      index of the node.
 * @param nodes     of the group.
 * @param epochMs   time of the day, in milliseconds since 1970.
 * @param timeNs    by System.nanoTime().
 * @param endpoints of this node, in the order of their ranks.
 * @param links     to other nodes, in their order; none if there is one node only.
 */
public record NodeSample(
    String directory, String group, int node, int nodes, long epochMs, long timeNs, List<EndpointSample> endpoints,
    List<LinkStat> links)
{
}
