import { pinnedTool, type ToolPins } from '#core/agents/index.ts';
import { assertCovered, type Connections, remoteSignIn } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { checkPictureFile } from '#core/platform/pictures/check-picture-file.ts';
import type { Profiles } from '#core/profiles/index.ts';
import {
  commitTool,
  type Gate,
  type AppCommit,
  type UploadFor,
  type UploadOfCall,
  uploadAddress,
} from '#core/proposals/index.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import { prepareCommit } from '#core/service-client/index.ts';
import type { AppStore, StoredUpload, UploadKey } from '#core/store/app/index.ts';
import type {
  AppHandlers,
  AppInput,
  ExtraScope,
  LoadedPicture,
  ProposalView,
  UploadView,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, own } from '#shared/lib/json/json-value.ts';
import {
  createUploadSettling,
  imageNow,
  isPending,
  isUploaded,
  type UploadSettlingOptions,
} from './settling.ts';

export interface UploadsOptions extends UploadSettlingOptions {
  store: AppStore;
  campaignCache: Pick<CampaignCache, 'campaign'>;
  profiles: Pick<Profiles, 'current' | 'originsOf'>;
  connections: Pick<Connections, 'of' | 'credentialsOf'>;
  pins: Pick<ToolPins, 'compare' | 'find'>;
  gate: Pick<Gate, 'proposeCommit' | 'get'>;
  clock: Clock;
}

const maxListed = 100;

export interface Uploads {
  requests: Pick<AppHandlers, 'uploads.list' | 'uploads.propose' | 'uploads.load'>;
  loaded(profileId: string, url: string): LoadedPicture | null;
  /** Forgets the profile's uploads here; the service keeps its pictures. Runs in the caller's transaction. */
  forget(profileId: string): void;
  dispose(): Promise<void>;
}

const neededScopes: readonly ExtraScope[] = ['svc:write', 'svc:upload'];

const prepareTool = 'svc_prepare_upload';

