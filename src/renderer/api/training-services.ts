import type { AppOutput } from '#shared/app-api/index.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import { type DesktopHost, desktopHost } from './desktop-host.ts';
import { openConfirmWindow, withTheme } from './host-services.ts';
import { outputOf, postToHost, readStream, sessionSecret } from './http-requests.ts';

/** Opens training in its own window. Resolves with the one-time address if the browser refused to open it, else null. */
export async function openTraining(): Promise<string | null> {
  if (desktopHost) {
    await desktopHost.ask('desktop.openTraining', {});
    return null;
  }
  const { address } = (await askHost('/host/open-training')) as { address: string };
  return window.open(address) === null ? address : null;
}

/** Calls back with the state of the real work, now and after every change. Returns the unsubscribe function. */
export function watchRealWork(listener: (work: RealWork) => void): () => void {
  return desktopHost === null ? streamRealWork(listener) : followRealWork(desktopHost, listener);
}

/** Brings the real confirmation to the front. Resolves as `openTraining` does. */
export async function reviewReal(): Promise<string | null> {
  if (desktopHost) {
    await desktopHost.ask('desktop.reviewReal', {});
    return null;
  }
  const { address } = (await askHost('/host/review-real')) as { address: string | null };
  return openReal(address);
}

export interface RealStop {
  blocked: string | null;
  /** A message for the person. Null if there is none or the host has shown it. */
  say: string | null;
}

/** Starts the emergency stop of the real app, never that of the workspace. */
export async function stopRealAgents(): Promise<RealStop> {
  if (desktopHost) {
    await desktopHost.ask('desktop.stopRealAgents', {});
    return { blocked: null, say: null };
  }
  const { address, say } = (await askHost('/host/stop-real-agents')) as AppOutput<'emergencyStop.start'>;
  return { blocked: openReal(address), say };
}

async function askHost(path: string): Promise<unknown> {
  return outputOf(await postToHost(path, {}));
}

function openReal(address: string | null): string | null {
  if (address === null) return null;
  const themed = withTheme(address);
  return openConfirmWindow(themed, 'work') ? null : themed;
}

/** A change that arrives before the answer to the first request is newer, so that answer is dropped. */
function followRealWork(host: DesktopHost, listener: (work: RealWork) => void): () => void {
  let isOver = false;
  const stop = host.onRealWork((work) => {
    isOver = true;
    listener(work);
  });
  host.ask('desktop.realWork', {}).then(
    (work) => void (isOver || listener(work)),
    () => undefined,
  );
  return () => {
    isOver = true;
    stop();
  };
}

const againAfterMs = 2_000;

function streamRealWork(listener: (work: RealWork) => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  async function listen(): Promise<void> {
    while (!signal.aborted) {
      const secret = sessionSecret();
      if (secret !== null) {
        await readStream({
          path: '/host/real-work',
          secret,
          onItem: (work) => listener(work as RealWork),
          signal,
        }).catch(() => undefined);
      }
      if (signal.aborted) return;
      listener({ waiting: null, frozen: null });
      await new Promise((resolve) => setTimeout(resolve, againAfterMs));
    }
  }
  void listen();
  return () => over.abort();
}
