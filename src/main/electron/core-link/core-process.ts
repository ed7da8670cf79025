import type { HostMessage } from '#shared/host-api/index.ts';

/** A process with a core in it, whatever started it. It exists from the moment it is made, loaded or not. */
export interface CoreProcess {
  send(message: HostMessage): void;
  /** What arrives is not trusted to have any shape. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, after its last message and however it ended. The code is for the log: null where there is none, and Electron sometimes says 0. */
  onExit(listener: (code: number | null) => void): void;
  /** Ends it at once. */
  kill(): void;
}

/** Starts one. Never throws: a process that cannot start exits. */
export type StartCoreProcess = () => CoreProcess;
