import { setImmediate } from 'node:timers/promises';
import type { Connections } from '#core/connections/index.ts';
import type { AppStore, DecisionRow, TakenBack } from '#core/store/app/index.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { riskKindsOf } from '#shared/wording/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

type Counted = AppOutput<'ledger.decisions'>;
type Reversed = Counted['reversed']['items'][number];
type DecisionSides = Pick<Counted['total'], 'approved' | 'denied'>;

/** Counts decisions about the active profile by day, proposer and risk, and how many were reversed later. Yields to other work. */
export type CountDecisions = (query: AppInput<'ledger.decisions'>) => Promise<Counted>;

interface DecisionsOptions {
  store: Pick<AppStore, 'ledger' | 'decisions'>;
  connections: Pick<Connections, 'current'>;
}

const rowsPerTick = 250;
const maxItems = 100;

export function createDecisions({ store, connections }: DecisionsOptions): CountDecisions {
  return async ({ sinceMs }) => {
    const { id: profileId, zone } = connections.current().profile;
    const tally = createTally(zone);
    const lastSeq = store.ledger.count();
    const firstSeq = store.decisions.firstSince(sinceMs) ?? lastSeq + 1;
    for (let fromSeq = firstSeq; fromSeq <= lastSeq; fromSeq += rowsPerTick) {
      const untilSeq = Math.min(lastSeq, fromSeq + rowsPerTick - 1);
      for (const row of store.decisions.between({ profileId, fromSeq, untilSeq, sinceMs })) tally.add(row);
      await setImmediate();
    }
    const reversed = new Map<string, Reversed>();
    const actions = store.decisions.takingBack({ profileId, sinceMs });
    const stops = new Set(actions.filter(({ kind }) => kind === 'emergency-stop').map(({ id }) => id));
    for (const { how, of, action } of reversalsOf(actions)) {
      for (const id of of ?? store.decisions.writesBehind(reachOf(action, profileId))) {
        const decision = tally.approvalBehind(id);
        // Ending an emergency stop does not reverse a decision.
        if (decision === undefined || stops.has(decision.id) || reversed.has(decision.id)) continue;
        reversed.set(decision.id, { ...decision, how, by: action.id, atMs: action.atMs });
      }
      await setImmediate();
    }
    return { ...tally.result(), reversed: reversedOf([...reversed.values()]) };
  };
}

interface Approval {
  id: string;
  title: string;
  decidedAtMs: number;
}

function createTally(zone: string) {
  const total = { approved: 0, denied: 0, access: 0 };
  const days = new Map<string, DecisionSides>();
  const proposers = new Map<string, Counted['proposers'][number]>();
  const risks = new Map<Counted['risks'][number]['kind'], DecisionSides>();
  const approvals = new Map<string, Approval>();
  const batches = new Map<string, string>();

  function addDecision({ atMs, isApproved, operation }: DecisionRow): void {
    const { date } = serviceDay(atMs, zone);
    count(total, isApproved);
    count(entryOf(days, date, { approved: 0, denied: 0 }), isApproved);
    if (operation === 'agent.admit') total.access += 1;
  }

  function addChange({ isApproved, by, agentId, warningCodes }: DecisionRow): void {
    const { kind, name } = by;
    const key = agentId ?? `${kind} ${kind === 'person' ? '' : name}`;
    const proposer = { kind, name: inertText(name), agentId, approved: 0, denied: 0 };
    count(entryOf(proposers, key, proposer), isApproved);
    for (const risk of risksOf(warningCodes))
      count(entryOf(risks, risk, { approved: 0, denied: 0 }), isApproved);
  }

  return {
    approvalBehind: (id: string): Approval | undefined => approvals.get(batches.get(id) ?? id),
    add(row: DecisionRow): void {
      const { id, batchId, operation, isApproved, title, atMs } = row;
      if (batchId === null) addDecision(row);
      if (operation !== 'batch' && operation !== 'agent.admit') addChange(row);
      if (!isApproved) return;
      if (batchId === null) approvals.set(id, { id, title, decidedAtMs: atMs });
      else batches.set(id, batchId);
    },
    result: (): Omit<Counted, 'reversed'> => ({
      total,
      days: [...days].map(([date, sides]) => ({ date, ...sides })),
      proposers: [...proposers.values()].toSorted(byDenials),
      risks: [...risks].map(([kind, sides]) => ({ kind, ...sides })).toSorted(byDenials),
    }),
  };
}

function risksOf(codes: DecisionRow['warningCodes']): Counted['risks'][number]['kind'][] {
  if (codes === null) return ['unrecorded'];
  const kinds = riskKindsOf(codes);
  return kinds.length === 0 ? ['none'] : kinds;
}

function byDenials(a: DecisionSides, b: DecisionSides): number {
  return b.denied - a.denied || b.approved - a.approved;
}

function count(sides: DecisionSides, isApproved: boolean): void {
  sides[isApproved ? 'approved' : 'denied'] += 1;
}

function entryOf<K, V>(entries: Map<K, V>, key: K, initial: V): V {
  const known = entries.get(key);
  if (known !== undefined) return known;
  entries.set(key, initial);
  return initial;
}

/** Puts undos first, because they name the proposals that they reverse. An undone undo reverses nothing. */
function reversalsOf(
  actions: readonly TakenBack[],
): { how: Reversed['how']; of: string[] | null; action: TakenBack }[] {
  const undos = Map.groupBy(actions, ({ undoes }) => undoes);
  const isInEffect = ({ id }: TakenBack): boolean => !(undos.get(id) ?? []).some(isInEffect);
  return actions
    .filter((action) => action.kind !== 'emergency-stop' && isInEffect(action))
    .map((action) => ({
      how: action.kind === 'undo' ? ('undone' as const) : ('reversed' as const),
      of: action.undoes === null ? null : [action.undoes],
      action,
    }))
    .toSorted((a, b) => Number(a.of === null) - Number(b.of === null));
}

function reachOf({ id, askedAtMs, sinceMs, agentId }: TakenBack, profileId: string) {
  return { id, profileId, fromMs: sinceMs ?? 0, untilMs: askedAtMs, agentId };
}

function reversedOf(items: readonly Reversed[]): Counted['reversed'] {
  const of = (how: Reversed['how']): number => items.filter((item) => item.how === how).length;
  return {
    count: { undone: of('undone'), reversed: of('reversed') },
    items: items.toSorted((a, b) => b.atMs - a.atMs).slice(0, maxItems),
  };
}
