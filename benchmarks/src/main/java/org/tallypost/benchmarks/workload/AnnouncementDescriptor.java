// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.tallypost.messaging.rma.RegionKey;

/**
 * Layout of the message that tells a receiver of a message in its sender's region.
 *
 * <pre>
 *   offset  length   field
 *   ------------------------------------------------
 *        0      16   key of the region
 *       16       4   offset of the message in the region
 *       20       4   length of the message in bytes
 * </pre>
 *
 * With the word that goes before it, it takes one slot.
 */
final class AnnouncementDescriptor
{
    static final int KEY_OFFSET = 0;
    static final int PLACE_OFFSET = KEY_OFFSET + RegionKey.LENGTH;
    static final int LENGTH_OFFSET = PLACE_OFFSET + Integer.BYTES;
    static final int LENGTH = LENGTH_OFFSET + Integer.BYTES;

    private AnnouncementDescriptor()
    {
    }
}
