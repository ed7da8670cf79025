import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Backend } from '#core/backend/index.ts';
import { composeCore, type Core } from '#core/compose/compose.ts';
import type { ComposeOptions } from '#core/compose/options.ts';
import { silentLogger, type Logger } from '#core/platform/logger.ts';
import { createMemberClient, type MemberClient } from '#core/service-client/index.ts';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import {
  armingDelayMs,
  type Confirmer,
  type Decision,
  type DecisionResult,
  type Display,
} from '#shared/host-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { copyOfTemplate } from '#test/servers/template-folder.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/** A core on the embedded service, with a person who reviews confirmations, and a second client. */
export interface World {
  core: Core;
  clock: ManualClock;
  service: Backend;
  /** A second client of the same account, which bypasses the gate. */
  other: MemberClient;
  /** Every confirmation that was shown, in order; `hidden` has the ids of those that were hidden. */
  shown: Display[];
  hidden: string[];
  folder: string;
  dataKey: Buffer;
  /** Shows the confirmation of a proposal and waits until it may be decided. */
  look(id: string): Promise<Display>;
  approve(display: Display, typed?: string | null): Promise<DecisionResult>;
  deny(display: Display, reason?: string): Promise<DecisionResult>;
  /** Counts the writes by the second client and the core that reached the service. */
  puts(): number;
  /** Ends the core and starts another on the same folder. */
  restart(): Promise<World>;
}

export interface WorldOptions {
  campaigns?: number;
  /** Number of days with reports, including today; 1 unless a test reads reports. */
  days?: number;
  /** {@link usualRequestMs} unless a test lets a request be late. */
  requestMs?: number;
  folder?: string;
  clock?: ManualClock;
  serviceClock?: ComposeOptions['serviceClock'];
  dataKey?: Buffer;
  confirmer?: Confirmer;
  /** The kind of host. Live profiles exist on the desktop only. */
  host?: ComposeOptions['host'];
  openLink?(address: string): Promise<boolean>;
  logger?: Logger;
  pictureNetwork?: ComposeOptions['pictureNetwork'];
  policyPlace?: ComposeOptions['policyPlace'];
}

/** A week: a test that moves the clock by hours must not end a request that is under way. */
export const usualRequestMs = 7 * 24 * 60 * 60_000;

/** Waits until the core has verified its ledger after the start. The end of this is an event. */
export async function ledgerVerified({ core, clock }: World): Promise<void> {
  const verified = Promise.withResolvers<void>();
  const unsubscribe = core.subscribe(({ kind }) => {
    if (kind === 'ledger.changed') verified.resolve();
  });
  clock.advance(3_000);
  await verified.promise;
  unsubscribe();
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? createManualClock();
  const { campaigns = 24, days = 1 } = options;
  const { nowMs } = options.serviceClock ?? clock;
  const folder = options.folder ?? (await copyOfTemplate({ campaigns, days, nowMs: nowMs() }));
  const dataKey = options.dataKey ?? randomBytes(32);
  const shown: Display[] = [];
  const hidden: string[] = [];
  let service: Backend | undefined;
  const core = await composeCore({
    dataFolder: folder,
    host: options.host ?? 'terminal',
    version: '0.0.0',
    dataKey,
    clock,
    confirmer: options.confirmer ?? {
      via: 'terminal',
      show: async (display) => {
        shown.push(display);
        return { address: null };
      },
      hide: (displayId) => void hidden.push(displayId),
    },
    demoCampaigns: campaigns,
    timeouts: { requestMs: options.requestMs ?? usualRequestMs },
    onDemoService: (made) => (service = made),
    ...(options.serviceClock === undefined ? {} : { serviceClock: options.serviceClock }),
    ...(options.openLink === undefined ? {} : { openLink: options.openLink }),
    ...(options.logger === undefined ? {} : { logger: options.logger }),
    ...(options.pictureNetwork === undefined ? {} : { pictureNetwork: options.pictureNetwork }),
    ...(options.policyPlace === undefined ? {} : { policyPlace: options.policyPlace }),
  });
  onTestFinished(() => core.dispose());
  if (service === undefined) throw new Error('No embedded service');
  const made = service;
  const decide = (
    display: Display,
    rest: Pick<Decision, 'decision' | 'reason' | 'typed'>,
  ): Promise<DecisionResult> => {
    const { displayId, nonce, fingerprint } = display;
    return core.confirmation.decide({ displayId, nonce, fingerprint, ...rest });
  };
  return {
    core,
    clock,
    service: made,
    other: createMemberClient({
      baseUrl: core.info.serviceUrl,
      token: async () => made.issueMemberToken('buyer'),
      timeoutMs: 30_000,
      logger: silentLogger,
    }),
    shown,
    hidden,
    folder,
    dataKey,
    async look(id) {
      await core.handlers['proposals.review']({ id });
      const display = shown.at(-1);
      if (display === undefined) throw new Error('Nothing was shown');
      core.confirmation.seen(display);
      clock.advance(armingDelayMs);
      return display;
    },
    approve: (display, typed = display.proposal.typeToConfirm?.value ?? null) =>
      decide(display, { decision: 'approve', reason: null, typed }),
    deny: (display, reason) => decide(display, { decision: 'deny', reason: reason ?? null, typed: null }),
    puts: () => made.requestLog().filter(({ method }) => method === 'PUT').length,
    async restart() {
      await core.dispose();
      return createWorld({ ...options, folder, clock, dataKey });
    },
  };
}

