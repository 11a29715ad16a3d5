// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.NodeMessageDescriptor;
import org.tallypost.endpoint.Endpoint;

class NodeMessageDescriptorTest
{
    /** The diagram. */
    @Test
    void shouldBeLaidOutAsDrawn()
    {
        assertEquals(0, NodeMessageDescriptor.KIND_OFFSET);
        assertEquals(4, NodeMessageDescriptor.VIEW_OFFSET);
        assertEquals(8, NodeMessageDescriptor.TEAM_OFFSET);
        assertEquals(16, NodeMessageDescriptor.SESSION_OFFSET);
        assertEquals(24, NodeMessageDescriptor.OPERATION_OFFSET);
        assertEquals(32, NodeMessageDescriptor.OPERATIONS_OFFSET);
        assertEquals(40, NodeMessageDescriptor.PIECE_OFFSET);
        assertEquals(44, NodeMessageDescriptor.CONSUMED_OFFSET);
        assertEquals(48, NodeMessageDescriptor.HEAD_LENGTH);
    }

    @Test
    void shouldGoInOneRunAndCutNoElement()
    {
        assertTrue(NodeMessageDescriptor.HEAD_LENGTH + NodeMessageDescriptor.MAX_DATA_LENGTH <= Endpoint.MAX_RUN_LENGTH);
        for (final ElementType type : ElementType.values())
        {
            assertEquals(0, NodeMessageDescriptor.MAX_DATA_LENGTH % type.length());
            assertEquals(0, NodeMessageDescriptor.MIN_DATA_LENGTH % type.length());
        }
    }

    @Test
    void shouldKnowNoKindOfAnotherVersion()
    {
        assertEquals(NodeMessageDescriptor.LEFT, NodeMessageDescriptor.kind(
            NodeMessageDescriptor.kindWord(NodeMessageDescriptor.LEFT)));
        assertEquals(0, NodeMessageDescriptor.kind(NodeMessageDescriptor.LEFT));
        assertEquals(0, NodeMessageDescriptor.kind(
            NodeMessageDescriptor.VERSION + 1 << 8 | NodeMessageDescriptor.LEFT));
    }
}
