import { expect } from 'vitest';
import type { AppHandlers, AppOutput, CheckedCampaign } from '#shared/app-api/index.ts';
import type { FieldDraft, FieldOperation } from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { campaignNow, createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';

type Change = Parameters<AppHandlers['drafts.change']>[0]['changes'][number];

async function draftOf(
  world: World,
  cid: number,
  operations: Record<string, FieldOperation | JsonValue>,
): Promise<Change[]> {
  const campaign = await campaignNow(world, cid);
  return Object.entries(operations).map(([field, operation]) => ({
    cid,
    field,
    draft: { from: campaign[field] ?? null, operations: [operationOf(operation)] } satisfies FieldDraft,
  }));
}

const isOperation = (value: FieldOperation | JsonValue): value is FieldOperation =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'kind' in value;

function operationOf(value: FieldOperation | JsonValue): FieldOperation {
  return isOperation(value) ? value : { kind: 'set', value };
}

/** Drafts fields of a campaign. A plain value sets the field. */
export async function draft(
  world: World,
  cid: number,
  operations: Record<string, FieldOperation | JsonValue>,
): Promise<void> {
  const changes = await draftOf(world, cid, operations);
  await world.core.handlers['drafts.change']({ title: 'A change', changes });
}

/** Returns the drafts of a campaign as pages get them; undefined if there are none. */
export async function draftsOf(
  world: World,
  cid: number,
): Promise<AppOutput<'drafts.get'>['campaigns'][number] | undefined> {
  return (await world.core.handlers['drafts.get']({ cids: [cid] })).campaigns[0];
}

/** Checks drafts and waits for the result. */
export async function check(world: World, cids: number[] | null = null): Promise<CheckedCampaign[]> {
  await world.core.handlers['drafts.check']({ cids });
  const isRunning = async () => (await world.core.handlers['drafts.checked']({})).isRunning;
  await expect.poll(isRunning).toBe(false);
  return (await world.core.handlers['drafts.checked']({})).campaigns;
}

/** Checks one campaign and returns its result. */
export async function checked(world: World, cid: number): Promise<CheckedCampaign> {
  const [found] = await check(world, [cid]);
  if (found === undefined) throw new Error('It was not checked');
  return found;
}

export const propose = (world: World, cids: number[]) => world.core.handlers['drafts.propose']({ cids });

/** Opens a world with a running campaign of a push type, which has the most fields. */
export async function createDraftWorld(): Promise<{ world: World; cid: number; campaign: JsonObject }> {
  const world = await createWorld({ campaigns: 40 });
  const { cid } = await findCampaign(world, ({ status, type_name: type }) => status === 1 && type === 'Push');
  return { world, cid, campaign: await campaignNow(world, cid) };
}
