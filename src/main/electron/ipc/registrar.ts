import {
  type RequestDefinition,
  type RequestMap,
  type RequestName,
  requestNamed,
} from '#shared/app-api/index.ts';
import { AppError, catalogue, encodeError, parseInput } from '#shared/errors/index.ts';
import {
  type HostAnswer,
  type AppPush,
  desktopOrigins,
  originNames,
  type PagePlace,
  type PageSurface,
  requestChannel,
} from '#shared/host-api/index.ts';
import type { DesktopLog } from '../platform/log.ts';

export interface ServedSurface<M extends RequestMap> {
  surface: PageSurface;
  /** The only allowed sender. Requests from other senders are refused before name and input are read. */
  from: ExpectedPage;
  requests: M;
  /** Answers a request with a validated input. An `AppError` reaches the page; any other failure becomes `internal`. */
  answer(name: RequestName<M>, input: unknown): unknown;
}

export interface Ipc {
  /** Serves a surface. Throws if the page already has this surface, which is a bug. Returns the unsubscribe function. */
  handle<M extends RequestMap>(served: ServedSurface<M>): () => void;
}

export interface RawIpc {
  handle(channel: string, listener: (event: SenderEvent, ...args: unknown[]) => Promise<HostAnswer>): void;
  removeHandler(channel: string): void;
}

/** Checks every request in this order: window, frame, origin, name, shape of the input. */
export function createRegistrar(raw: RawIpc, log: DesktopLog): Ipc {
  return {
    handle({ surface, from, requests, answer }) {
      const channel = requestChannel(from.origin, surface);
      raw.handle(channel, async (event, ...args) => {
        let request: string | null = null;
        try {
          assertSender(event, from);
          if (args.length !== 2) throw new AppError('bad_input');
          const name = requestNamed(requests, args[0]);
          request = name;
          const { input: schema } = requests[name] as RequestDefinition;
          const input = parseInput<unknown>(schema, args[1]);
          // Awaited here, so that a rejection is encoded too.
          return { output: (await answer(name, input)) ?? null };
        } catch (failure) {
          report(log, { channel, request }, failure);
          return { error: encodeError(failure) };
        }
      });
      return () => raw.removeHandler(channel);
    },
  };
}

function report(log: DesktopLog, asked: { channel: string; request: string | null }, failure: unknown): void {
  if (!(failure instanceof AppError)) {
    const stack = failure instanceof Error ? failure.stack : String(failure);
    log.warn({ ...asked, code: 'internal', stack }, 'A request of a page failed');
  } else if (catalogue[failure.code].level === 'error' || failure.code === 'sender_refused') {
    log.warn({ ...asked, code: failure.code, ...failure.data }, 'A request of a page was refused');
  }
}

export interface Frame {
  readonly origin: string;
  readonly parent: object | null;
}

export interface SenderEvent {
  /** Null if the frame was closed or navigated after sending. */
  readonly senderFrame: Frame | null;
  readonly sender: { readonly mainFrame: Frame | null };
}

export interface ExpectedPage {
  webContents(): object | null;
  readonly origin: string;
}

/** Fails with `sender_refused` and the reason unless the expected window's main frame sent it from the expected origin. */
function assertSender({ senderFrame, sender }: SenderEvent, page: ExpectedPage): void {
  const wrong = whatIsWrong({ senderFrame, sender }, page);
  if (wrong !== null) throw new AppError('sender_refused', { data: { wrong } });
}

function whatIsWrong(
  { senderFrame, sender }: SenderEvent,
  page: ExpectedPage,
): 'window' | 'no frame' | 'sub-frame' | 'origin' | null {
  if (sender !== page.webContents()) return 'window';
  if (senderFrame === null) return 'no frame';
  if (senderFrame.parent !== null || senderFrame !== sender.mainFrame) return 'sub-frame';
  if (senderFrame.origin !== page.origin) return 'origin';
  return null;
}

export interface AppPage {
  webContents(): object | null;
  send(push: AppPush, payload: unknown): void;
}

export function appPageOf(place: PagePlace, appWindow: Pick<AppPage, 'webContents'>): ExpectedPage {
  return {
    webContents: () => appWindow.webContents(),
    origin: desktopOrigins[originNames[place].app],
  };
}
