import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { copyText } from '#renderer/api/host-services.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, LoadedPicture } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { asFailure, readInto, readOrKeep } from '../follow-core.ts';

export type CampaignValues = AppOutput<'campaigns.values'>;

export type PictureLoad =
  | { kind: 'loading' }
  | { kind: 'loaded'; loaded: LoadedPicture }
  | { kind: 'failed'; message: string; next: string };

export interface BesideState {
  values: CampaignValues | null;
  others: Readonly<Record<number, JsonObject>>;
  failure: AppError | null;
  week: { hours: number[]; from: string } | null;
  copied: string | null;
  pictures: Readonly<Record<string, PictureLoad>>;
  readValues: () => Promise<void>;
  readOther: (cid: number) => Promise<void>;
  copyWeek: (hours: readonly number[], from: string) => void;
  copy: (text: string) => Promise<void>;
  loadPicture: (cid: number, url: string) => Promise<void>;
  /** Loads pictures at the profile's own origin and pictures that this app uploaded. */
  loadOwn: (cid: number, urls: readonly (string | null)[]) => Promise<void>;
}

function createBesideStore(bridge: AppBridge): StoreApi<BesideState> {
  return createStore<BesideState>((set, get) => ({
    values: null,
    others: {},
    failure: null,
    week: null,
    copied: null,
    pictures: {},
    // Suggestions are optional, because every value can also be typed.
    readValues: () => readOrKeep(set, async () => ({ values: await bridge.call('campaigns.values', {}) })),
    async readOther(cid) {
      set({ failure: null });
      await readInto(set, async () => {
        const { edit } = await bridge.call('campaigns.get', { cid });
        return { others: { ...get().others, [cid]: edit.campaign } };
      });
    },
    copyWeek: (hours, from) => set({ week: { hours: [...hours], from } }),
    async copy(text) {
      try {
        await copyText(text);
        set({ copied: text });
      } catch (error) {
        set({ copied: null, failure: asFailure(error) });
      }
    },
    async loadOwn(cid, urls) {
      try {
        const { pictures } = await bridge.call('pictures.ofCampaign', { cid });
        const { uploads } = await bridge.call('uploads.list', {});
        const own = [
          ...pictures.filter(({ isOwn }) => isOwn).map(({ url }) => url),
          ...uploads.map(({ image }) => image['url']),
        ];
        const wanted = [...new Set(urls)].filter(
          (url) => url !== null && own.includes(url) && !(url in get().pictures),
        );
        await Promise.all(wanted.map((url) => get().loadPicture(cid, url ?? '')));
      } catch (error) {
        // A picture that failed has a button to load it.
        asFailure(error);
      }
    },
    async loadPicture(cid, url) {
      const put = (load: PictureLoad): void => set({ pictures: { ...get().pictures, [url]: load } });
      put({ kind: 'loading' });
      try {
        put({ kind: 'loaded', loaded: await bridge.call('pictures.load', { cid, url }) });
      } catch (error) {
        const { message, next } = asFailure(error);
        put({ kind: 'failed', message, next });
      }
    },
  }));
}

export const besideStore = createBesideStore(appBridge);
