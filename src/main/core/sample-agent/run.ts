import { AppError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Connection, ToolAnswer } from './connection.ts';
import { type Account, accountOf, chooseChanges, firstCid } from './choose-changes.ts';
import type { PlannedChange, Script } from './ideas.ts';
import { type Activity, type ChangeEnd, propose } from './propose.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

/** Maximum number of changes that await a decision at once. */
const maxAtOnce = 3;

/** Maximum number of campaigns that are read. */
const maxRead = 60;

/** Number of attempts to find the needed tools, and the pause between them. */
const maxLooks = 30;
const betweenLooksMs = 1_000;

/** The tools without which there is nothing to do. */
const neededTools = [
  'svc_list_campaigns',
  'svc_get_campaign',
  'svc_prepare_campaign_update',
  'svc_prepare_campaign_status',
  'svc_commit',
  'countersign_note',
  'countersign_await',
];

export interface Run {
  /** The connection of the login, which reads and proposes. */
  first: Connection;
  /** Another session of the same agent. */
  another(): Promise<Connection>;
  script: Script;
  activity: Activity;
  wait(ms: number): Promise<void>;
}

/** Reads, chooses, and proposes one change after the other, a few at a time, until all have ended. Fails as the connections do. */
export async function runScript({ first, another, script, activity, wait }: Run): Promise<void> {
  await untilOffered(first, wait);
  const account = await read(first);
  activity.report(`Read ${usualFormats.counted(account.campaigns.length, 'Active campaign')}.`);
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
    `Finished: asked for ${usualFormats.counted(ends.length, 'change')}, you approved ${count('approved')} and denied ${count('denied')}.`,
    true,
  );
}

/** A service that does not answer yet may have its tools listed a little later. */
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

/** Takes from the front what is left, as the other lines do. */
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
