// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

/** What the programs of a simulation do. */
enum SimulationKind
{
    /** They send by endpoints. */
    MESSAGES,
    /** They send by messengers. */
    MATCHED,
    /** They send by endpoints, and use regions of each other. */
    BULK
}
