import type { CoreMessage } from '#shared/host-api/index.ts';

/** The core's end of the line to its host. */
export interface HostPort {
  /** Hands the message over in the order sent. Never throws: where the host is gone, nobody is told. */
  send(message: CoreMessage): void;
  /** What arrives is not trusted to have any shape. What came earlier is kept until somebody listens. */
  onMessage(listener: (message: unknown) => void): void;
  /** The host is gone. */
  onClose(listener: () => void): void;
}
