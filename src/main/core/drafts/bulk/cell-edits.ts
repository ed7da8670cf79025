import type { AppHandlers, CampaignDraftView, EditedCell } from '#shared/app-api/index.ts';
import {
  bulkOutcomeOf,
  type BulkOutcome,
  type BulkPlan,
  bulkTitle,
  type CellEdit,
  planBulkEdit,
} from '#shared/drafts/index.ts';
import { jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { FullCampaign, FullCampaigns } from '#core/reads/index.ts';
import { freshMs } from './bulk-session.ts';

interface CellEditsOptions {
  fullCampaigns: Pick<FullCampaigns, 'some'>;
  drafts: Pick<AppHandlers, 'drafts.get' | 'drafts.change'>;
  clock: Clock;
  formats(): Formats;
}

/** Edits of cells of the campaign list: each becomes a draft, or a problem that names the rule. */
export function createCellEdits({
  fullCampaigns,
  drafts,
  clock,
  formats,
}: CellEditsOptions): Pick<AppHandlers, 'drafts.edit'> {
  return {
    async 'drafts.edit'({ edits, isPreview }) {
      const cids = edits.map(({ cid }) => cid);
      const { read, failed } = await fullCampaigns.some(cids, clock.nowMs() - freshMs);
      const { campaigns: drafted } = await drafts['drafts.get']({ cids });
      const draftOf = new Map(drafted.map((draft) => [draft.cid, draft]));
      const made = edits.map(({ cid, edit }) => {
        const campaign = read.get(cid);
        if (campaign === undefined) return unread(cid, failed.get(cid) ?? '');
        const { campaign: stored, campaign_types: types, settings } = campaign.edit;
        const parts = {
          read: stored,
          context: { types, settings },
          source: undefined,
          replaced: undefined,
          memberKindOf: () => null,
        };
        const planOf = (present: JsonObject): BulkPlan => planBulkEdit(edit, present, parts);
        const outcome = draftedOutcome({ ...campaign, draft: draftOf.get(cid) }, planOf, formats());
        return { cid, outcome };
      });
      const changed = made.filter(({ outcome }) => outcome.state === 'change');
      const changes = changed.flatMap(({ cid, outcome }) =>
        outcome.fields.map(({ field, draft }) => ({ cid, field, draft })),
      );
      const title = titleOf(edits, changed.length, formats());
      const step =
        isPreview || changes.length === 0 ? null : (await drafts['drafts.change']({ title, changes })).step;
      return { cells: made.map(cellOf), step };
    },
  };
}

function unread(cid: number, message: string): { cid: number; outcome: BulkOutcome } {
  return { cid, outcome: { state: 'problem', fields: [], problems: [message] } };
}

/** Cell edits start from the read, so there is no earlier export to conflict with. */
function cellOf({ cid, outcome: { state, problems } }: { cid: number; outcome: BulkOutcome }): EditedCell {
  return { cid, state: state === 'conflict' ? 'problem' : state, problems };
}

function titleOf(edits: readonly { edit: CellEdit }[], count: number, formats: Formats): string {
  const [first] = edits;
  if (first !== undefined && edits.every(({ edit }) => jsonEqual({ ...edit }, { ...first.edit })))
    return bulkTitle(first.edit, count, formats);
  return `Pasted into ${formats.counted(count, 'campaign')}`;
}

export interface DraftedCampaign extends FullCampaign {
  draft: CampaignDraftView | undefined;
}

export function draftedOutcome(
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
