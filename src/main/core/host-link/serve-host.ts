import type { Core } from '#core/compose/compose.ts';
import type { ComposeOptions, CoreSettings } from '#core/compose/options.ts';
import { composeRestartable } from '#core/compose/restartable-core.ts';
import { keepHeapSmall } from '#core/platform/heap.ts';
import { silentLogger, type Logger, createLogger, openLogFile } from '#core/platform/logger.ts';
import { appApi, callHandler, requestNamed } from '#shared/app-api/index.ts';
import { AppError, catalogue, encodeError, fieldPath, parseInput } from '#shared/errors/index.ts';
import {
  confirmationApi,
  hostMessageSchema,
  type Confirmer,
  type CoreMessage,
  type CoreStart,
  type HostMessage,
} from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { type HostPort, findHostPort } from './host-port.ts';

export type CoreOverrides = Partial<CoreSettings>;

export interface LinkLogs {
  early: Logger;
  /** Fails with `data_folder_unusable`. */
  open(dataFolder: string): Logger;
}

export type ComposeServed = (options: ComposeOptions) => Promise<Core>;

export interface ServeHostOptions {
  port: HostPort;
  compose?: ComposeServed;
  overrides?: CoreOverrides;
  logs?: LinkLogs;
}

export interface HostLink {
  /** Finishes the current write and ends the core. A `quit` message, and the end of the host, have the same effect. */
  quit(): void;
  /** The exit code for the process: 0 after an orderly end, 1 if the core could not start or end. */
  readonly ended: Promise<number>;
}

const noLogs: LinkLogs = { early: silentLogger, open: () => silentLogger };

/** Serves one core to one host, from `start` to `quit`. Decisions are accepted only from the host's confirmation surface. */
export function serveHost({
  port,
  compose = composeRestartable,
  overrides = {},
  logs = noLogs,
}: ServeHostOptions): HostLink {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const send = (message: CoreMessage): void => port.send(message);
  const requests = createHostRequests(send);
  let logger = overrides.logger ?? logs.early;
  let starting: Promise<void> | null = null;
  let running: { core: Core; asks: ReturnType<typeof createAsks> } | null = null;
  let isEnding = false;

  async function start(given: CoreStart): Promise<void> {
    try {
      const core = await composeFor(given);
      running = { core, asks: createAsks({ core, logger, send }) };
    } catch (failure) {
      fail(failure);
      return;
    }
    const { core } = running;
    core.subscribe((event) => send({ kind: 'event', event }));
    logger.info({ version: core.info.version }, 'The core is ready');
    send({ kind: 'ready', setAside: core.info.setAsideFiles });
  }

  async function composeFor({
    dataFolder,
    version,
    dataKey,
    demoCampaigns,
    formats,
  }: CoreStart): Promise<Core> {
    logger = overrides.logger ?? logs.open(dataFolder);
    return compose({
      dataFolder,
      version,
      dataKey: Buffer.from(dataKey, 'base64'),
      ...(demoCampaigns === undefined ? {} : { demoCampaigns }),
      ...(formats === undefined ? {} : { followedFormats: () => formats }),
      logger,
      openLink: requests.open,
      network: { proxiesFor: requests.findProxy },
      resetHost: requests.resetHost,
      ...overrides,
      host: 'desktop',
      confirmer: confirmerAt(send),
    });
  }

  function fail(failure: unknown): void {
    isEnding = true;
    const error = encodeError(failure);
    const { level } = catalogue[error.code];
    logger[level]({ err: failure, code: error.code }, 'The core could not start');
    send({ kind: 'failed', error });
    end(1);
  }

  function quit(): void {
    if (isEnding) return;
    isEnding = true;
    void finish().then(
      () => end(0),
      (failure: unknown) => {
        logger.error({ err: failure }, 'The core did not end well');
        end(1);
      },
    );
  }

  async function finish(): Promise<void> {
    await starting;
    if (running === null) return;
    const { core, asks } = running;
    try {
      await core.dispose();
    } finally {
      // Lets requests that the end of the core has settled be answered first.
      await new Promise((resolve) => setImmediate(resolve));
      asks.close();
    }
    logger.info({}, 'The core has ended');
  }

  function obey(message: HostMessage): void {
    switch (message.kind) {
      case 'start':
        if (starting === null && !isEnding) starting = start(message.start);
        else logger.warn({}, 'The host said a second time with what to start');
        return;
      case 'ask':
        if (running === null || isEnding) send(unreachable(message.id));
        else running.asks.take(message);
        return;
      case 'opened':
        return requests.opened(message.id, message.opened);
      case 'proxyFound':
        return requests.proxyFound(message.id, message.proxies);
      case 'hostReset':
        return requests.hostReset(message.id, message.dataKey);
      case 'suspend':
        return running?.core.suspend();
      case 'resume':
        return running?.core.resume();
      case 'quit':
        return quit();
      default:
        return assertNever(message);
    }
  }

  port.onMessage((message) => {
    const parsed = hostMessageSchema.safeParse(message);
    if (parsed.success) return obey(parsed.data);
    // Logs only the places of the errors, because the values may be secrets.
    const places = parsed.error.issues.map(({ path, code }) => `${fieldPath(path)}: ${code}`);
    logger.warn({ places }, 'A message of the host was not understood');
  });
  port.onClose(quit);
  return { quit, ended };
}

