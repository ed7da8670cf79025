import type { BackendStore, OperationRow } from '#core/store/backend/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { pictureAddress } from './routes.ts';

/** Where the service listens, of which stored campaigns know nothing. */
interface PictureOrigin {
  /** From now on pictures are named at this origin, without a slash at its end. */
  bindTo(origin: string): void;
  /** The same store, whose campaigns name the service's pictures where the service listens now, and are stored without that. */
  applyTo(store: BackendStore): BackendStore;
}

/**
 * The address of a picture as it is stored: a port is chosen at each start, and a campaign outlives it. Port 0 is nobody's.
 */
export function storedAddress(picture: { sha256: string; contentType: string }): string {
  return `${noOrigin}${pictureAddress(picture)}`;
}

const noOrigin = 'http://127.0.0.1:0';

/** The `url` of an image object with the address of a picture at any port: only this service gives such addresses. */
const storedPicture = /(?<=[{,]"url":)"http:\/\/127\.0\.0\.1:\d{1,5}(\/uploads\/[0-9a-f]{64}\.[a-z]{3,4}")/g;

/**
 * Names pictures at the current port whenever a campaign, or the stored answer of a commit, is read, whatever the port was when it was written: an address that was
 * read can be sent back, and one from before another start leads to the picture again.
 */
export function createPictureOrigin(): PictureOrigin {
  let origin: string | null = null;
  const named = (text: string): string =>
    origin === null ? text : text.replace(storedPicture, `"${origin}$1`);
  const answeredNow = (row: OperationRow | null): OperationRow | null =>
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
        operation: (owner, id) => answeredNow(store.operations.operation(owner, id)),
        operationByKey: (owner, key) => answeredNow(store.operations.operationByKey(owner, key)),
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

/** A campaign, or a write of one, as it is stored: what is hashed or compared must not depend on the port of a start. */
export function asStored(payload: JsonObject): JsonObject {
  const text = JSON.stringify(payload);
  const stored = storedText(text);
  return stored === text ? payload : (JSON.parse(stored) as JsonObject);
}

/** Like {@link asStored}, for JSON text without white space. */
export function storedText(text: string): string {
  return text.replace(storedPicture, `"${noOrigin}$1`);
}
