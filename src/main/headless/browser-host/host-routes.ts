import type { IncomingMessage, ServerResponse } from 'node:http';
import { noInput, type RealWork } from '#shared/host-api/index.ts';
import { createStreams, type HostedCore, type HostRoutes } from './app-origin.ts';
import { answerJson, readInput, type Route } from './router.ts';

function post(path: string, check: (request: IncomingMessage) => void, run: () => Promise<unknown>): Route {
  return {
    method: 'POST',
    path,
    async answer(request: IncomingMessage, response: ServerResponse) {
      check(request);
      await readInput(request, noInput);
      answerJson(response, { output: await run() });
    },
  };
}

/** The real app's page may open training: it gets a one-time address. */
export function workRoutes(openTraining: () => Promise<string>): HostRoutes {
  return {
    routes: (check) => [post('/host/open-training', check, async () => ({ address: await openTraining() }))],
    close: () => undefined,
  };
}

/**
 * The training page may see how much real work waits, be shown a real change in the real confirmation, and stop the real agents. It
 * gets no answer of the real core beside these, and can decide nothing.
 */
export function trainingRoutes(real: Pick<HostedCore, 'handlers' | 'subscribe'>): HostRoutes {
  const { handlers } = real;
  const streams = createStreams((listener) => watchRealWork(real, listener));
  const routes = (check: (request: IncomingMessage) => void): Route[] => [
    post('/host/review-real', check, async () => {
      const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 });
      const [first] = items;
      if (first === undefined) return { address: null };
      const { address } = await handlers['proposals.review']({ id: first.id });
      return { address };
    }),
    post('/host/stop-real-agents', check, () => handlers['emergencyStop.start']({})),
    {
      method: 'GET',
      path: '/host/real-work',
      answer(request, response) {
        check(request);
        streams.open(response);
      },
    },
  ];
  return { routes, close: streams.close };
}

/** Calls back with what goes on in the real core, now and after each change of it. Returns the unsubscribe function. */
function watchRealWork(
  { handlers, subscribe }: Pick<HostedCore, 'handlers' | 'subscribe'>,
  listener: (work: RealWork) => void,
): () => void {
  let last: RealWork | null = null;
  let isLooking = false;
  let isOutdated = false;

  async function read(): Promise<RealWork> {
    const [{ total }, { frozenSinceMs }] = await Promise.all([
      handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 }),
      handlers['agents.get']({}),
    ]);
    return { waiting: total, frozen: frozenSinceMs !== null };
  }

  async function look(): Promise<void> {
    isOutdated = isLooking;
    if (isLooking) return;
    isLooking = true;
    const found = await read().catch(() => ({ waiting: null, frozen: null }));
    isLooking = false;
    if (found.waiting !== last?.waiting || found.frozen !== last.frozen) listener(found);
    last = found;
    if (isOutdated) await look();
  }

  const stop = subscribe(({ kind }) => {
    if (kind === 'proposals.changed' || kind === 'agents.changed') void look();
  });
  void look();
  return stop;
}
