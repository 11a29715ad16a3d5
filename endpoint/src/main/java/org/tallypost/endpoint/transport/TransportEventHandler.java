// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.tallypost.node.Node;

/**
 * Hears what happens between nodes. Called on the transport's thread, in the process that carries the packets of the node.
 */
@FunctionalInterface
public interface TransportEventHandler
{
    /**
     * Something happened. Must not block: packets wait meanwhile. Messages may be sent from here; the node is not closed
     * ({@link Node#close()} refuses that).
     *
     * @param event that happened.
     */
    void onEvent(TransportEvent event);
}
