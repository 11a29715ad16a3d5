// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The way in: {@link org.tallypost.node.Node} joins a node and opens endpoints.
 */
package org.tallypost.node;
