import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSampleAgent, type SampleAgent } from '#core/sample-agent/index.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import {
  type AppEvent,
  type AppInput,
  type PracticeFault,
  practiceFaults,
  type PracticeView,
} from '#shared/app-api/index.ts';
import { gatewayOf, type ServiceFault, type ServiceFaults } from '../workspace-core.ts';
import type { Workspace } from '../workspaces.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

type AgentBehaviour = AppInput<'practice.startAgent'>['behaviour'];

export interface Practice extends AsyncDisposable {
  view(): PracticeView;
  forward(input: AppInput<'practice.forward'>): Promise<void>;
  setBalance(input: AppInput<'practice.setBalance'>): void;
  arm(input: AppInput<'practice.arm'>): void;
  disarm(input: AppInput<'practice.disarm'>): void;
  /** Fails with `campaign_not_found`, or as a full update does. */
  edit(input: AppInput<'practice.edit'>): void;
  /** Replaces a running agent. Fails with `gateway_closed`. */
  startAgent(input: AppInput<'practice.startAgent'>): Promise<void>;
  stopAgent(): Promise<void>;
}

export interface PracticeOptions {
  workspace: Workspace;
  store: Pick<TrainingStore, 'workspace' | 'states'>;
  version: string;
  clock: Clock;
  logger: Logger;
  formats(): Formats;
  emit(event: AppEvent): void;
}

const hourMs = 3_600_000;
const steps = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;

export function createPractice(options: PracticeOptions): Practice {
  const { workspace, store, version, clock, logger, formats, emit } = options;
  const { core, service, serviceClock } = workspace;
  const faults = createArmedFaults(service.faults);
  const uid = Number(core.info.profile().account);
  const changed = (): void => emit({ kind: 'training.changed' });
  let lastEdit: string | null = null;
  let editsMade = 0;
  let agent: { behaviour: AgentBehaviour; runs: SampleAgent } | null = null;

  // Requests consume faults without notice, so the list is compared after each activity of the core.
  let shownFaults = '';
  const unsubscribe = core.subscribe(({ kind }) => {
    if (kind !== 'proposals.changed' && kind !== 'status.changed') return;
    const armed = faults.armed().join();
    if (armed !== shownFaults) changed();
    shownFaults = armed;
  });

  async function stopAgent(): Promise<void> {
    await agent?.runs.dispose();
  }

  return {
    view: () => ({
      serviceNowMs: serviceClock.nowMs(),
      aheadMs: serviceClock.aheadMs,
      zone: core.info.profile().zone,
      balanceMicros: service.balanceMicros(uid) ?? 0,
      faults: faults.armed(),
      agent: agentView(agent),
      states: store.states.all().map(({ name, atMs }) => ({ name, atMs })),
      lastEdit,
    }),
    async forward({ by }) {
      serviceClock.forward(steps[by]);
      const stored = store.workspace.find();
      if (stored !== null) store.workspace.keep({ ...stored, aheadMs: serviceClock.aheadMs });
      emit({ kind: 'profiles.changed' });
      emit({ kind: 'campaigns.changed', cids: [] });
      emit({ kind: 'reports.changed' });
      await core.handlers['schedules.list']({ read: true });
    },
    setBalance: ({ micros }) => service.setBalance(uid, micros),
    arm: ({ fault }) => faults.arm(fault),
    disarm: ({ fault }) => faults.disarm(fault),
    edit({ cid }) {
      const edit = outsideEdit(service.buyersCampaigns(), { cid, editsMade }, formats());
      service.editCampaign(edit.cid, edit.fields);
      editsMade += 1;
      lastEdit = edit.words;
    },
    async startAgent({ behaviour }) {
      await stopAgent();
      const url = await gatewayOf(core);
      const runs = createSampleAgent({
        url: () => url,
        isDemoActive: () => true,
        isAdmittedToDemo: () => true,
        script: behaviour,
        version,
        clock,
        logger,
        onChange: changed,
      });
      agent = { behaviour, runs };
      runs.start();
    },
    stopAgent,
    async dispose() {
      unsubscribe();
      await stopAgent();
    },
  };
}

