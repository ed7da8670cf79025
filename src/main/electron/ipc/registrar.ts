import { AppError, catalogue, encodeError } from '#shared/errors/index.ts';
import type { Answer } from '#shared/host-api/index.ts';
import type { DesktopLog } from '../log.ts';
import { assertSender, type ExpectedPage, type SenderEvent } from './sender.ts';

/** What is used of a schema here; the schemas themselves live in shared. */
export interface InputSchema<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** One thing that one page may ask. */
export interface Channel<T> {
  channel: string;
  /** Who may ask; everyone else is refused before the input is looked at. */
  from: ExpectedPage;
  schema: InputSchema<T>;
  /** Answers, or fails: an `AppError` reaches the page, anything else becomes `internal`. */
  run(input: T): unknown;
}

/** The one way from a page to the desktop host. */
export interface Ipc {
  /** Serves a channel; a second one of the same name is a bug and throws. Returns the way to stop. */
  handle<T>(channel: Channel<T>): () => void;
}

/** What is used of Electron's `ipcMain`. */
export interface RawIpc {
  handle(channel: string, listener: (event: SenderEvent, ...args: unknown[]) => Promise<Answer>): void;
  removeHandler(channel: string): void;
}

/** Puts every check in front of every channel, in this order: window, frame, origin, shape of the input. */
export function createRegistrar(raw: RawIpc, log: DesktopLog): Ipc {
  return {
    handle({ channel, from, schema, run }) {
      raw.handle(channel, async (event, ...args) => {
        try {
          assertSender(event, from);
          // Awaited here, so that a rejection is encoded too.
          return { output: await run(parseInput(schema, args)) };
        } catch (failure) {
          report(log, channel, failure);
          return { error: encodeError(failure) };
        }
      });
      return () => raw.removeHandler(channel);
    },
  };
}

function parseInput<T>(schema: InputSchema<T>, args: readonly unknown[]): T {
  if (args.length !== 1) throw new AppError('bad_input');
  const result = schema.safeParse(args[0]);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({
    field: path.map(String).join('.'),
    code: 'invalid',
    message,
  }));
  throw new AppError('bad_input', { fields });
}

/** A refused sender and a bug are written down; what a person did is not. */
function report(log: DesktopLog, channel: string, failure: unknown): void {
  if (!(failure instanceof AppError)) {
    const stack = failure instanceof Error ? failure.stack : String(failure);
    log.warn({ channel, code: 'internal', stack }, 'A request of a page failed');
  } else if (catalogue[failure.code].level === 'error' || failure.code === 'sender_refused') {
    log.warn({ channel, code: failure.code, ...failure.data }, 'A request of a page was refused');
  }
}
