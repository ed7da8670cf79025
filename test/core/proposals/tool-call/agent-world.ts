import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Backend } from '#core/backend/index.ts';
import { createPinCheck, type PinnedTool, type ToolPinOptions, type ToolPins } from '#core/agents/index.ts';
import { createConnections, type Connection } from '#core/connections/index.ts';
import { demoCredentials, openDemoService } from '#core/compose/demo-service.ts';
import { createPrepareAgain } from '#core/gateway/index.ts';
import { createLedger, type Ledger } from '#core/ledger/index.ts';
import { DisposableStack } from '#core/platform/disposable.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import {
  createCredentials,
  createProfiles,
  createSealer,
  createSecrets,
  demoProfile,
} from '#core/profiles/index.ts';
import {
  createGate,
  type CallingAgent,
  type Gate,
  type GateOptions,
  type ToolCallRequest,
} from '#core/proposals/index.ts';
import { createMemoryGrants } from '#core/service-client/index.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { armingDelayMs, type Decision, type Display } from '#shared/host-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { usualRequestMs } from '#test/core/proposals/world.ts';
import { limitClockOf } from '#test/servers/limit-clock.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { copyOfTemplate } from '#test/servers/template-folder.ts';
import { startRecordingProxy, type RecordingProxy } from './recording-proxy.ts';
import { noPolicy } from '#test/servers/no-policy.ts';
import { defaultFormats, defaultShownFormats } from '#shared/lib/formats.ts';

/** The gate on the embedded service, configured like the gateway's, with a record of the requests to the tools. */
export interface AgentWorld {
  gate: Gate;
  store: AppStore;
  ledger: Ledger;
  service: Backend;
  clock: ManualClock;
  wire: RecordingProxy;
  /** A connection of another client, which bypasses the gate. */
  connection: Connection;
  hidden: string[];
  definitionHash: string;
  /** The answers of the fake pins. */
  pinned: { isPinned: boolean; tools: (name: string) => PinnedTool | null };
  /** Calls a read or prepare tool for an agent, as the gateway does. */
  read(tool: string, args: JsonObject): Promise<JsonObject>;
  /** Shows the proposal to a person, until the buttons are armed. */
  look(id: string): Promise<Display>;
  decide(display: Display, decision: Pick<Decision, 'decision' | 'reason'>): Promise<ProposalView>;
  /** Approves the displayed proposal as a person. */
  approve(id: string): Promise<ProposalView>;
  deny(id: string, reason: string | null): Promise<ProposalView>;
  restart(): Promise<AgentWorld>;
  /** Ends everything but keeps the folder. */
  end(): Promise<void>;
}

export interface AgentWorldOptions {
  folder?: string;
  clock?: ManualClock;
  dataKey?: Buffer;
  requestMs?: number;
  campaigns?: number;
  guard?: GateOptions['guard'];
  /** The URL of another service for the tools. */
  mcpUrl?: string;
  /** Creates real pins, which replace `pinned`. */
  pins?(options: ToolPinOptions): ToolPins;
}

export const claude: CallingAgent = {
  id: 'agent-1',
  name: 'Claude Code',
  sinceMs: 1,
  profileId: 'demo',
};
export const codex: CallingAgent = { ...claude, id: 'agent-2', name: 'Codex' };

const definitionHash = 'a'.repeat(64);

/** Returns a call as the gateway passes it on. */
export function callOf(
  name: string,
  args: JsonObject,
  more: Partial<Omit<ToolCallRequest, 'args'>> = {},
): ToolCallRequest {
  const tool = { name, title: 'A title of the service', definitionHash };
  return {
    agent: claude,
    sessionId: 'session-1',
    tool,
    args,
    undeclared: [],
    quotation: null,
    prepared: null,
    ...more,
  };
}

/** The pin of a tool. The two tools that a prepared change needs have their usual policy. */
export function usualPin(name: string): PinnedTool {
  const treatAs = name === 'svc_commit' ? 'write' : 'prepare';
  return {
    name,
    title: 'A title of the service',
    hash: definitionHash,
    definition: {},
    listed: {},
    treatAs,
    isHeld: false,
  };
}

