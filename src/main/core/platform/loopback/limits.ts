/** What one loopback listener accepts. Times in milliseconds, sizes in bytes. */
export interface LoopbackLimits {
  /** The whole header block, request line included; more is 431. */
  maxHeaderBytes: number;
  /** The request target; more is 414. */
  maxTargetBytes: number;
  /** Until the headers have arrived; later is 408. */
  headersTimeoutMs: number;
  /** Until the whole request has arrived; later is 408. */
  requestTimeoutMs: number;
  /** How often both are looked at. */
  timeoutCheckMs: number;
  /** How long an idle connection is kept. */
  keepAliveMs: number;
  /** How long the rest of a request is drained after its answer, so that the answer is read before the end. */
  lingerMs: number;
  /** How long running answers may take when the listener is ended. */
  closeGraceMs: number;
  maxConnections: number;
  /** Requests that may wait behind one on the same connection (HTTP pipelining); the next one is 429 and the last. */
  maxPipelined: number;
}

/** Fits people, agents and one app on one machine. */
export const defaultLoopbackLimits: LoopbackLimits = {
  maxHeaderBytes: 16 * 1024,
  maxTargetBytes: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 1_000,
  keepAliveMs: 30_000,
  lingerMs: 2_000,
  closeGraceMs: 300,
  maxConnections: 512,
  maxPipelined: 32,
};
