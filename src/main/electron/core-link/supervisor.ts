import type { AppEvent } from '#shared/app-api/index.ts';
import type { CoreStart, CoreState, Showing, Surface } from '#shared/host-api/index.ts';
import type { DesktopLog } from '../log.ts';
import type { StartCoreProcess } from './core-process.ts';

/** The core as the desktop host has it: one process at a time, started again when it ends by itself. */
export interface CoreSupervisor {
  state(): CoreState;
  onState(listener: (state: CoreState) => void): () => void;
  onEvent(listener: (event: AppEvent) => void): () => void;
  /** The core wants a person to see this. */
  onShow(listener: (showing: Showing) => void): () => void;
  onHide(listener: (showingId: string) => void): () => void;
  /** Damaged databases that were moved aside at the last start. */
  setAside(): readonly string[];
  /** Starts the process at once; it waits until `begin` says with what. */
  preload(): void;
  /** Says what the core starts with, now and after each crash. */
  begin(start: CoreStart): void;
  /** Asks the core; waits while it starts for the first time. Fails with the core's `AppError` or `core_unreachable`. */
  ask(surface: Surface, name: string, input: unknown): Promise<unknown>;
  /** A person wants it started again after `stopped`. */
  retry(): void;
  suspend(): void;
  resume(): void;
  /** Lets the core finish its write and end; resolves when it is gone. After 20 s it is ended. */
  quit(): Promise<void>;
}

export interface SupervisorOptions {
  startProcess: StartCoreProcess;
  log: DesktopLog;
  nowMs(): number;
  /** Calls once after the delay; returns the way to cancel. */
  after(delayMs: number, call: () => void): () => void;
}
