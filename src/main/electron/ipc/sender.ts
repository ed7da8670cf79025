import { AppError } from '#shared/errors/index.ts';

/** One frame, as Electron's `WebFrameMain` has it. */
export interface Frame {
  /** Scheme and host; `null` for opaque origins. */
  readonly origin: string;
  /** Null for the main frame. */
  readonly parent: object | null;
}

/** Who sent a message, as Electron's events have it. */
export interface SenderEvent {
  /** Null when the frame has gone or was navigated since. */
  readonly senderFrame: Frame | null;
  readonly sender: { readonly mainFrame: Frame | null };
}

/** The one page that a channel serves. */
export interface ExpectedPage {
  /** The contents of its window; null while there is none. Compared by identity. */
  webContents(): object | null;
  /** For example `countersign://app`. */
  readonly origin: string;
}

/** Fails with `sender_refused`, naming what was wrong, unless the main frame of the expected window sent it from the expected origin. */
export function assertSender({ senderFrame, sender }: SenderEvent, page: ExpectedPage): void {
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