export function createUploads(options: UploadsOptions): Uploads {
  const { store, campaignCache, profiles, connections, pins, gate, clock, emit } = options;
  const { uploads } = store;
  const settling = createUploadSettling(options);

  async function propose({ cid, ...file }: AppInput<'uploads.propose'>): Promise<ProposalView> {
    const checked = checkPictureFile(
      file,
      (fields, cause) => new AppError('validation_failed', { fields, cause }),
    );
    const { id: profileId, account } = profiles.current();
    assertCovered(remoteSignIn(connections, profileId, neededScopes));
    const key = { profileId, account, sha256: checked.sha256 };
    // Retries an upload whose result could not be read.
    const earlier = uploads.find(key)?.proposalId ?? null;
    if (earlier !== null) settling.look(earlier);
    assertFinished(key);
    const { content, ...upload } = checked;
    const about = { kind: 'upload' as const, upload, ...forCampaign(profileId, cid, upload) };
    const prepared = await prepareUpload(profileId, file, upload);
    // Runs in the proposal's transaction, because the confirmation draws the picture from this row.
    const record = (proposalId: string): void => {
      assertFinished(key);
      const { bytes: _bytes, ...picture } = upload;
      uploads.put({ ...key, ...picture, content, cid, proposalId, atMs: clock.nowMs() });
    };
    const proposal = await gate.proposeCommit({ profileId, ...prepared, about, record });
    if (proposal === null) throw new AppError('approval_invalid');
    emit({ kind: 'uploads.changed' });
    return proposal;
  }

  async function prepareUpload(
    profileId: string,
    file: Omit<AppInput<'uploads.propose'>, 'cid'>,
    upload: UploadOfCall,
  ): Promise<Pick<AppCommit, 'tool' | 'approval' | 'payload' | 'changes'>> {
    const connection = connections.of(profileId);
    const tool = await pinnedTool(pins, connection, commitTool);
    const prepared = await prepareCommit(connection.remote, prepareTool, { ...file });
    const { approvalId: id, fingerprint, endsAtMs, payload, changes } = prepared;
    assertPrepared(payload, upload);
    return { tool, approval: { id, fingerprint, endsAtMs }, payload, changes };
  }

  /** Refuses a second upload of a picture whose first upload is unfinished, because both would need the picture's only row. */
  function assertFinished(key: UploadKey): void {
    const earlier = uploads.find(key);
    if (earlier === null) return;
    if (isPending(store, earlier) || draftWaitsFor(earlier) !== null) throw new AppError('upload_unfinished');
  }

  function draftWaitsFor(upload: StoredUpload): number | null {
    return isUploaded(store, upload) ? upload.cid : null;
  }

  function forCampaign(
    profileId: string,
    cid: number | null,
    { kind }: UploadOfCall,
  ): { uploadFor?: UploadFor } {
    const campaign = cid === null ? undefined : campaignCache.campaign(profileId, cid)?.edit.campaign;
    if (cid === null || campaign === undefined) return {};
    const name = own(campaign, 'name');
    const picture = own(campaign, kind) ?? null;
    return { uploadFor: { cid, name: typeof name === 'string' ? name : '', picture } };
  }

  function viewOf(upload: StoredUpload): UploadView[] {
    if (upload.image === null) return [];
    const image = imageNow(upload.image, profiles.originsOf(upload.profileId));
    const usedBy = uploads.usedBy(upload).filter((cid) => has(cid, upload, image));
    return [{ ...shownOf(upload), image, usedBy, draftWaitsFor: draftWaitsFor(upload) }];
  }

  function has(cid: number, { profileId, kind }: StoredUpload, image: UploadView['image']): boolean {
    const value = own(campaignCache.campaign(profileId, cid)?.edit.campaign ?? {}, kind);
    return isJsonObject(value) && value['url'] === image['url'];
  }

  function loaded(profileId: string, url: string): LoadedPicture | null {
    const origins = profiles.originsOf(profileId);
    const upload = uploads
      .ofProfile(profileId)
      .find(
        ({ sha256, image }) =>
          uploadAddress(sha256) === url || (image !== null && imageNow(image, origins)['url'] === url),
      );
    return upload === undefined ? null : pictureOf(upload);
  }

  function pictureOf({ profileId, sha256, contentType: type, width, height }: StoredUpload): LoadedPicture {
    const content = uploads.content(profileId, sha256);
    if (content === null) throw new AppError('picture_unknown');
    return { type, width, height, base64: Buffer.from(content).toString('base64') };
  }

  return {
    requests: {
      async 'uploads.list'() {
        const { id: profileId, account } = profiles.current();
        const signIn = remoteSignIn(connections, profileId, neededScopes);
        const all = uploads
          .ofProfile(profileId)
          .filter((one) => one.account === account || one.account === '')
          .slice(0, maxListed);
        return {
          profileId,
          ...signIn,
          uploads: all.flatMap(viewOf),
          pending: all.flatMap((upload) => {
            const { proposalId, cid } = upload;
            if (proposalId === null || !isPending(store, upload)) return [];
            return [{ ...shownOf(upload), proposalId, cid }];
          }),
        };
      },
      'uploads.propose': propose,
      async 'uploads.load'({ sha256 }) {
        const picture = loaded(profiles.current().id, uploadAddress(sha256));
        if (picture === null) throw new AppError('picture_unknown');
        return picture;
      },
    },
    loaded,
    forget: uploads.forget,
    dispose: settling.dispose,
  };
}

/** Fails with `prepared_differs`. */
function assertPrepared(payload: Record<string, unknown>, upload: UploadOfCall): void {
  const isIt = Object.entries(upload).every(
    ([name, value]) => payload[name] === undefined || payload[name] === value,
  );
  if (!isIt)
    throw new AppError('prepared_differs', {
      message: 'The service prepared the upload of another picture.',
    });
}

function shownOf(upload: StoredUpload): Omit<UploadView, 'image' | 'usedBy' | 'draftWaitsFor'> {
  const { sha256, kind, fileName, contentType, width, height, bytes, atMs } = upload;
  return { sha256, kind, fileName, contentType, width, height, bytes, atMs };
}
