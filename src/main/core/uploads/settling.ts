import { z } from 'zod';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import { type Gate, isUnknowable, uploadForIn } from '#core/proposals/index.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import { callReadOnly } from '#core/service-client/index.ts';
import type { AppStore, StoredUpload } from '#core/store/app/index.ts';
import type { AppEvent, AppHandlers, ProposalState } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

export interface UploadSettlingOptions {
  store: AppStore;
  campaignCache: Pick<CampaignCache, 'campaign'>;
  profiles: Pick<Profiles, 'current' | 'originsOf'>;
  connections: Pick<Connections, 'of'>;
  gate: Pick<Gate, 'get'>;
  drafts: Pick<AppHandlers, 'drafts.get' | 'drafts.change'>;
  clock: Clock;
  logger: Logger;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): () => void;
}

const succeeded: ReadonlySet<ProposalState> = new Set(['done', 'verified']);
const stored: ReadonlySet<ProposalState> = new Set(['verified', 'differs']);
const failed: ReadonlySet<ProposalState> = new Set([
  'denied',
  'expired',
  'withdrawn',
  'refused',
  'stale',
  'differs',
]);

function outcomeOf(
  { proposals }: Pick<AppStore, 'proposals'>,
  proposalId: string | null,
): 'pending' | 'succeeded' | 'failed' {
  const proposal = proposalId === null ? null : proposals.findListed(proposalId);
  if (proposal === null || failed.has(proposal.state) || isUnknowable(proposal)) return 'failed';
  return succeeded.has(proposal.state) ? 'succeeded' : 'pending';
}

/** True if the picture of this row was uploaded. An earlier proposal may have uploaded the same picture before. */
export function isUploaded(store: Pick<AppStore, 'proposals'>, { proposalId }: StoredUpload): boolean {
  return outcomeOf(store, proposalId) === 'succeeded';
}

/** True while the proposal is undecided, and also while the address of an uploaded picture is unknown. */
export function isPending(store: Pick<AppStore, 'proposals'>, { proposalId, image }: StoredUpload): boolean {
  const outcome = outcomeOf(store, proposalId);
  return outcome === 'pending' || (outcome === 'succeeded' && image === null);
}

/** Replaces the origin in the address, because the embedded service may have another port since the upload. */
export function imageNow(image: JsonObject, origins: readonly string[]): JsonObject {
  const url = typeof image['url'] === 'string' ? URL.parse(image['url']) : null;
  const [origin] = origins;
  if (url === null || origin === undefined || !isLocal(url.origin) || !isLocal(origin)) return image;
  return { ...image, url: `${origin}${url.pathname}` };
}

const isLocal = (origin: string): boolean => origin.startsWith('http://127.0.0.1:');

const answerSchema = z.looseObject({
  structuredContent: z.looseObject({
    data: z.looseObject({ verification: z.looseObject({ image: z.looseObject({ url: z.string() }) }) }),
  }),
});

export interface UploadSettling {
  /** Handles a change of the proposal. Retries an upload that could not be settled before. */
  look(proposalId: string): void;
  dispose(): Promise<void>;
}

