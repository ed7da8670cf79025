import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readPicture } from '#core/platform/pictures/read-picture.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { storedAddress } from '../uploads/picture-origin.ts';
import { offers, type Offer } from './offers.ts';

type PictureKind = 'icon' | 'image';

/** Each advertiser has two variants of each picture, as buyers test one against the other. */
export const pictureVariants = ['a', 'b'] as const;

/** The file of a picture, drawn by scripts/demo-pictures.ts: `kestrel-vpn-icon-a.webp`. */
export function pictureFile(
  { domain }: Pick<Offer, 'domain'>,
  kind: PictureKind,
  variant: (typeof pictureVariants)[number],
): string {
  return `${domain.replace('.example', '')}-${kind}-${variant}.webp`;
}

/** The image objects of an advertiser (contract §2.4), one for each variant. */
export type DemoPictures = (offer: Offer, kind: PictureKind) => readonly JsonObject[];

/** Publishes the pictures of every advertiser for this account, as uploads would; inside a transaction. */
export function publishDemoPictures({ pictures }: Pick<BackendStore, 'pictures'>, uid: number): DemoPictures {
  const publish = (file: string): JsonObject => {
    const content = readFileSync(new URL(file, pictureFolder()));
    const { type: contentType, width, height } = readPicture(content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    pictures.add(uid, { sha256, contentType, width, height, content });
    const { length: bytes } = content;
    const url = storedAddress({ sha256, contentType });
    return { id: pictures.find(uid, sha256)?.id ?? 0, url, width, height, mime: contentType, bytes };
  };
  const published = new Map(
    offers.map((offer) => {
      const all = (kind: PictureKind) =>
        pictureVariants.map((variant) => publish(pictureFile(offer, kind, variant)));
      return [offer, { icon: all('icon'), image: all('image') }] as const;
    }),
  );
  return (offer, kind) => published.get(offer)?.[kind] ?? [];
}

/** From sources beside this module; built, in `out/main`, whichever chunk this is in (electron.vite.config.ts). */
function pictureFolder(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('pictures/', here);
  return new URL(here.includes('/chunks/') ? '../demo-pictures/' : 'demo-pictures/', here);
}
