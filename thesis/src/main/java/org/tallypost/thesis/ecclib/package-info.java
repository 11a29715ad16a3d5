// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the thesis about ECCLib states (A. Barbieri, Analisis e implementacion de comunicaciones colectivas en NOWs, UNLP,
 * 2003), done again: its formulas, and its collectives on a simulated bus and a simulated switch.
 */
package org.tallypost.thesis.ecclib;