export async function createAgentWorld(options: AgentWorldOptions = {}): Promise<AgentWorld> {
  const clock = options.clock ?? createManualClock();
  const { campaigns = 12 } = options;
  const folder = options.folder ?? (await copyOfTemplate({ campaigns, days: 1, nowMs: clock.nowMs() }));
  const dataKey = options.dataKey ?? randomBytes(32);
  const stack = new DisposableStack();
  let ended = false;
  const end = async (): Promise<void> => {
    if (!ended) await stack.dispose();
    ended = true;
  };
  onTestFinished(end);
  const ids = createIds(() => clock.nowMs());
  const shared = { clock, ids, logger: silentLogger };
  const store = stack.use(openAppStore({ folder, ...shared }));
  const sealer = createSealer(dataKey);
  const keys = createSecrets({ store, sealer });
  const ledger = stack.use(createLedger({ store, keys, ...shared, onChange() {} }));
  const made = { dataFolder: folder, ...shared, demoCampaigns: campaigns };
  const { backend, addresses } = await openDemoService(made, store, stack);
  const wire = await startRecordingProxy(addresses.mcpUrl);
  const { uid } = backend.issueDemoCredentials();
  const profiles = createProfiles({
    store,
    forgetReads() {},
    demo: demoProfile({ account: uid, addresses: { ...addresses, mcpUrl: options.mcpUrl ?? wire.origin } }),
    liveAllowed: false,
    policy: noPolicy,
    ...shared,
  });
  const connections = stack.use(
    createConnections({
      profiles,
      credentials: createCredentials({ store, sealer }),
      demo: demoCredentials(backend, clock),
      grantsOf: () => createMemoryGrants(),
      settings: store.settings,
      timeoutMs: options.requestMs ?? usualRequestMs,
      ...shared,
      serviceClock: clock,
      onState() {},
      onReturn() {},
      onGrant() {},
      formats: () => defaultFormats,
    }),
  );
  const shown: Display[] = [];
  const hidden: string[] = [];
  const pinned = { isPinned: true, tools: usualPin };
  const gate = stack.use(
    createGate({
      store,
      ledger,
      limitClock: limitClockOf(clock),
      connections,
      serviceTimeAt: (atMs) => atMs,
      profiles,
      guard: options.guard ?? { assertAllowed() {}, assertMaySend() {} },
      isOfferedAsPinned:
        options.pins === undefined
          ? async () => pinned.isPinned
          : createPinCheck({
              connections,
              pins: options.pins({ store, secrets: keys, ledger, clock, formats: () => defaultFormats }),
            }),
      prepareAtService: createPrepareAgain({
        connections,
        pins: { find: (_profile, name) => pinned.tools(name) },
        isOfferedAsPinned: async () => pinned.isPinned,
      }),
      admissions: { admit() {}, isAdmitted: () => false, allowed: () => [] },
      confirmer: {
        via: 'terminal',
        show: async (display) => {
          shown.push(display);
          return { address: null };
        },
        hide: (displayId) => void hidden.push(displayId),
      },
      ...shared,
      requestTimeoutMs: options.requestMs ?? usualRequestMs,
      emit() {},
      formats: () => defaultFormats,
      shownFormats: () => defaultShownFormats,
    }),
  );
  const connection = connections.of('demo');

  async function look(id: string): Promise<Display> {
    await gate.review(id);
    const display = shown.at(-1);
    if (display === undefined) throw new Error('Nothing was shown');
    gate.confirmation.seen(display);
    clock.advance(armingDelayMs);
    return display;
  }

  async function decide(
    display: Display,
    decision: Pick<Decision, 'decision' | 'reason'>,
  ): Promise<ProposalView> {
    const { displayId, nonce, fingerprint, proposal } = display;
    const typed = proposal.typeToConfirm?.value ?? null;
    const result = await gate.confirmation.decide({ displayId, nonce, fingerprint, typed, ...decision });
    return result.proposal;
  }

  return {
    gate,
    store,
    ledger,
    service: backend,
    clock,
    wire,
    connection,
    hidden,
    definitionHash,
    pinned,
    read: (tool, args) => connection.remote.callTool(tool, args),
    look,
    decide,
    approve: async (id) => decide(await look(id), { decision: 'approve', reason: null }),
    deny: async (id, reason) => decide(await look(id), { decision: 'deny', reason }),
    end,
    async restart() {
      await end();
      return createAgentWorld({ ...options, folder, clock, dataKey });
    },
  };
}

/** A change that the service prepared, as the gateway remembers it, with the arguments of its commit. */
export interface Prepared {
  args: JsonObject;
  prepared: NonNullable<ToolCallRequest['prepared']>;
}

let keys = 0;

/** Prepares a change at the service, and makes the arguments of its commit with a new idempotency key. */
export async function prepare(world: AgentWorld, tool: string, asked: JsonObject): Promise<Prepared> {
  const result = await world.read(tool, asked);
  const content = result['structuredContent'] as JsonObject;
  if (result['isError'] === true) throw new Error(JSON.stringify(content));
  const { approval, payload, diff } = content['data'] as {
    approval: JsonObject;
    payload: JsonObject;
    diff: JsonObject[];
  };
  keys += 1;
  return {
    args: {
      approvalId: approval['id'] ?? null,
      fingerprint: approval['fingerprint'] ?? null,
      payload,
      idempotencyKey: `key-${keys}`,
      confirmed: true,
    },
    prepared: {
      payload,
      changes: diff.map(({ field }) => String(field)),
      endsAtMs: Date.parse(String(approval['expiresAt'])),
      call: { tool, args: asked },
    },
  };
}

/** Prepares another bid for a running campaign, and makes the call that commits it. */
export async function prepareBid(
  world: AgentWorld,
  factor = 1.1,
): Promise<{ request: ToolCallRequest; cid: number; to: number }> {
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  const row = data.find(({ status, payout }) => status === 1 && payout * factor < 1);
  if (row === undefined) throw new Error('The demo account has no such campaign');
  const to = Number((row.payout * factor).toFixed(4));
  const { cid } = row;
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', {
    cid,
    changes: { payout: to },
  });
  return { request: callOf('svc_commit', args, { prepared }), cid, to };
}

/** Reads a campaign at the service as another client does. */
export async function campaignNow(world: AgentWorld, cid: number): Promise<JsonObject> {
  return (await world.connection.member.get(cid)).edit.campaign;
}
