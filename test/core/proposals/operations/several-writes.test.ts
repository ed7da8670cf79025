import { expect, test } from 'vitest';
import { prepareSeveral } from '#core/proposals/operations/batch/prepare.ts';
import type { StatusRequest } from '#core/proposals/operations/status-change/prepare.ts';
import type { UpdateRequest } from '#core/proposals/operations/update.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { campaignNow, createWorld, findCampaign, type World } from '../world.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** Makes writes of a running and a paused campaign. Some of the writes would change nothing. */
async function writesOf(world: World) {
  const running = await findCampaign(world, ({ status, payout }) => status === 1 && payout < 1);
  const paused = await findCampaign(world, ({ status }) => status === 3);
  const from = (await campaignNow(world, running.cid))['payout'] ?? null;
  return {
    pause: { cids: [running.cid], status: 3 },
    pausedAlready: { cids: [paused.cid], status: 3 },
    pauseOfNone: { cids: [paused.cid], status: 3, targeted: 'running' },
    bid: { cid: running.cid, changes: [{ field: 'payout', from, to: Number(from) + 0.01 }] },
    bidAlready: { cid: running.cid, changes: [{ field: 'payout', from, to: from }] },
  } satisfies Record<string, StatusRequest | UpdateRequest>;
}

type Name = keyof Awaited<ReturnType<typeof writesOf>>;

const isUpdate = (write: StatusRequest | UpdateRequest): write is UpdateRequest => 'cid' in write;

async function prepare(world: World, names: readonly Name[]) {
  const writes = await writesOf(world);
  const asked: (StatusRequest | UpdateRequest)[] = names.map((name) => writes[name]);
  const request = {
    updates: asked.filter(isUpdate),
    statuses: asked.filter((write): write is StatusRequest => !isUpdate(write)),
    skipped: [{ what: sentence`Another`, because: sentence`Left out before.` }],
  };
  const today = serviceDay(world.clock.nowMs(), 'UTC');
  const { drafts, skipped } = await prepareSeveral({ client: world.other, today }, request, defaultFormats);
  return {
    drafts: drafts.map(({ operation }) => operation),
    skipped: skipped.map(({ because }) => because),
  };
}

const before = 'Left out before.';
const already = 'Already Paused. Nothing would change.';
const stopped = 'No longer running. Nothing would change.';

const table: [names: Name[], drafts: string[], skipped: string[]][] = [
  [['pause', 'bid'], ['campaign.status', 'campaign.update'], [before]],
  [['pausedAlready', 'pause'], ['campaign.status'], [before, already]],
  [['pause', 'pauseOfNone'], ['campaign.status'], [before, stopped]],
  [['bidAlready', 'pause'], ['campaign.status'], [before, 'Nothing would change.']],
  [['pauseOfNone', 'pausedAlready', 'bid'], ['campaign.update'], [before, stopped, already]],
];

test('several writes skip and list what would change nothing, and are refused when nothing is left', async () => {
  const world = await createWorld();
  for (const [names, drafts, skipped] of table) {
    expect(await prepare(world, names), names.join()).toEqual({ drafts, skipped });
  }
  for (const names of [[], ['pausedAlready'], ['pauseOfNone', 'bidAlready']] satisfies Name[][]) {
    await expect(prepare(world, names), names.join()).rejects.toMatchObject({ code: 'nothing_to_change' });
  }
});
