import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { changeInWords, diffCampaigns, type ChangeView } from '#shared/campaign/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { accountOf, assertSameAccount } from '../checks.ts';
import type { Reread } from '../operation.ts';
import { rereadStatus, type StatusPreparation } from '../status/index.ts';
import { contextOf, rereadUpdate } from '../update/index.ts';
import { comparableChange, toolCallParts, type ToolCallParts } from './base.ts';

/**
 * Compares the campaigns with those that the person saw. The bytes of a call are the agent's and cannot be put on another state:
 * whatever moved makes it stale, with what moved, and the agent has to ask anew. What moves by itself, as the person was told, is not
 * compared. Fails as the reads do.
 */
export async function rereadToolCall(
  preparation: StatusPreparation,
  proposal: StoredProposal,
): Promise<Reread> {
  const parts = toolCallParts(proposal);
  const { subject } = parts;
  const change = comparableChange(proposal, parts);
  switch (subject.kind) {
    case 'update':
      return withoutSuccessor(await rereadUpdate(preparation.client, change), parts);
    case 'status':
      return withoutSuccessor(await rereadStatus(preparation, change), parts);
    case 'campaign':
      return rereadCampaign(preparation.client, { proposal, parts, read: subject.read });
    case 'arguments':
      return { kind: 'unmoved' };
    default:
      return assertNever(subject);
  }
}

function withoutSuccessor(reread: Reread, parts: ToolCallParts): Reread {
  switch (reread.kind) {
    case 'moved':
      return moved(reread.successor.rebase?.moved ?? [], parts);
    case 'conflict':
      return { ...reread, message: movedMessage(reread.conflict, parts) };
    default:
      return reread;
  }
}

async function rereadCampaign(
  reader: CampaignReader,
  { proposal, parts, read }: { proposal: StoredProposal; parts: ToolCallParts; read: JsonObject },
): Promise<Reread> {
  const edit = campaignEditSchema.parse(read);
  const now = await campaignNow(reader, Number(edit.campaign['cid']));
  if (now instanceof AppError) return { kind: 'impossible', failure: now };
  assertSameAccount(proposal, accountOf(now['uid']));
  const changes = diffCampaigns(edit.campaign, now).filter(({ field }) => !parts.notCompared.includes(field));
  if (changes.length === 0) return { kind: 'unmoved' };
  return moved(
    changes.map((change) => changeInWords(change, contextOf(edit))),
    parts,
  );
}

/** A campaign that is gone has moved further than any other. */
async function campaignNow(reader: CampaignReader, cid: number): Promise<JsonObject | AppError> {
  try {
    return (await reader.get(cid)).edit.campaign;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'campaign_not_found') return failure;
    throw failure;
  }
}

function moved(changes: readonly ChangeView[], parts: ToolCallParts): Reread {
  return {
    kind: 'conflict',
    conflict: changes.map(({ field, label, before, after }) => ({
      field,
      label,
      base: before,
      mine: before,
      theirs: after,
    })),
    message: movedMessage(changes, parts),
  };
}

function movedMessage(moved: readonly { label: string }[], { task }: Pick<ToolCallParts, 'task'>): string {
  const labels = [...new Set(moved.map(({ label }) => label))].join(', ');
  return `The campaign moved after this was prepared: ${labels}. Nothing was sent. ${task === null ? 'The agent has to prepare it again.' : 'The schedule asks again when it is next due.'}`;
}
