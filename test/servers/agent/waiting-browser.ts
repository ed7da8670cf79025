import { systemClock } from '#core/platform/clock.ts';
import { waitForRedirect } from '#core/sample-agent/waiting-browser.ts';

/** A browser that only waits on a page until it is redirected. */
export interface WaitingBrowser {
  /** Resolves with the text of the first page that asks to wait. */
  page: Promise<string>;
  /** Resolves with the URL of the last redirect, which belongs to the client. */
  end: Promise<URL>;
}

/** Requests the page again after this time, however long the page asks to wait. */
const pauseMs = 100;
const clock = {
  ...systemClock,
  after: (_delayMs: number, call: () => void) => systemClock.after(pauseMs, call),
};

/** Opens the address and follows its pages until a redirect leads to `destination`. */
export function openAndWait(address: URL, destination: string, signal: AbortSignal): WaitingBrowser {
  const page = Promise.withResolvers<string>();
  const end = waitForRedirect({ address, destination, clock, signal, onWaiting: page.resolve });
  end.catch(page.reject);
  page.promise.catch(() => {});
  return { page: page.promise, end };
}
