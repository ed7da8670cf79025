import { done } from '#core/platform/checked-handlers.ts';
import { createTokenConcealer } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type {
  AppEvent,
  AppHandlers,
  AppOutput,
  BulkPreview,
  BulkRow,
  BulkSource,
} from '#shared/app-api/index.ts';
import { changeInWords, valuesInWords } from '#shared/wording/index.ts';
import { diffCampaigns, exposureOf, exposureTexts, type ServiceMoment } from '#shared/campaign/index.ts';
import {
  bulkTitle,
  isDraftable,
  memberKindOf,
  type MemberKind,
  membersOf,
  withDraft,
  withFields,
  type BulkEdit,
  type BulkOutcome,
  type BulkPlan,
  type FileSubject,
  planBulkEdit,
  type PlanParts,
  maxTextLength,
  compilePattern,
} from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual, type JsonObject, own } from '#shared/lib/json/json-value.ts';
import { type BulkSession, createBulkSession } from './bulk-session.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { FullCampaigns } from '#core/reads/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { createBulkFiles } from './bulk-files.ts';
import { createCellEdits, type DraftedCampaign, draftedOutcome } from './cell-edits.ts';
import { type WorkLimits, runInWorker } from './worker/run-in-worker.ts';

interface BulkChangesOptions {
  session: BulkSession;
  planOfFile: OutcomeParts['planOfFile'];
  accountLists(): AppOutput<'campaigns.values'>['lists'];
  drafts: Pick<AppHandlers, 'drafts.get' | 'drafts.change'>;
  subscribe(listener: (event: AppEvent) => void): () => void;
  formats(): Formats;
}

type BulkRequest =
  'bulk.start' | 'bulk.state' | 'bulk.readAgain' | 'bulk.stopReading' | 'bulk.preview' | 'bulk.addToDrafts';

/** One change in many campaigns: its preview and its drafts. The service receives only reads. */
interface BulkChanges extends AsyncDisposable {
  requests: Pick<AppHandlers, BulkRequest>;
}

interface Computed {
  key: string;
  outcomes: Promise<CampaignOutcome[]>;
}

export function createBulkChanges({
  session,
  planOfFile,
  accountLists,
  drafts,
  subscribe,
  formats,
}: BulkChangesOptions): BulkChanges {
  let computed: Computed | null = null;
  const unsubscribe = subscribe(({ kind }) => {
    if (kind === 'campaigns.loading' || kind === 'drafts.changed' || kind === 'profiles.changed') {
      computed = null;
    }
  });

  async function compute(edit: BulkSource): Promise<CampaignOutcome[]> {
    const campaigns = session.campaigns();
    const { campaigns: drafted } = await drafts['drafts.get']({ cids: null });
    const draftOf = new Map(drafted.map((draft) => [draft.cid, draft]));
    const source = edit.kind === 'paste' ? await session.readOther(edit.source) : null;
    return outcomesOf(
      edit,
      campaigns.map((campaign) => ({ ...campaign, draft: draftOf.get(campaign.cid) })),
      {
        source: source ?? undefined,
        memberKindOf: memberKindsIn(
          campaigns.map((one) => one.edit.campaign),
          accountLists,
        ),
        planOfFile,
      },
      formats(),
    );
  }

  function outcomesFor(edit: BulkSource): Promise<CampaignOutcome[]> {
    const key = `${session.times()} ${JSON.stringify(edit)}`;
    if (computed?.key === key) return computed.outcomes;
    const outcomes = compute(edit);
    computed = { key, outcomes };
    outcomes.catch(() => {
      if (computed?.outcomes === outcomes) computed = null;
    });
    return outcomes;
  }

  async function preview({
    edit,
    show,
    offset,
    limit,
  }: Parameters<AppHandlers['bulk.preview']>[0]): Promise<BulkPreview> {
    const outcomes = await outcomesFor(edit);
    const counts = { change: 0, conflict: 0, same: 0, problem: 0 };
    for (const { outcome } of outcomes) counts[outcome.state] += 1;
    const shown = show === 'all' ? outcomes : outcomes.filter(({ outcome }) => outcome.state === show);
    const today = session.today();
    const rows = shown.slice(offset, offset + limit).map((row) => rowInWords(row, today, formats()));
    const drafts = outcomes.filter(({ outcome }) => isDraftable(outcome)).length;
    return { title: titleOf(edit, drafts, formats()), counts, drafts, total: shown.length, rows };
  }

  return {
    requests: {
      'bulk.start': done(({ cids }) => session.start(cids)),
      'bulk.state': async () => session.state(),
      'bulk.readAgain': done(() => session.readAgain()),
      'bulk.stopReading': done(() => session.stopReading()),
      'bulk.preview': preview,
      async 'bulk.addToDrafts'({ edit }) {
        const changed = (await outcomesFor(edit)).filter(({ outcome }) => isDraftable(outcome));
        if (changed.length === 0) throw new AppError('nothing_to_change');
        const title = titleOf(edit, changed.length, formats());
        const changes = changed.flatMap(({ cid, outcome }) =>
          outcome.fields.map(({ field, draft }) => ({ cid, field, draft })),
        );
        const { step } = await drafts['drafts.change']({ title, changes });
        return { title, campaigns: changed.length, step };
      },
    },
    async dispose() {
      unsubscribe();
    },
  };
}

