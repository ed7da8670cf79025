import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { UploadsView } from '#shared/app-api/index.ts';
import {
  pictureTypes,
  type PictureKind,
  pictureRules,
  type PictureType,
  sizeFault,
} from '#shared/campaign/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Acting,
  asFailure,
  createAct,
  followEvent,
  readAgain,
  readOrKeep,
} from '#renderer/stores/follow-core.ts';
import { toBase64, readable } from '#renderer/stores/file-run.ts';

interface ChosenPicture {
  cid: number;
  kind: PictureKind;
  fileName: string;
  contentType: PictureType | null;
  data: string;
  bytes: number;
  fault: string | null;
}

interface UploadsState extends Acting<PictureKind> {
  view: UploadsView | null;
  chosen: ChosenPicture | null;
  /** `data:` URLs by SHA-256. */
  thumbnails: Readonly<Record<string, string>>;
  choose: (of: { cid: number; kind: PictureKind }, file: File) => Promise<void>;
  checkSize: (size: { width: number; height: number }) => void;
  rejectUndrawable: () => void;
  cancel: () => void;
  propose: () => Promise<string | null>;
  loadThumbnail: (sha256: string) => Promise<void>;
  start: () => () => void;
}

export function createUploadsStore(bridge: AppBridge): StoreApi<UploadsState> {
  return createStore<UploadsState>((set, get) => {
    const act = createAct<PictureKind>(get, set);
    let latest: File | null = null;
    const read = readAgain(() =>
      readOrKeep(set, async () => ({ view: await bridge.call('uploads.list', {}) })),
    );
    const setFault = (fault: string): void => {
      const { chosen } = get();
      if (chosen !== null) set({ chosen: { ...chosen, fault } });
    };

    return {
      view: null,
      chosen: null,
      thumbnails: {},
      doing: null,
      refusal: null,
      async choose({ cid, kind }, file) {
        latest = file;
        const contentType = pictureTypes.find((type) => type === file.type) ?? null;
        const fault = faultOf(file, { kind, contentType });
        const { name: fileName, size: bytes } = file;
        const read = fault === null ? await dataOf(file) : { data: '', fault };
        if (latest !== file) return;
        set({ chosen: { cid, kind, fileName, contentType, bytes, ...read }, refusal: null });
      },
      checkSize(size) {
        const { chosen } = get();
        const fault = chosen === null ? null : sizeFault(size, chosen.kind);
        if (fault !== null) setFault(fault);
      },
      rejectUndrawable: () => setFault('This file cannot be drawn. Choose a still PNG, JPEG or WebP.'),
      cancel() {
        latest = null;
        set({ chosen: null, refusal: null });
      },
      async propose() {
        const { chosen } = get();
        if (chosen === null || chosen.fault !== null || chosen.contentType === null) return null;
        const { cid, kind, fileName, contentType, data } = chosen;
        const file = { cid, kind, fileName, contentType, data };
        const proposed = latest;
        const proposal = await act(kind, () => bridge.call('uploads.propose', file));
        if (proposal === null) return null;
        // The person may have chosen another file in the meantime.
        if (latest === proposed) set({ chosen: null });
        return proposal.id;
      },
      async loadThumbnail(sha256) {
        if (get().thumbnails[sha256] !== undefined) return;
        await readOrKeep(set, async () => {
          const { type, base64 } = await bridge.call('uploads.load', { sha256 });
          return { thumbnails: { ...get().thumbnails, [sha256]: `data:${type};base64,${base64}` } };
        });
      },
      start: () => followEvent(bridge, ['uploads.changed', 'campaigns.changed', 'profiles.changed'], read),
    };
  });
}

function faultOf(
  file: File,
  { kind, contentType }: Pick<ChosenPicture, 'kind' | 'contentType'>,
): string | null {
  if (contentType === null) return 'Choose a PNG, JPEG or WebP file.';
  const { maxBytes } = pictureRules[kind];
  return file.size > maxBytes ? `The file is larger than ${maxBytes / 1024} KiB.` : null;
}

async function dataOf(file: File): Promise<Pick<ChosenPicture, 'data' | 'fault'>> {
  try {
    return { data: toBase64(new Uint8Array(await readable(file.arrayBuffer()))), fault: null };
  } catch (error) {
    const { message, next } = asFailure(error);
    return { data: '', fault: `${message} ${next}` };
  }
}

export const uploadsStore = createUploadsStore(appBridge);
