import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { composeCore } from '#core/compose/compose.ts';
import { readAgain } from '#renderer/stores/follow-core.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import { reportOnSignal } from '../report-on-signal.ts';
import type { BenchService } from './service.ts';

/** The core's report on itself, printed when the process receives SIGUSR2. */
export interface CoreReport {
  /** The number of undecided proposals. */
  waiting: number;
  heapBytes: number;
  residentBytes: number;
  /**
   * The longest time in milliseconds for which the event loop was blocked since the last report, without the work of the
   * report itself.
   */
  longestDelayMs: number;
}

/**
 * Runs a desktop core in a process of its own, with the service as its active live profile and a person who admits the given
 * number of agents and decides nothing else. Prints the address for agents; answers SIGUSR2 with a report.
 */
const [, , reached = '', expected = '1'] = process.argv;
const { baseUrl, port, memberToken } = JSON.parse(reached) as BenchService;
const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
let shown: Display | null = null;
const core = await composeCore({
  dataFolder,
  host: 'desktop',
  version: '0.0.0',
  dataKey: randomBytes(32),
  demoCampaigns: 1,
  confirmer: {
    via: 'desktop',
    async show(display) {
      shown = display;
      return { address: null };
    },
    announce(display) {
      serialize(display);
    },
    hide() {},
  },
});
const { handlers, confirmation } = core;

const origin = `http://127.0.0.1:${port}`;
const { id: profileId } = await handlers['profiles.add']({
  name: 'Bench',
  baseUrl,
  apiUrl: origin,
  mcpUrl: origin,
  zone: 'UTC',
  remoteAccess: 'direct-jwt',
});
await handlers['profiles.keepCredential']({ id: profileId, name: 'memberToken', value: memberToken });
await handlers['profiles.switch']({ id: profileId });

async function admitAgent(id: string): Promise<void> {
  await handlers['proposals.review']({ id });
  if (shown?.proposal.id !== id) return;
  const { displayId, nonce, fingerprint } = shown;
  confirmation.seen({ displayId, nonce });
  await new Promise((resolve) => setTimeout(resolve, armingDelayMs + 50));
  await confirmation.decide({
    displayId,
    nonce,
    fingerprint,
    decision: 'approve',
    reason: null,
    typed: null,
  });
}

let stillExpected = Number(expected);
const known = new Set<string>();
core.subscribe((event) => {
  // Only admissions are decided; proposals stay undecided during the measurement.
  if (event.kind !== 'proposals.changed' || stillExpected === 0 || known.has(event.id)) return;
  known.add(event.id);
  stillExpected -= 1;
  void admitAgent(event.id);
});

let isOver = false;
/** Reads like a window that shows proposals, agents and the ledger. Answers are serialized, as they are for a link. */
const followAsWindow = readAgain(async () => {
  if (isOver) return;
  // Each request is a message of its own, so each has its own turn of the event loop.
  for (const ask of [
    () => handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 }),
    () => handlers['proposals.list']({ which: 'past', before: null, limit: 50 }),
    () => handlers['ledger.list']({ beforeSeq: null, limit: 100, filter: everyRow }),
    () => handlers['ledger.report']({}),
    () => handlers['agents.get']({}),
    () => handlers['session.status']({}),
  ]) {
    serialize(await ask());
    await nextTick();
  }
});
core.subscribe((event) => {
  serialize(event);
  followAsWindow();
});

const resolutionMs = 5;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();

async function report(collectGarbage: () => void): Promise<CoreReport> {
  // The histogram counts a delay only after it has ended, including the delay that has just held up this report.
  await wait(2 * resolutionMs);
  const longestDelayMs = delay.max / 1e6;
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 });
  // A collection blocks the event loop too, so it must not run while proposals are measured.
  if (items.length === 0) collectGarbage();
  const { heapUsed: heapBytes, rss: residentBytes } = process.memoryUsage();
  delay.reset();
  return { waiting: items.length, heapBytes, residentBytes, longestDelayMs };
}

reportOnSignal(report);
process.once('SIGTERM', () => {
  isOver = true;
  void core.dispose().then(() => rm(dataFolder, { recursive: true, force: true }));
});
await handlers['agents.openEndpoint']({ onAnotherPort: false });
const { endpoint } = await handlers['agents.get']({});
process.stdout.write(`${endpoint.url}\n`);