function memberKindsIn(
  campaigns: readonly JsonObject[],
  accountLists: BulkChangesOptions['accountLists'],
): (list: string) => MemberKind | null {
  const kinds = new Map<string, MemberKind | null>();
  return (list) => {
    const known = kinds.get(list);
    if (known !== undefined) return known;
    const chosen = campaigns.flatMap((campaign) => membersOf(own(campaign, list)) ?? []);
    const members = chosen.length > 0 ? chosen : (accountLists()[list] ?? []).map(({ value }) => value);
    const kind = memberKindOf(members);
    kinds.set(list, kind);
    return kind;
  };
}

function titleOf(edit: BulkSource, count: number, formats: Formats): string {
  return edit.kind === 'file'
    ? `Import ${formats.counted(count, 'campaign')} from a file`
    : bulkTitle(edit, count, formats);
}

/** A row of the preview. Computes money and differences only for the rows on the screen. */
function rowInWords(
  { cid, edit, draft, outcome, line }: CampaignOutcome,
  today: ServiceMoment,
  formats: Formats,
): BulkRow {
  const { state, fields, problems } = outcome;
  const before = withDraft(edit.campaign, draft?.fields ?? {});
  const after = withFields(before, fields);
  const context = { types: edit.campaign_types, settings: edit.settings };
  const name = own(edit.campaign, 'name');
  const perDay = (campaign: JsonObject): string =>
    exposureTexts(exposureOf(campaign, today), formats).perDay.text;
  const changes = diffCampaigns(before, after).map((effect) => changeInWords(effect, context, formats));
  // Included only if someone else's change conflicts with the file.
  const exported = new Map(
    fields.flatMap(({ field, before: now, draft: made, isConflict }) => {
      if (!isConflict || made === null || jsonEqual(now, made.from)) return [];
      return [
        [field, valuesInWords(field, { before: now, after: made.from }, context, formats).after] as const,
      ];
    }),
  );
  return {
    cid,
    name: typeof name === 'string' ? name : '',
    line,
    state,
    fields: changes.map(({ field, label, before: from, after: to }) => {
      return { field, label, before: from, after: to, exported: exported.get(field) ?? null };
    }),
    problems,
    isDrafted: draft !== undefined,
    perDay: { before: perDay(before), after: perDay(after) },
  };
}

interface BulkOptions {
  store: Pick<AppStore, 'campaignCopies' | 'oauth'>;
  connections: Pick<Connections, 'current'>;
  fullCampaigns: FullCampaigns;
  accountLists(): AppOutput<'campaigns.values'>['lists'];
  drafts: Pick<AppHandlers, 'drafts.get' | 'drafts.change'>;
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  subscribe(listener: (event: AppEvent) => void): () => void;
  formats(): Formats;
}

/** Work on many campaigns at once (docs/write-path.md, "Bulk changes and files"). */
export interface Bulk extends AsyncDisposable {
  requests: Pick<AppHandlers, Extract<keyof AppHandlers, `bulk.${string}`> | 'drafts.edit'>;
}

export function createBulk(options: BulkOptions): Bulk {
  const { store, connections, fullCampaigns, accountLists, drafts, clock, ids, subscribe, formats } = options;
  const session = createBulkSession({ connections, fullCampaigns, clock });
  const files = createBulkFiles({
    session,
    accountLists,
    newId: ids.id,
    conceal: createTokenConcealer(store.oauth, clock),
    copiesOf(cid) {
      const { id: profileId, account } = connections.current().profile;
      return store.campaignCopies.of({ profileId, account }, cid).map(({ campaign }) => campaign);
    },
  });
  const planOfFile = files.planOf;
  const changes = createBulkChanges({ session, planOfFile, accountLists, drafts, subscribe, formats });
  const cells = createCellEdits({ fullCampaigns, drafts, clock, formats });
  return { requests: { ...changes.requests, ...files.requests, ...cells }, dispose: changes.dispose };
}

interface CampaignOutcome extends DraftedCampaign {
  outcome: BulkOutcome;
  line: number | null;
}

const patternLimits: WorkLimits = { deadlineMs: 2_000, maxHeapMb: 256 };

interface OutcomeParts extends Pick<PlanParts, 'source' | 'memberKindOf'> {
  planOfFile(
    cid: number,
    campaign: JsonObject,
    parts: Pick<FileSubject, 'memberKindOf' | 'present'>,
  ): { line: number; plan: BulkPlan };
}

const atOnce = 500;

/** Applies an edit to each campaign. Fails with `pattern_invalid` or, naming the field, with `pattern_too_slow`. */
async function outcomesOf(
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
      outcomes.push({ ...campaign, line, outcome: draftedOutcome(campaign, () => plan, formats) });
      continue;
    }
    const context = { types, settings };
    const parts = { source, read, context, memberKindOf, replaced: replaced?.get(campaign.cid) };
    const planOf = (present: JsonObject): BulkPlan => planBulkEdit(edit, present, parts);
    outcomes.push({ ...campaign, line: null, outcome: draftedOutcome(campaign, planOf, formats) });
  }
  return outcomes;
}

type Replaced = ReadonlyMap<number, ReadonlyMap<string, string>>;

async function replaceAll(
  { find, replacement, matchesCase, fields }: Extract<BulkEdit, { kind: 'text' }>,
  campaigns: readonly DraftedCampaign[],
): Promise<Replaced> {
  const pattern = compilePattern({ find, matchesCase });
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
