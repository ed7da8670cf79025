import type { FullCampaign } from '#core/reads/index.ts';
import type { BulkSource, CampaignDraftView } from '#shared/app-api/index.ts';
import {
  type BulkEdit,
  type BulkOutcome,
  type BulkPlan,
  bulkOutcomeOf,
  type FileSubject,
  planBulkEdit,
  type PlanParts,
  withDraft,
  maxTextLength,
  patternOf,
} from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type JsonObject, own } from '#shared/lib/json/json-value.ts';
import { type WorkLimits, runInWorker } from './worker/run-in-worker.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface DraftedCampaign extends FullCampaign {
  draft: CampaignDraftView | undefined;
}

export interface CampaignOutcome extends DraftedCampaign {
  outcome: BulkOutcome;
  line: number | null;
}

const patternLimits: WorkLimits = { deadlineMs: 2_000, maxHeapMb: 256 };

export interface OutcomeParts extends Pick<PlanParts, 'source' | 'memberKindOf'> {
  planOfFile(
    cid: number,
    campaign: JsonObject,
    parts: Pick<FileSubject, 'memberKindOf' | 'present'>,
  ): { line: number; plan: BulkPlan };
}

const atOnce = 500;

/** Applies an edit to each campaign. Fails with `pattern_invalid` or, naming the field, `pattern_too_slow`. */
export async function outcomesOf(
  edit: BulkSource,
  campaigns: readonly DraftedCampaign[],
  { source, memberKindOf, planOfFile }: OutcomeParts,
  formats: Formats,
): Promise<CampaignOutcome[]> {
  const replaced = edit.kind === 'text' && edit.isPattern ? await replaceAll(edit, campaigns) : null;
  const outcomes: CampaignOutcome[] = [];
  for (const [index, campaign] of campaigns.entries()) {
    if (index > 0 && index % atOnce === 0) await new Promise(setImmediate);
    const { campaign: read, campaign_types: types, settings } = campaign.edit;
    if (edit.kind === 'file') {
      const present = withDraft(read, campaign.draft?.fields ?? {});
      const { line, plan } = planOfFile(campaign.cid, read, { memberKindOf, present });
      outcomes.push({ ...campaign, line, outcome: outcomeOf(campaign, () => plan, formats) });
      continue;
    }
    const context = { types, settings };
    const parts = { source, read, context, memberKindOf, replaced: replaced?.get(campaign.cid) };
    const planOf = (present: JsonObject): BulkPlan => planBulkEdit(edit, present, parts);
    outcomes.push({ ...campaign, line: null, outcome: outcomeOf(campaign, planOf, formats) });
  }
  return outcomes;
}

function outcomeOf(
  { edit: read, draft }: DraftedCampaign,
  planOf: (present: JsonObject) => BulkPlan,
  formats: Formats,
): BulkOutcome {
  const isWaiting = draft?.proposalId != null;
  return bulkOutcomeOf(
    read,
    draft?.fields ?? {},
    (campaign) =>
      isWaiting
        ? { kind: 'problem', message: 'Its drafts are under review. Decide on that change first.' }
        : planOf(campaign),
    formats,
  );
}

type Replaced = ReadonlyMap<number, ReadonlyMap<string, string>>;

async function replaceAll(
  { find, replacement, matchesCase, fields }: Extract<BulkEdit, { kind: 'text' }>,
  campaigns: readonly DraftedCampaign[],
): Promise<Replaced> {
  const pattern = patternOf({ find, matchesCase });
  if (pattern === null) throw new AppError('pattern_invalid');
  const payloads = campaigns.map(({ edit, draft }) => withDraft(edit.campaign, draft?.fields ?? {}));
  const texts = fields.map((field) => ({
    field,
    texts: payloads.map((payload) => {
      const value = own(payload, field);
      return typeof value === 'string' ? value : '';
    }),
  }));
  const result = await runInWorker(
    'replace',
    { pattern, replacement, maxLength: maxTextLength, fields: texts },
    patternLimits,
  );
  if (result.kind !== 'done') throw tooSlow(result.part);
  const byCid = new Map<number, Map<string, string>>(campaigns.map(({ cid }) => [cid, new Map()]));
  for (const { field, texts: results } of result.output) {
    for (const [index, { cid }] of campaigns.entries()) {
      const text = results[index] ?? null;
      if (text !== null) byCid.get(cid)?.set(field, text);
    }
  }
  return byCid;
}

function tooSlow(field: string): AppError {
  const { message } = new AppError('pattern_too_slow');
  return new AppError('pattern_too_slow', {
    fields: [{ field, code: 'pattern_too_slow', message }],
    data: { field },
  });
}
