import { z } from 'zod';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { Keeper } from '#core/reads/index.ts';
import { callHarmless } from '#core/service-client/index.ts';
import type { AppStore, StoredUpload } from '#core/store/app/index.ts';
import type { AppEvent, AppHandlers, ProposalState } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

export interface UploadSettlingOptions {
  store: AppStore;
  keeper: Pick<Keeper, 'campaign'>;
  profiles: Pick<Profiles, 'current'>;
  connections: Pick<Connections, 'of'>;
  gate: Pick<Gate, 'get'>;
  /** Makes one step of drafts of the active profile. */
  draft: AppHandlers['drafts.change'];
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

/** The image object in the answer of a commit, or of the operation that it became. */
const answerSchema = z.looseObject({
  structuredContent: z.looseObject({
    data: z.looseObject({ verification: z.looseObject({ image: z.looseObject({ url: z.string() }) }) }),
  }),
});

/**
 * Follows the proposals of uploads: one that is done becomes a draft of the campaign that it was chosen for, one that came to nothing is
 * forgotten. Notes which campaigns got an uploaded picture.
 */
export function createUploadSettling(options: UploadSettlingOptions): { dispose(): Promise<void> } {
  const { store, keeper, profiles, connections, gate, clock, logger, emit } = options;
  const underWay = new Map<string, Promise<void>>();

  async function finish(upload: StoredUpload, proposalId: string): Promise<void> {
    const image = await imageOf(upload, proposalId);
    store.uploads.done(upload, image, clock.nowMs());
    emit({ kind: 'uploads.changed' });
    if (upload.cid !== null && profiles.current().id === upload.profileId)
      await draftOf(upload, upload.cid, image);
  }

  async function imageOf({ profileId }: StoredUpload, proposalId: string): Promise<JsonObject> {
    const call = store.agentCalls.find(proposalId);
    const known = imageIn(call?.answer == null ? null : JSON.parse(call.answer));
    if (known !== null) return known;
    // The answer was lost on its way, and the service knows how it ended.
    const { remote } = connections.of(profileId);
    const args = { idempotencyKey: call?.idempotencyKey ?? null };
    const content = await callHarmless(remote, { name: 'svc_get_operation', args });
    const found = imageIn({ structuredContent: content });
    if (found === null) throw new AppError('service_answer_unreadable');
    return found;
  }

  async function draftOf(
    { profileId, kind, fileName }: StoredUpload,
    cid: number,
    image: JsonObject,
  ): Promise<void> {
    const from = keeper.campaign(profileId, cid)?.edit.campaign[kind] ?? null;
    const draft = { from, operations: [{ kind: 'set' as const, value: image }] };
    const title = `Replace ${fieldLabel(kind).toLowerCase()} by ${fileName}`;
    await options.draft({ title, changes: [{ cid, field: kind, draft }] });
  }

  /** A change that was read back may have given a picture to a campaign. */
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
    const state = store.proposals.findListed(proposalId)?.state;
    if (state === undefined || failed.has(state)) {
      store.uploads.drop(upload);
      emit({ kind: 'uploads.changed' });
    } else if (succeeded.has(state) && upload.image === null && !underWay.has(proposalId)) {
      settle(upload, proposalId);
    }
  }

  function settle(upload: StoredUpload, proposalId: string): void {
    const work = finish(upload, proposalId)
      .catch((failure: unknown) =>
        logger.warn({ failure, proposal: proposalId }, 'An upload could not be settled'),
      )
      .finally(() => underWay.delete(proposalId));
    underWay.set(proposalId, work);
  }

  for (const upload of store.uploads.waiting()) {
    if (upload.proposalId === null) store.uploads.drop(upload);
    else look(upload.proposalId);
  }
  const unsubscribe = options.subscribe((event) => {
    if (event.kind === 'proposals.changed') look(event.id);
  });
  return {
    async dispose() {
      unsubscribe();
      await Promise.allSettled(underWay.values());
    },
  };
}

function imageIn(answer: unknown): JsonObject | null {
  const read = answerSchema.safeParse(answer);
  return read.success ? (read.data.structuredContent.data.verification.image as JsonObject) : null;
}
