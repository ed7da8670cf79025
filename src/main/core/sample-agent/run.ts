import { AppError } from '#shared/errors/index.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '#shared/lib/json/json-value.ts';
import type { Connection, ToolAnswer } from './connection.ts';
import {
  type Account,
  type PlannedChange,
  type PreparedWrite,
  type Script,
  accountOf,
  chooseChanges,
  firstCid,
} from './ideas.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';
import { randomUUID } from 'node:crypto';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';

/**
 * Prepares a write, notes the reason, commits, and waits for the decision. The caller must not use the connection meanwhile,
 * because a note belongs to the next write of its session. Fails as the connection does.
 */
export async function commitWrite(
  { tool, args, why, beside }: PreparedWrite,
  { call }: Pick<Connection, 'call'>,
  onCommit?: () => void,
): Promise<ToolAnswer> {
  const prepared = await call(tool, args);
  const commit = commitOf(prepared);
  if (commit === null) return prepared;
  if (why !== null) await call('countersign_note', { text: why });
  onCommit?.();
  let answer = await call('svc_commit', { ...commit, ...beside });
  while (answer.kind === 'waiting') {
    answer = await call('countersign_await', { proposalId: answer.proposalId });
  }
  return answer;
}

export interface Activity {
  view(): SampleAgentView;
  become(state: SampleAgentView['state']): void;
  /** `isGood` tells whether the outcome is good for the agent; null if the text is not an outcome. */
  report(text: string, isGood?: boolean | null): void;
}

type ChangeEnd = 'approved' | 'denied' | 'other';

async function propose(
  change: PlannedChange,
  connection: Connection,
  activity: Activity,
): Promise<ChangeEnd> {
  const onCommit = (): void => activity.report(`Asked to ${change.what}.`);
  return reportEnd(change, await commitWrite(change, connection, onCommit), activity);
}

/** Commits the prepared payload unchanged (contract §4.3). */
function commitOf(prepared: ToolAnswer): JsonObject | null {
  if (prepared.kind !== 'done' || !isJsonObject(prepared.data)) return null;
  const { approval, payload } = prepared.data;
  if (!isJsonObject(approval) || payload === undefined) return null;
  const { id: approvalId = '', fingerprint = '' } = approval;
  return { approvalId, fingerprint, payload, idempotencyKey: randomUUID() };
}

function reportEnd({ what }: PlannedChange, answer: ToolAnswer, activity: Activity): ChangeEnd {
  switch (answer.kind) {
    case 'done':
      activity.report(`You approved, and it is done: ${what}.`, true);
      return 'approved';
    case 'denied': {
      const reason = answer.reason === null ? '' : ` Your reason: ${quoted(answer.reason)}`;
      activity.report(`You denied: ${what}.${reason}`, false);
      return 'denied';
    }
    case 'waiting':
      return 'other';
    case 'differs':
      activity.report(`You approved, and it is stored differently: ${what}.`, false);
      return 'approved';
    case 'refused':
      if (answer.code === 'agent_ended') throw new AppError('token_invalid');
      activity.report(`Not done: ${what}. ${inertText(answer.message)}`, false);
      return 'other';
  }
}

const maxAtOnce = 3;

const maxRead = 60;

const maxLooks = 30;
const betweenLooksMs = 1_000;

const neededTools = [
  'svc_list_campaigns',
  'svc_get_campaign',
  'svc_prepare_campaign_update',
  'svc_prepare_campaign_status',
  'svc_commit',
  'countersign_note',
  'countersign_await',
];

interface Run {
  first: Connection;
  another(): Promise<Connection>;
  script: Script;
  activity: Activity;
  wait(ms: number): Promise<void>;
}

/** Proposes a few changes at a time until all changes have ended. Fails as the connections do. */
export async function runScript({ first, another, script, activity, wait }: Run): Promise<void> {
  await untilOffered(first, wait);
  const account = await read(first);
  activity.report(`Read ${defaultFormats.counted(account.campaigns.length, 'Active campaign')}.`);
  const left = chooseChanges(account, script);
  const ends: ChangeEnd[] = [];
  await Promise.all(
    Array.from({ length: Math.min(maxAtOnce, left.length) }, async (_, line) => {
      const connection = line === 0 ? first : await another();
      await proposeAll(left, (change) => propose(change, connection, activity), ends);
    }),
  );
  const count = (end: ChangeEnd): number => ends.filter((one) => one === end).length;
  activity.report(
    `Finished: asked for ${defaultFormats.counted(ends.length, 'change')}, you approved ${count('approved')} and denied ${count('denied')}.`,
    true,
  );
}

/** Waits, because a service that does not answer yet may list its tools later. */
async function untilOffered({ tools }: Connection, wait: Run['wait']): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    const offered = new Set(await tools());
    const missing = neededTools.filter((name) => !offered.has(name));
    if (missing.length === 0) return;
    if (looks === maxLooks) {
      throw new AppError('tool_refused', {
        message: sentence`Not offered: ${ownWords(missing.join(', '))}.`,
      });
    }
    await wait(betweenLooksMs);
  }
}

async function proposeAll(
  left: PlannedChange[],
  work: (change: PlannedChange) => Promise<ChangeEnd>,
  ends: ChangeEnd[],
): Promise<void> {
  for (let change = left.shift(); change !== undefined; change = left.shift()) ends.push(await work(change));
}

async function read({ call }: Connection): Promise<Account> {
  const list = doneOf(
    await call('svc_list_campaigns', {
      status: 'active',
      orderBy: 'cid',
      order: 'asc',
      limit: maxRead,
      detailLevel: 'full',
    }),
  );
  const cid = firstCid(list);
  if (cid === null) return { campaigns: [], mayEditClickUrl: false };
  return accountOf(list, doneOf(await call('svc_get_campaign', { cid })));
}

function doneOf(answer: ToolAnswer): JsonValue {
  if (answer.kind === 'done') return answer.data;
  const message = answer.kind === 'refused' ? answer.message : '';
  throw new AppError('tool_refused', { message: sentence`${quotedUpTo(message, 500)}` });
}
