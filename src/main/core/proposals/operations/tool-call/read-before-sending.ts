import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { changeInWords, type ChangeView, diffCampaigns } from '#shared/campaign/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { accountOf, assertSameAccount } from '../same-account.ts';
import type { Reread } from '../operation.ts';
import { rereadStatus, type StatusComparison } from '../status-change/read-before-sending.ts';
import { contextOf } from '../update/stored-parts.ts';
import { rereadUpdate } from '../update/read-before-sending.ts';
import { comparableChange, toolCallParts } from './stored-parts.ts';
import type { ToolCallParts } from './stored-call.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/**
 * Compares the campaigns with those that the user saw. The bytes of a call are the agent's and cannot be applied to
 * another state: any change makes the call stale, and the agent has to ask again. A volatile field of which the user
 * was warned is not compared. What it is not compared with, and names all the same, is read for its copy. Fails as the reads do.
 */
export async function rereadToolCall(
  comparison: StatusComparison,
  proposal: StoredProposal,
  formats: Formats,
): Promise<Reread> {
  const parts = toolCallParts(proposal);
  const found = await rereadSubject(comparison, proposal, parts, formats);
  if (found.kind !== 'unchanged') return found;
  const { before = [] } = found;
  const read = new Set(before.map(({ cid }) => cid));
  const others = [...new Set([...proposal.targets, ...parts.others])].filter((cid) => !read.has(cid));
  return { ...found, before: [...before, ...(await comparison.before.read(others))] };
}

async function rereadSubject(
  comparison: StatusComparison,
  proposal: StoredProposal,
  parts: ToolCallParts,
  formats: Formats,
): Promise<Reread> {
  const { subject } = parts;
  const change = comparableChange(proposal, parts);
  switch (subject.kind) {
    case 'update':
      return withoutSuccessor(await rereadUpdate(comparison.client, change, formats), parts);
    case 'status':
      return withoutSuccessor(await rereadStatus(comparison, change, formats), parts);
    case 'campaign':
      return rereadCampaign(comparison.client, { proposal, parts, read: subject.read }, formats);
    case 'arguments':
      return { kind: 'unchanged' };
    default:
      return assertNever(subject);
  }
}

function withoutSuccessor(reread: Reread, parts: ToolCallParts): Reread {
  switch (reread.kind) {
    case 'outdated':
      return outdated(reread.successor.rebase?.moved ?? [], parts);
    case 'conflict':
      return { ...reread, message: outdatedMessage(reread.conflict, parts) };
    default:
      return reread;
  }
}

async function rereadCampaign(
  reader: CampaignReader,
  { proposal, parts, read }: { proposal: StoredProposal; parts: ToolCallParts; read: JsonObject },
  formats: Formats,
): Promise<Reread> {
  const edit = campaignEditSchema.parse(read);
  const cid = Number(edit.campaign['cid']);
  const now = await campaignNow(reader, cid);
  if (now instanceof AppError) return { kind: 'impossible', failure: now };
  assertSameAccount(proposal, accountOf(now['uid']));
  const changes = diffCampaigns(edit.campaign, now).filter(({ field }) => !parts.notCompared.includes(field));
  if (changes.length === 0) return { kind: 'unchanged', before: [{ cid, campaign: now }] };
  return outdated(
    changes.map((change) => changeInWords(change, contextOf(edit), formats)),
    parts,
  );
}

/** Reads the campaign; a deleted one is returned as its failure. */
async function campaignNow(reader: CampaignReader, cid: number): Promise<JsonObject | AppError> {
  try {
    return (await reader.get(cid)).edit.campaign;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'campaign_not_found') return failure;
    throw failure;
  }
}

function outdated(changes: readonly ChangeView[], parts: ToolCallParts): Reread {
  return {
    kind: 'conflict',
    conflict: changes.map(({ field, label, before, after }) => ({
      field,
      label,
      base: before,
      mine: before,
      theirs: after,
    })),
    message: outdatedMessage(changes, parts),
  };
}

function outdatedMessage(
  changed: readonly { label: string }[],
  { task }: Pick<ToolCallParts, 'task'>,
): Sentence {
  const labels = [...new Set(changed.map(({ label }) => label))].join(', ');
  const next =
    task === null ? 'The agent has to prepare it again.' : 'The schedule asks again when it is next due.';
  return sentence`The campaign changed after this was prepared: ${ownWords(labels)}. Nothing was sent. ${ownWords(next)}`;
}
