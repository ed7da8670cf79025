import { done } from '#core/platform/checked-handlers.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import type { AppStore, AccountScope } from '#core/store/app/index.ts';
import type { AppEvent, AppHandlers, AppOutput } from '#shared/app-api/index.ts';
import { fieldLabel, fieldWords } from '#shared/campaign/index.ts';
import { checkDraft } from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual, type JsonValue, own, type JsonObject } from '#shared/lib/json/json-value.ts';
import { createDraftChecks } from './draft-check.ts';
import { createDraftStore } from './draft-store.ts';
import { type BalanceOf, payloadOf } from './check-campaign.ts';
import { createDraftSettling } from './settling.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';
import type { CampaignRead } from '#core/service-client/index.ts';

export interface DraftsOptions {
  store: AppStore;
  campaignCache: CampaignCache;
  profiles: Pick<Profiles, 'current'>;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeUpdates'>;
  balances(profileId: string): BalanceOf;
  clock: Clock;
  logger: Logger;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): () => void;
  formats(): Formats;
}

type DraftRequest = Exclude<Extract<keyof AppHandlers, `drafts.${string}`>, 'drafts.edit'>;

/** Drafts of campaigns (docs/write-path.md): intended changes that have no effect until they are proposed. */
export interface Drafts extends AsyncDisposable {
  requests: Pick<AppHandlers, DraftRequest>;
  /** Removes the drafts of a profile. Runs in the caller's transaction. */
  forget(profileId: string): void;
}

/** Maximum number of campaigns in an event. A larger event names none, because any campaign may have changed. */
const maxEventCampaigns = 500;

export function createDrafts(options: DraftsOptions): Drafts {
  const { store, campaignCache, connections, gate, profiles, balances, clock, logger, emit, formats } =
    options;
  const report = (cids: readonly number[]): void =>
    emit({ kind: 'drafts.changed', cids: cids.length > maxEventCampaigns ? [] : [...cids] });
  const onChange = (cids: readonly number[]): void => {
    checks.forget(cids);
    report(cids);
  };
  const drafts = createDraftStore({ store, campaignCache, clock, profile: profiles.current, onChange });
  const checks = createDraftChecks({
    connections,
    campaignCache,
    drafts,
    balances,
    clock,
    logger,
    onChange: report,
    formats,
  });
  const settling = createDraftSettling({ store, clock, logger, onChange, formats });
  const unsubscribe = options.subscribe((event) => {
    if (event.kind === 'proposals.changed') settling.schedule(event.id);
    if (event.kind === 'campaigns.changed' && checks.forget(event.cids)) report(event.cids);
  });

  async function latestValue(cid: number, field: string): Promise<JsonValue | undefined> {
    const { member, profile } = connections.current();
    const { edit } = campaignCache.campaign(profile.id, cid) ?? (await member.get(cid));
    return own(edit.campaign, field);
  }

  async function assertStillLatest(cid: number, field: string, shown: JsonValue): Promise<void> {
    const theirs = await latestValue(cid, field);
    if (theirs !== undefined && jsonEqual(theirs, shown)) return;
    emit({ kind: 'campaigns.changed', cids: [cid] });
    throw new AppError('edit_conflict', {
      message:
        theirs === undefined
          ? sentence`The campaign has no field ${fieldWords(field)} any more.`
          : sentence`Someone else changed ${fieldWords(field)} once more. Your draft is as it was.`,
    });
  }

  function preparePayload(
    at: AccountScope,
    cid: number,
    read: CampaignRead,
  ): { payload: JsonObject; draft: string } {
    campaignCache.keepCampaign(at.profileId, cid, read.raw);
    drafts.assertNotProposed(at, cid);
    const draft = drafts.draftOf(at, cid);
    if (Object.keys(draft).length === 0)
      throw new AppError('nothing_to_change', { message: 'It has no drafts.' });
    const payload = payloadOf(read, checkDraft(read.edit, draft, formats()), formats());
    return { payload, draft: JSON.stringify(draft) };
  }

  async function propose(cids: readonly number[]): Promise<AppOutput<'drafts.propose'>> {
    const connection = connections.current();
    const at = drafts.scope();
    const preparedDrafts = new Map<number, string>();
    const result = await gate.proposeUpdates({
      connection,
      cids: [...new Set(cids)],
      buildPayload(cid, read) {
        const { payload, draft } = preparePayload(at, cid, read);
        preparedDrafts.set(cid, draft);
        return payload;
      },
      assertStillRequested(cid) {
        drafts.assertNotProposed(at, cid);
        if (JSON.stringify(drafts.draftOf(at, cid)) === preparedDrafts.get(cid)) return;
        throw new AppError('edit_conflict', { message: 'Its drafts changed while it was prepared.' });
      },
      record(proposed) {
        for (const { cid, proposalId } of proposed) {
          store.drafts.reviews.put(at, { cid, proposalId, returned: null });
        }
      },
    });
    if (result.proposed.length > 0) onChange(result.proposed.map(({ cid }) => cid));
    return result;
  }

  return {
    requests: {
      ...drafts.requests,
      'drafts.check': done(({ cids }) => checks.start(cids)),
      'drafts.checked': async ({ cids }) => checks.latest(cids),
      'drafts.stopChecking': done(() => checks.stop()),
      async 'drafts.settleConflict'({ cid, field, ...choice }) {
        const scope = drafts.scope();
        if (choice.keep === 'mine') await assertStillLatest(cid, field, choice.theirs);
        const mine = store.drafts.fields.field(scope, cid, field);
        if (mine === null) return {};
        const draft = choice.keep === 'mine' ? { ...mine, from: choice.theirs } : null;
        const title = `Keep ${draft === null ? 'their' : 'your'} ${fieldLabel(field)}`;
        drafts.change(scope, { title, changes: [{ cid, field, draft }] });
        return {};
      },
      'drafts.propose': ({ cids }) => propose(cids),
    },
    forget: store.drafts.forget,
    async dispose() {
      unsubscribe();
      await settling.dispose();
      await checks.dispose();
    },
  };
}
