import type { AppWindow } from '../windows/index.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

/** Training on the desktop. Nothing of it exists before a person opens it, and closing its window leaves nothing running. */
export interface Training {
  /** Opens its window and starts its core, or brings the window to the front. */
  open(): void;
  /** Its window; null while it is closed. */
  appWindow(): AppWindow | null;
  /** The machine goes to sleep, or woke up. */
  suspend(): void;
  resume(): void;
  /** Ends it with the program: its core closes the workspace, which can be resumed. Resolves when the core is gone. */
  quit(): Promise<void>;
}

/** One session at a time: the next one waits until the core of the one before has let go of its folder. */
export function setUpTraining(options: Omit<SessionOptions, 'onClosed'>): Training {
  let session: Session | null = null;
  let ending: Promise<void> | null = null;
  let isWanted = false;
  let isQuitting = false;

  function end(): Promise<void> {
    const ended = session;
    session = null;
    if (ended !== null) {
      ending = ended.end().finally(() => {
        ending = null;
        if (isWanted) open();
      });
    }
    return ending ?? Promise.resolve();
  }

  function open(): void {
    if (isQuitting) return;
    isWanted = ending !== null;
    if (isWanted) return;
    session ??= openSession({ ...options, onClosed: () => void end() });
    session.appWindow.focus();
  }

  return {
    open,
    appWindow: () => session?.appWindow ?? null,
    suspend: () => session?.core.suspend(),
    resume: () => session?.core.resume(),
    quit() {
      isQuitting = true;
      return end();
    },
  };
}
