// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * How a process learns its group, its rank and the other nodes: from the program, properties, the environment, a file, or what a
 * launcher says. {@link org.tallypost.transportaeron.launch.LaunchConfiguration} is where to begin.
 */
package org.tallypost.transportaeron.launch;
