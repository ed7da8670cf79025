import type { Profile } from '#core/profiles/index.ts';
import type { Keeper } from '#core/reads/index.ts';
import type { AppStore, DraftChange, DraftReview, DraftScope } from '#core/store/app/index.ts';
import type { AppHandlers, AppOutput, CampaignDraftView } from '#shared/app-api/index.ts';
import type { CampaignDraft, FieldDraft } from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';

export interface DraftStoreOptions {
  store: AppStore;
  keeper: Pick<Keeper, 'nameOf'>;
  /** The active profile. */
  profile(): Pick<Profile, 'id' | 'account'>;
  /** Called after drafts of these campaigns changed. */
  onChange(cids: readonly number[]): void;
}

type EditRequests = Pick<AppHandlers, 'drafts.get' | 'drafts.change' | 'drafts.undo' | 'drafts.redo'>;

/**
 * The drafts of the active profile's account. Each call is one
 * transaction, on the disk when it returns. Fails with `storage_failed`.
 */
export interface DraftStore {
  /** The account that is worked with now. */
  scope(): DraftScope;
  /** The drafts of a campaign by field; empty for none. */
  draftOf(scope: DraftScope, cid: number): CampaignDraft;
  /** Campaigns with drafts, in the order in which they were first drafted. */
  cids(scope: DraftScope): number[];
  /** One step. Fails with `draft_proposed`. */
  change(scope: DraftScope, step: { title: string; changes: readonly DraftChange[] }): void;
  /** Fails with `draft_proposed`. */
  assertNotProposed(scope: DraftScope, cid: number): void;
  requests: EditRequests;
}

export function createDraftStore({ store, keeper, profile, onChange }: DraftStoreOptions): DraftStore {
  const { fields, steps, reviews, adopt } = store.drafts;

  /** Drafts that were made before the account was known belong to the account that became known. */
  function scope(): DraftScope {
    const { id, account } = profile();
    if (account !== '') adopt(id, account);
    return { profileId: id, account };
  }

  /** A draft that differs from the one that was proposed has nothing to do with that proposal any more. */
  function write(at: DraftScope, changes: readonly DraftChange[]): void {
    for (const cid of cidsOf(changes)) {
      assertNotProposed(at, cid);
      reviews.remove(at, cid);
    }
    for (const change of changes) fields.put(at, change);
  }

  function assertNotProposed(at: DraftScope, cid: number): void {
    if (reviews.of(at, cid)?.returned === null) throw new AppError('draft_proposed');
  }

  function change(
    at: DraftScope,
    { title, changes }: { title: string; changes: readonly DraftChange[] },
  ): void {
    store.transaction(() => {
      const made = lastOfEach(changes).map(({ cid, field, draft }) => {
        return { cid, field, before: fields.field(at, cid, field), after: draft };
      });
      write(at, changes);
      steps.add(at, { title, changes: made });
    });
    onChange(cidsOf(changes));
  }

  function move(which: 'undo' | 'redo'): void {
    const at = scope();
    const changes = store.transaction(() => {
      const step = steps.next(at, which);
      if (step === null) return [];
      write(at, step.changes);
      steps.mark(step.id, which === 'undo');
      return step.changes;
    });
    if (changes.length > 0) onChange(cidsOf(changes));
  }

  function campaigns(at: DraftScope, wanted: ReadonlySet<number> | null): CampaignDraftView[] {
    const drafts = new Map<number, Record<string, FieldDraft>>();
    const rows = wanted === null ? fields.all(at) : [...wanted].flatMap((cid) => fields.of(at, cid));
    for (const { cid, field, draft } of rows) drafts.set(cid, { ...drafts.get(cid), [field]: draft });
    const known = new Map(reviews.all(at).map((review) => [review.cid, review]));
    return [...drafts].map(([cid, drafted]) => ({
      cid,
      name: keeper.nameOf(at.profileId, cid),
      fields: drafted,
      ...reviewOf(known.get(cid)),
    }));
  }

  function get(wanted: readonly number[] | null): AppOutput<'drafts.get'> {
    const at = scope();
    const history = { undo: steps.nextTitle(at, 'undo'), redo: steps.nextTitle(at, 'redo') };
    return { campaigns: campaigns(at, wanted && new Set(wanted)), history };
  }

  return {
    scope,
    change,
    assertNotProposed,
    draftOf: (at, cid) => Object.fromEntries(fields.of(at, cid).map(({ field, draft }) => [field, draft])),
    cids: (at) => [...new Set(fields.all(at).map(({ cid }) => cid))],
    requests: {
      'drafts.get': async ({ cids }) => get(cids),
      async 'drafts.change'(input) {
        change(scope(), input);
        return {};
      },
      async 'drafts.undo'() {
        move('undo');
        return {};
      },
      async 'drafts.redo'() {
        move('redo');
        return {};
      },
    },
  };
}

function reviewOf(review: DraftReview | undefined): Pick<CampaignDraftView, 'proposalId' | 'returned'> {
  if (review === undefined) return { proposalId: null, returned: null };
  const { proposalId, returned } = review;
  return { proposalId: returned === null ? proposalId : null, returned };
}

function cidsOf(changes: readonly DraftChange[]): number[] {
  return [...new Set(changes.map(({ cid }) => cid))];
}

/** A field that is named twice has its last draft. */
function lastOfEach(changes: readonly DraftChange[]): DraftChange[] {
  return [...new Map(changes.map((change) => [`${change.cid} ${change.field}`, change])).values()];
}
