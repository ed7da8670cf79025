import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { createFaults, type Faults } from '#core/backend/index.ts';
import { serveHost, type CoreOverrides, type HostLink } from '#core/host-link/index.ts';
import { coreMessageSchema, type CoreMessage, type CoreStart, type Surface } from '#shared/host-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import type { Asking } from './scenario.ts';
import { eventually } from '#test/setup/eventually.ts';

type Kind = CoreMessage['kind'];
type Message<K extends Kind> = Extract<CoreMessage, { kind: K }>;

/** A host in the test's memory that is linked to a real core. */
export interface Linked extends Asking {
  link: HostLink;
  clock: ManualClock;
  faults: Faults;
  /** Returns the core's messages of this kind so far. */
  all<K extends Kind>(kind: K): Message<K>[];
  /** Sends any message to the core, valid or not. */
  say(message: unknown): void;
  /** Closes the link, as when the host dies. */
  close(): void;
  start(change?: Partial<CoreStart>): void;
  /** Starts the core and waits until it is ready. */
  ready(): Promise<void>;
  /** Resolves with the answer or the refusal. */
  ask(surface: Surface, name: string, input: unknown): Promise<Message<'answer'> | Message<'refusal'>>;
}

/** Links a core that was not told to start. The link ends with the test. */
export function linkCore(options: { folder?: string; overrides?: CoreOverrides } = {}): Linked {
  const { folder = tempFolder(), overrides } = options;
  const clock = createManualClock();
  const faults = createFaults();
  const said: CoreMessage[] = [];
  let hear: (message: unknown) => void = () => {};
  let close = (): void => {};
  const link = serveHost({
    port: {
      // Messages pass through JSON and their schema, as they do between processes.
      send: (message) => void said.push(coreMessageSchema.parse(JSON.parse(JSON.stringify(message)))),
      onMessage: (listener) => void (hear = listener),
      onClose: (listener) => void (close = listener),
    },
    overrides: { clock, faults, demoCampaigns: 24, ...overrides },
  });
  onTestFinished(async () => {
    link.quit();
    await link.ended;
  });
  const all = <K extends Kind>(kind: K): Message<K>[] =>
    said.filter((message): message is Message<K> => message.kind === kind);
  const given = { dataFolder: folder, version: '1.2.3', dataKey: randomBytes(32).toString('base64') };
  let asked = 0;

  const linked: Linked = {
    link,
    clock,
    faults,
    said,
    all,
    say: (message) => hear(message),
    close: () => close(),
    start: (change = {}) => hear({ kind: 'start', start: { ...given, ...change } }),
    async ready() {
      linked.start();
      await eventually(() => expect(all('ready')).toHaveLength(1));
    },
    async ask(surface, name, input) {
      asked += 1;
      const id = asked;
      hear({ kind: 'ask', id, surface, name, input });
      return eventually(() => {
        const reported = [...all('answer'), ...all('refusal')].find((one) => one.id === id);
        if (reported === undefined) throw new Error(`No answer to ${name}`);
        return reported;
      });
    },
    async output<T>(surface: Surface, name: string, input: unknown) {
      const reported = await linked.ask(surface, name, input);
      if (reported.kind === 'refusal') throw new Error(`${name} was refused: ${reported.error.code}`);
      return reported.output as T;
    },
  };
  return linked;
}