function confirmerAt(send: (message: CoreMessage) => void): Confirmer {
  return {
    via: 'desktop',
    async show(display) {
      send({ kind: 'show', display });
      return { address: null };
    },
    // The core never focuses the window: the host brings it to the front when the user asked for it.
    announce: (display) => send({ kind: 'show', display }),
    hide: (displayId) => send({ kind: 'hide', displayId }),
  };
}

type Ask = Extract<HostMessage, { kind: 'ask' }>;

interface AsksOptions {
  core: Core;
  logger: Logger;
  send(message: CoreMessage): void;
}

function createAsks({ core, logger, send }: AsksOptions) {
  const waiting = new Set<Ask>();

  async function run(ask: Ask): Promise<void> {
    const { id } = ask;
    const reply = await answer(core, ask).then(
      (output): CoreMessage => ({ kind: 'answer', id, output: output ?? null }),
      (failure: unknown) => refusalOf(ask, failure),
    );
    if (waiting.delete(ask)) send(reply);
  }

  function refusalOf({ id, surface, name }: Ask, failure: unknown): CoreMessage {
    const error = encodeError(failure);
    if (catalogue[error.code].level === 'error') {
      logger.error({ err: failure, code: error.code, surface, name }, 'A request of the host failed');
    }
    return { kind: 'refusal', id, error };
  }

  return {
    take(ask: Ask): void {
      waiting.add(ask);
      void run(ask);
    },
    close(): void {
      for (const { id } of waiting) send(unreachable(id));
      waiting.clear();
    },
  };
}

function unreachable(id: number): CoreMessage {
  return { kind: 'refusal', id, error: encodeError(new AppError('core_unreachable')) };
}

/**
 * Pages may call only the app API, the confirmation window only its own requests. Fails with `not_found`, `bad_input`, or as the
 * core.
 */
async function answer(
  { handlers, confirmation }: Pick<Core, 'handlers' | 'confirmation'>,
  { surface, name, input }: Ask,
): Promise<unknown> {
  // Handlers of the app API check their own input.
  if (surface === 'app') return callHandler(handlers, requestNamed(appApi, name), input);
  const request = requestNamed(confirmationApi, name);
  return callHandler(confirmation, request, parseInput<unknown>(confirmationApi[request].input, input));
}

/** Runs a core until the core or its host ends. Ctrl-C and TERM reach this process too; it finishes the current write first. */
export function runCoreProcess(served: Pick<ServeHostOptions, 'compose' | 'overrides'> = {}): void {
  keepHeapSmall();
  const port = findHostPort();
  if (port === null) {
    process.stderr.write('This is the core of Countersign, which the desktop app starts. Use `npm start`.\n');
    process.exitCode = 1;
    return;
  }
  // A host that crashes closes the other end of this stream. The resulting error must not interrupt the current write.
  process.stderr.on('error', () => {});
  let logger: Logger = createLogger({ to: process.stderr, level: 'warn' });
  const crash = (failure: unknown): void => {
    logger.error({ err: failure }, 'The core crashed');
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  const link = serveHost({
    ...served,
    port,
    logs: { early: logger, open: (dataFolder) => (logger = openLogFile(dataFolder).logger) },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, link.quit);
  void link.ended.then(async (code) => {
    await port.drained();
    process.exit(code);
  });
}

interface HostRequests {
  /** Resolves to false if no browser was started or the host fails to answer in time. */
  open(address: string): Promise<boolean>;
  /** Finds the system's proxies for an https origin. Fails if the host cannot name any or does not answer in time. */
  findProxy(origin: string): Promise<string>;
  /** Resolves to the new data key, or to null if the data is unchanged or the host fails to answer in time. */
  resetHost(): Promise<Buffer | null>;
  opened(id: number, opened: boolean): void;
  proxyFound(id: number, proxies: string | null): void;
  hostReset(id: number, dataKey: string | null): void;
}

const answerLimitMs = 10_000;

/** Longer, because a keychain takes longer to answer; shorter than a start may take. */
const resetLimitMs = 25_000;

export function createHostRequests(send: (message: CoreMessage) => void): HostRequests {
  const opening = createWaiting(false, answerLimitMs);
  const finding = createWaiting<string | null>(null, answerLimitMs);
  const resetting = createWaiting<string | null>(null, resetLimitMs);
  return {
    open: (address) => opening.begin((id) => send({ kind: 'open', id, address })),
    async findProxy(origin) {
      const proxies = await finding.begin((id) => send({ kind: 'findProxy', id, origin }));
      if (proxies === null) throw new Error('The host names no proxies');
      return proxies;
    },
    async resetHost() {
      const dataKey = await resetting.begin((id) => send({ kind: 'resetHost', id }));
      return dataKey === null ? null : Buffer.from(dataKey, 'base64');
    },
    opened: opening.end,
    proxyFound: finding.end,
    hostReset: resetting.end,
  };
}

function createWaiting<T>(
  late: T,
  limitMs: number,
): {
  begin(send: (id: number) => void): Promise<T>;
  end(id: number, answer: T): void;
} {
  const waiting = new Map<number, (answer: T) => void>();
  let lastId = 0;
  return {
    begin(send) {
      const id = ++lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => end(late), limitMs);
        timer.unref();
        const end = (answer: T): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        waiting.set(id, end);
        send(id);
      });
    },
    end: (id, answer) => waiting.get(id)?.(answer),
  };
}