const over: ReadonlySet<ReturnType<SampleAgent['get']>['state']> = new Set(['off', 'ended', 'failed']);

function agentView(agent: { behaviour: AgentBehaviour; runs: SampleAgent } | null): PracticeView['agent'] {
  if (agent === null) return { behaviour: null, isRunning: false, said: null };
  const { state, steps: said } = agent.runs.get();
  return { behaviour: agent.behaviour, isRunning: !over.has(state), said: said.at(-1)?.text ?? null };
}

/** Long enough to be noticed, but must be shorter than a request's deadline. */
const slowMs = 4_000;

const nextWrite = (status: 402 | 409 | 421 | 429 | 503): ServiceFault => ({
  kind: 'answer',
  status,
  method: 'PUT',
});

/** Faults of one request wait for a write, because the app's own reads would consume them. Member REST works without a sign-in. */
const parts: Readonly<Record<PracticeFault, readonly ServiceFault[]>> = {
  'no-balance': [nextWrite(402)],
  conflict: [nextWrite(409)],
  'wrong-server': [nextWrite(421)],
  'too-many-requests': [nextWrite(429)],
  'not-available': [nextWrite(503)],
  'lost-answer': [{ kind: 'cut-after-write' }],
  slow: [{ kind: 'slow', ms: slowMs, lasts: true }],
  'tools-down': [{ kind: 'answer', status: 503, path: '/mcp', lasts: true }],
  'sign-in-down': [
    { kind: 'answer', status: 401, path: '/mcp', lasts: true },
    { kind: 'not-ready', part: 'oauth_storage' },
  ],
};

function createArmedFaults(faults: ServiceFaults) {
  const armed = new Map<PracticeFault, { isArmed(): boolean; disarm(): void }>();
  const isArmed = (fault: PracticeFault): boolean => armed.get(fault)?.isArmed() === true;
  return {
    armed: (): PracticeFault[] => practiceFaults.filter(isArmed),
    arm(fault: PracticeFault): void {
      if (isArmed(fault)) return;
      // Creates new objects each time, because a fault is identified by its object.
      const made = parts[fault].map((part) => ({ ...part }));
      const disarms = made.map((part) => faults.arm(part));
      armed.set(fault, {
        isArmed: () => made.every((part) => faults.has(part)),
        disarm: () => disarms.forEach((disarm) => disarm()),
      });
    },
    disarm(fault: PracticeFault): void {
      armed.get(fault)?.disarm();
      armed.delete(fault);
    },
  };
}

const active = 1;

/** The step of a raise, or of a cut if the raise would leave the type's range. */
const step = 0.05;

/**
 * Makes a new bid for the campaign `cid`. With a null `cid`, running campaigns take turns by the number of earlier edits. Fails
 * with `campaign_not_found`.
 */
export function outsideEdit(
  { campaigns, context }: { campaigns: readonly JsonObject[]; context: CampaignContext },
  wanted: { cid: number | null; editsMade: number },
  formats: Formats,
): { cid: number; fields: JsonObject; words: string } {
  const running = campaigns.filter(({ status }) => status === active);
  const campaign =
    wanted.cid === null
      ? running[wanted.editsMade % Math.max(1, running.length)]
      : campaigns.find(({ cid }) => cid === wanted.cid);
  if (campaign === undefined) throw new AppError('campaign_not_found');
  const { cid, name, payout, type } = campaign;
  const maxBid = context.types[Number(type)]?.maxBid ?? 0;
  const bid = Number(payout);
  const raised = inMicros(bid * (1 + step));
  const changed = raised > maxBid ? inMicros(bid * (1 - step)) : raised;
  const [from, to] = [bid, changed].map((value) => formats.bid(toMicros(value)));
  return {
    cid: Number(cid),
    fields: { payout: changed },
    words: `Someone else changed the bid of ${quoted(typeof name === 'string' ? name : `campaign ${Number(cid)}`)} from ${from} to ${to}.`,
  };
}

function inMicros(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