/** Turns a finished upload into a draft of its campaign, and forgets a failed one. Records which campaigns use a picture. */
export function createUploadSettling(options: UploadSettlingOptions): UploadSettling {
  const { store, campaignCache, profiles, connections, gate, drafts, clock, logger, emit } = options;
  const underWay = new Map<string, Promise<void>>();
  /** Proposals that changed during an attempt to settle their upload. If the attempt fails, it must be repeated. */
  const lookedAtAgain = new Set<string>();

  async function finish(upload: StoredUpload, proposalId: string): Promise<void> {
    const image = await imageOf(upload, proposalId);
    store.uploads.done(upload, image, clock.nowMs());
    emit({ kind: 'uploads.changed' });
    await draftAll();
  }

  /** Runs in sequence, because a new draft emits an event that calls this again. */
  let drafting: Promise<void> = Promise.resolve();
  function draftAll(): Promise<void> {
    const work = drafting.then(async () => {
      for (const upload of store.uploads.undrafted(profiles.current().id)) await draftOne(upload);
    });
    drafting = work.catch(() => undefined);
    return work;
  }

  async function draftOne(upload: StoredUpload): Promise<void> {
    const { profileId, account, cid, image, proposalId } = upload;
    const current = profiles.current();
    const isOfAccount = current.id === profileId && (account === '' || account === current.account);
    if (cid === null || image === null || !isOfAccount || !isUploaded(store, upload)) return;
    try {
      await draftOf(upload, cid, image);
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      if (failure.code !== 'draft_proposed')
        logger.warn({ failure, proposal: proposalId }, 'An upload could not become a draft');
      return;
    }
    store.uploads.drafted(upload);
    emit({ kind: 'uploads.changed' });
  }

  async function imageOf({ profileId }: StoredUpload, proposalId: string): Promise<JsonObject> {
    const call = store.agentCalls.find(proposalId);
    const known = imageIn(call?.answer == null ? null : JSON.parse(call.answer));
    if (known !== null) return known;
    // The answer was lost. The service can report the outcome.
    const { remote } = connections.of(profileId);
    const args = { idempotencyKey: call?.idempotencyKey ?? null };
    const content = await callReadOnly(remote, { name: 'svc_get_operation', args });
    const found = imageIn({ structuredContent: content });
    if (found === null) throw new AppError('service_answer_unreadable');
    return found;
  }

  async function draftOf(upload: StoredUpload, cid: number, image: JsonObject): Promise<void> {
    const { kind, fileName } = upload;
    const { campaigns } = await drafts['drafts.get']({ cids: [cid] });
    const earlier = campaigns[0]?.fields[kind];
    const from = earlier === undefined ? pictureSeen(upload, cid) : earlier.from;
    const draft = { from, operations: [{ kind: 'set' as const, value: image }] };
    const title = `Replace ${fieldLabel(kind).toLowerCase()} with ${fileName}`;
    await drafts['drafts.change']({ title, changes: [{ cid, field: kind, draft }] });
  }

  /** The campaign's picture when the upload was chosen. It is compared because a different picture now is a conflict. */
  function pictureSeen({ profileId, kind, proposalId }: StoredUpload, cid: number): JsonValue {
    const proposal = proposalId === null ? null : store.proposals.find(proposalId);
    const uploadFor = proposal === null ? null : uploadForIn(proposal);
    if (uploadFor === null) return campaignCache.campaign(profileId, cid)?.edit.campaign[kind] ?? null;
    const { picture } = uploadFor;
    return isJsonObject(picture) ? imageNow(picture, profiles.originsOf(profileId)) : picture;
  }

  function noteUse(proposalId: string): void {
    const listed = store.proposals.findListed(proposalId);
    if (listed === null || !stored.has(listed.state) || listed.operation === 'campaign.status') return;
    const known = store.uploads.ofProfile(listed.profile.id).filter(({ image }) => image !== null);
    if (known.length === 0) return;
    const { pictures = [], targets } = gate.get(proposalId);
    const [target] = targets;
    if (target === undefined) return;
    for (const upload of known) {
      const isUsed = pictures.some(({ side, url }) => side !== 'before' && url.includes(upload.sha256));
      if (isUsed) store.uploads.use(upload, target.cid);
    }
    if (pictures.length > 0) emit({ kind: 'uploads.changed' });
  }

  function look(proposalId: string): void {
    const upload = store.uploads.ofProposal(proposalId);
    if (upload === null) return noteUse(proposalId);
    const outcome = outcomeOf(store, proposalId);
    if (outcome === 'failed') {
      store.uploads.end(upload);
      emit({ kind: 'uploads.changed' });
    } else if (outcome === 'succeeded' && upload.image === null) {
      if (underWay.has(proposalId)) lookedAtAgain.add(proposalId);
      else settle(upload, proposalId);
    } else if (outcome === 'succeeded') lookForDrafts();
  }

  function settle(upload: StoredUpload, proposalId: string): void {
    const work = finish(upload, proposalId)
      .catch((failure: unknown) =>
        logger.warn({ failure, proposal: proposalId }, 'An upload could not be settled'),
      )
      .finally(() => {
        underWay.delete(proposalId);
        if (lookedAtAgain.delete(proposalId)) look(proposalId);
      });
    underWay.set(proposalId, work);
  }

  function lookForDrafts(): void {
    draftAll().catch((failure: unknown) => logger.error({ failure }, 'Uploads could not become drafts'));
  }

  for (const upload of store.uploads.waiting()) {
    if (upload.proposalId === null) store.uploads.end(upload);
    else look(upload.proposalId);
  }
  lookForDrafts();
  const unsubscribe = options.subscribe((event) => {
    if (event.kind === 'proposals.changed') look(event.id);
    if (event.kind === 'drafts.changed' || event.kind === 'profiles.changed') lookForDrafts();
  });
  return {
    look,
    async dispose() {
      unsubscribe();
      lookedAtAgain.clear();
      await Promise.allSettled([...underWay.values(), drafting]);
    },
  };
}

function imageIn(answer: unknown): JsonObject | null {
  const read = answerSchema.safeParse(answer);
  return read.success ? (read.data.structuredContent.data.verification.image as JsonObject) : null;
}
