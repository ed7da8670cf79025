import type { AppStore, Headline, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState, AppEvent } from '#shared/app-api/index.ts';
import type { CampaignBefore, Describe, PreparedWrite, ProposalWords } from '../operations/operation.ts';
import type { Clock } from '#core/platform/clock.ts';
import { concealIn, createTokenConcealer } from '#core/platform/credentials.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Ledger } from '#core/ledger/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { fingerprintOf } from '../operations/fingerprint.ts';
import { entryOf, type EntryDetails } from './journal-entry.ts';
import { keepCopies } from './retention.ts';
import { isAllowedMove, type Journal } from './journal.ts';
import { planReturn, recordStatusMoves, stoppedCampaigns } from '../operations/written-effects.ts';
import { approvalEndOf } from '../operations/tool-call/stored-parts.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

interface JournalOptions {
  store: AppStore;
  ledger: Ledger;
  clock: Clock;
  limitClock: Pick<LimitClock, 'monotonicMs'>;
  ids: Ids;
  describe: Describe;
  waitingMs(): number;
  emit(event: AppEvent): void;
  formats(): Formats;
}

export function createJournal(options: JournalOptions): Journal {
  const { store, ledger, clock, limitClock, ids, describe, waitingMs, emit, formats } = options;
  const conceal = createTokenConcealer(store.oauth, clock);

  function record(
    proposal: StoredProposal,
    details: Partial<EntryDetails>,
    words = () => describe(proposal),
  ): void {
    ledger.append(
      entryOf(
        proposal,
        { actor: 'Countersign', via: null, batch: null, answer: null, uncopied: [], ...details },
        words,
        formats(),
      ),
    );
    store.afterCommit(() => {
      emit({ kind: 'proposals.changed', id: proposal.id });
      if (touchesCampaigns.has(proposal.state)) emit({ kind: 'campaigns.changed', cids: proposal.targets });
      emit({ kind: 'status.changed' });
    });
  }

  const journal: Journal = {
    propose(asked, { profile, proposedBy, quotation }) {
      const {
        account,
        endsAtMs,
        lifetimeMs = waitingMs(),
        reads = [],
        ...draft
      } = withoutTokens(asked, conceal);
      const createdAtMs = clock.nowMs();
      const stoppedAs = stoppedCampaigns(store, { ...draft, profile });
      const fixed = {
        ...draft,
        undoes: draft.undoes ?? null,
        ...(stoppedAs.length > 0 && { stoppedAs }),
        profile: account === null ? profile : { ...profile, account },
        proposedBy,
        quotation,
        createdAtMs,
        createdUptimeMs: Math.round(limitClock.monotonicMs()),
        expiresAtMs: Math.min(createdAtMs + lifetimeMs, endsAtMs ?? Infinity),
        nonce: ids.secret(),
      };
      const words = describe(fixed);
      const approvalEndsAtMs = approvalEndOf(fixed);
      const proposal: StoredProposal = {
        ...fixed,
        id: ids.id(),
        state: 'proposed',
        updatedAtMs: createdAtMs,
        intentAtMs: null,
        fingerprint: fingerprintOf(fixed),
        headline: { ...headlineOf(words), ...(approvalEndsAtMs !== null && { approvalEndsAtMs }) },
        conflict: [],
        replacedBy: null,
        verdicts: [],
        outcome: null,
        reason: null,
        prunedAtMs: null,
      };
      store.transaction(() => {
        store.proposals.insert(proposal);
        for (const read of reads) {
          const body = conceal(read.body);
          store.campaignCache.keepCampaign(profile.id, { ...read, body, readAtMs: createdAtMs });
        }
        record(proposal, { actor: actorOf(proposal) }, () => words);
      });
      return proposal;
    },

    move(proposal, to, { by = {}, set: found = {}, answer: answered = null, before = [] } = {}) {
      const from = proposal.state;
      if (!isAllowedMove(from, to)) throw new Error(`A proposal cannot move from ${from} to ${to}`);
      const set = concealIn(found, conceal);
      const answer = answered === null ? null : conceal(answered);
      const updated: StoredProposal = { ...proposal, ...set, state: to, updatedAtMs: clock.nowMs() };
      store.transaction(() => {
        store.proposals.update(updated, from);
        recordStatusMoves(store, updated);
        planReturn(store, updated);
        const uncopied = keepCopies(
          store,
          updated,
          before.map((one) => uncopiedWithToken(one, conceal)),
        );
        if (answer !== null) store.agentCalls.answer(updated.id, answer);
        record(updated, { ...by, answer, uncopied });
      });
      return updated;
    },

    show(proposal, by) {
      journal.move({ ...proposal, payload: '', base: '', verdicts: [] }, 'shown', { by });
    },
  };
  return journal;
}

/** Masks an agent's token in the campaign names of a status change. An update would send the token, so it fails with `dlp_denied`. */
function withoutTokens(draft: PreparedWrite, conceal: (text: string) => string): PreparedWrite {
  const { operation, payload, base } = draft;
  if (operation === 'campaign.status') return { ...draft, base: conceal(base) };
  if (operation !== 'campaign.update' || conceal(payload + base) === payload + base) return draft;
  throw new AppError('dlp_denied', {
    fields: [{ field: 'payload', code: 'credential', message: tokenInside }],
  });
}

const tokenInside = sentence`The service shows a token of an agent in a text of this campaign. End the access of that agent, then try again.`;

function uncopiedWithToken(before: CampaignBefore, conceal: (text: string) => string): CampaignBefore {
  if (before.campaign === null) return before;
  const text = JSON.stringify(before.campaign);
  return conceal(text) === text ? before : { ...before, campaign: null };
}

/** The proposer. For a proposal that was prepared again: the person, or Countersign itself if the campaign changed. */
function actorOf({ proposedBy: { kind, name }, rebase }: StoredProposal): string {
  if (rebase?.preparedAgain === true) return 'You';
  if (rebase !== null) return 'Countersign';
  // Quotes the unverified name, so that no name reads as `You`.
  if (kind === 'schedule') return `Schedule ${quoted(name)}`;
  return kind === 'agent' ? quoted(name) : name;
}

const touchesCampaigns: ReadonlySet<ProposalState> = new Set([
  'intent',
  'unknown',
  'verified',
  'differs',
  'done',
  'refused',
]);

function headlineOf({
  title,
  risk,
  warnings,
  comparable,
  operand = null,
  detail,
}: ProposalWords): Omit<Headline, 'approvalEndsAtMs'> {
  const severities = ['danger', 'warning', 'notice'] as const;
  const worst = severities.find((severity) => warnings.some((warning) => warning.severity === severity));
  return {
    title,
    perDay: risk.perDay,
    worstWarning: worst ?? null,
    askedBy: detail.kind === 'batch' ? detail.askedBy : null,
    comparable,
    operand,
    warningCodes: [...new Set(warnings.map(({ code }) => code))],
  };
}
