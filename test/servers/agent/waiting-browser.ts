import { systemClock } from '#core/platform/clock.ts';
import { waitForRedirect } from '#core/sample-agent/waiting-browser.ts';

/** A browser that does nothing but wait on a page until it is sent somewhere. */
export interface WaitingBrowser {
  /** The words of the page on which it waits; resolves with the first page that asks to wait. */
  page: Promise<string>;
  /** Where it was sent in the end: an address of the client's own. */
  end: Promise<URL>;
}

/** Looks again at this rate, however long the page asks to wait. */
const pauseMs = 100;
const clock = {
  ...systemClock,
  after: (_delayMs: number, call: () => void) => systemClock.after(pauseMs, call),
};

/** Opens the address, and goes on until a redirect leads to `destination`. */
export function openAndWait(address: URL, destination: string, signal: AbortSignal): WaitingBrowser {
  const page = Promise.withResolvers<string>();
  const end = waitForRedirect({ address, destination, clock, signal, onWaiting: page.resolve });
  end.catch(page.reject);
  page.promise.catch(() => {});
  return { page: page.promise, end };
}
