// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Programs for an endpoint and for services. Each rank is a process of its own, with the arguments DIRECTORY and RANK. The guide
 * has the commands: docs/guide/examples.md.
 */
package org.tallypost.examples.ranks;
