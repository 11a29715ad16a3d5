// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Which rank sends to which one: collectives and the benchmarks' patterns by their usual algorithms, as messages between two
 * processes.
 *
 * <p>Pure: without memory that is shared, threads, clocks and I/O. A schedule says which steps a process takes in a round, and
 * its user says what a step is: the simulated fabric books the time that a step takes, and endpoints send a message. So
 * simulated and measured figures are of the same algorithm.
 *
 * <p>A module of its own, which imports the JDK alone: as a package of the fabric it would bring the simulator and the credit
 * protocol into every program that runs a collective.
 */
package org.tallypost.schedule;