/** Returns the list's first campaign that fits. */
export async function findCampaign(world: World, fits: (row: CampaignRow) => boolean): Promise<CampaignRow> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const row = data.find(fits);
  if (row === undefined) throw new Error('The demo account has no such campaign');
  return row;
}

/** Proposes another bid (slightly higher by default) for a running campaign without drafts under review. */
export async function proposeBid(
  world: World,
  factor = 1.1,
  cid?: number,
): Promise<{ proposal: ProposalView; cid: number; to: number }> {
  const { campaigns: drafted } = await world.core.handlers['drafts.get']({ cids: null });
  const held = new Set(drafted.map((one) => one.cid));
  const row = await findCampaign(world, (one) =>
    cid === undefined ? one.status === 1 && one.payout * factor < 1 && !held.has(one.cid) : one.cid === cid,
  );
  const campaign = await campaignNow(world, row.cid);
  const from = Number(campaign['payout']);
  const to = Number((from * factor).toFixed(4));
  const proposal = await proposeUpdate(world.core.handlers, {
    cid: row.cid,
    changes: [{ field: 'payout', from, to }],
  });
  return { proposal, cid: row.cid, to };
}

/** Reads the campaign's current state at the service. */
export async function campaignNow(world: World, cid: number): Promise<JsonObject> {
  return (await world.other.get(cid)).edit.campaign;
}

/** Changes fields of a campaign with the second client. */
export async function changeElsewhere(
  world: World,
  cid: number,
  fields: Record<string, JsonValue>,
): Promise<void> {
  const campaign = await campaignNow(world, cid);
  await world.other.update(cid, canonicalJson({ ...campaign, ...fields }));
}

/** Holds the answer to the next request that fits: `arrived` resolves when the request arrives, `letGo` sends the answer. */
export function holdNext(
  world: World,
  fits: { method: string; path?: string },
): { arrived: Promise<void>; letGo: () => void } {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  onTestFinished(() => letGo());
  const run = (): Promise<void> => {
    arrive();
    return released;
  };
  world.service.faults.arm({ kind: 'meanwhile', run, ...fits });
  return { arrived, letGo };
}

/** Adds a second profile of Demo's own service and returns its id. The active profile stays active. */
export async function addSecondProfile({ core }: World): Promise<string> {
  const { origin } = new URL(core.info.serviceUrl);
  const { id } = await core.handlers['profiles.add']({
    name: 'Another',
    zone: 'UTC',
    baseUrl: core.info.serviceUrl,
    apiUrl: origin,
    mcpUrl: origin,
    remoteAccess: 'oauth',
  });
  return id;
}

/** Returns the kinds of a proposal's rows in the ledger, oldest first. */
export async function kindsOf(world: World, proposalId: string): Promise<string[]> {
  const { items } = await world.core.handlers['ledger.list']({
    beforeSeq: null,
    limit: 200,
    filter: { ...everyRow, proposalId },
  });
  return items.map(({ kind }) => kind).toReversed();
}
