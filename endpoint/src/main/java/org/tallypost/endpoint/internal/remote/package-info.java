// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What goes to ranks of other nodes and comes from them, up to the transport. Begin with RemotePeer, NodeEgress and
 * TransportPort. Not for programs.
 */
package org.tallypost.endpoint.internal.remote;
