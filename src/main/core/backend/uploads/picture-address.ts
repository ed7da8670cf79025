import type { BackendStore, OperationRow } from '#core/store/backend/index.ts';
import { pictureExtensions, pictureTypes } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const namePattern = /^([0-9a-f]{64})\.([a-z]+)$/;

/** The name contains the hash of the picture's content, so a picture's address never changes. */
export function pictureAddress({ sha256, contentType }: { sha256: string; contentType: string }): string {
  return `/uploads/${sha256}.${extensionOf(contentType)}`;
}

/** Returns null if the name does not follow the pattern of pictures. */
export function readPictureName(name: string): { sha256: string; contentType: string } | null {
  const [, sha256, extension] = namePattern.exec(name) ?? [];
  const contentType = pictureTypes.find((type) => extensionOf(type) === extension);
  return sha256 === undefined || contentType === undefined ? null : { sha256, contentType };
}

function extensionOf(contentType: string): string {
  const type = pictureTypes.find((known) => known === contentType);
  if (type === undefined) throw new Error(`No picture is of the type ${contentType}`);
  return pictureExtensions[type][0];
}

interface PictureOrigin {
  bindTo(origin: string): void;
  /**
   * Campaigns read from this store contain picture addresses at the current origin, because the port changes at each start.
   * Stored campaigns stay unchanged.
   */
  applyTo(store: BackendStore): BackendStore;
}

/** The address in a stored campaign. It uses port 0, at which nothing listens, because the port changes with each start. */
export function storedAddress(picture: { sha256: string; contentType: string }): string {
  return `${placeholderOrigin}${pictureAddress(picture)}`;
}

const placeholderOrigin = 'http://127.0.0.1:0';

/** Matches any port, because only this service writes such addresses. */
const pictureUrlPattern =
  /(?<=[{,]"url":)"http:\/\/127\.0\.0\.1:\d{1,5}(\/uploads\/[0-9a-f]{64}\.[a-z]{3,4}")/g;

export function createPictureOrigin(): PictureOrigin {
  let origin: string | null = null;
  const named = (text: string): string =>
    origin === null ? text : text.replace(pictureUrlPattern, `"${origin}$1`);
  const withCurrentAnswer = (row: OperationRow | null): OperationRow | null =>
    row === null || row.answer === null ? row : { ...row, answer: named(row.answer) };
  return {
    bindTo: (bound) => void (origin = bound),
    applyTo: (store) => ({
      ...store,
      read: {
        ...store.read,
        payload(uid, cid) {
          const text = store.read.payload(uid, cid);
          return text === null ? null : named(text);
        },
      },
      operations: {
        ...store.operations,
        operation: (owner, id) => withCurrentAnswer(store.operations.operation(owner, id)),
        operationByKey: (owner, key) => withCurrentAnswer(store.operations.operationByKey(owner, key)),
      },
      write: {
        ...store.write,
        replaceCampaign: (campaign) => store.write.replaceCampaign(withoutOrigin(campaign)),
      },
    }),
  };
}

function withoutOrigin<T extends { payload: JsonObject }>(campaign: T): T {
  const payload = asStored(campaign.payload);
  return payload === campaign.payload ? campaign : { ...campaign, payload };
}

/** Restores stored picture addresses, so that hashes of campaigns do not depend on the current port. */
export function asStored(payload: JsonObject): JsonObject {
  const text = JSON.stringify(payload);
  const stored = storedText(text);
  return stored === text ? payload : (JSON.parse(stored) as JsonObject);
}

export function storedText(text: string): string {
  return text.replace(pictureUrlPattern, `"${placeholderOrigin}$1`);
}
