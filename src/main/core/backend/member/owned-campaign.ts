import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader } from '#core/store/backend/index.ts';

/** The campaign id of a path; a text that is none names no campaign. Fails with `campaign_not_found`. */
export function readCid(params: unknown): number {
  const { cid = '' } = params as { cid?: string };
  if (!/^[1-9]\d{0,14}$/.test(cid)) throw new AppError('campaign_not_found');
  return Number(cid);
}

/** The stored campaign as JSON text. Fails with `campaign_not_found`, the same for an absent and a foreign one. */
export function loadOwnedText(read: BackendReader, uid: number, cid: number): string {
  const text = read.payload(uid, cid);
  if (text === null) throw new AppError('campaign_not_found');
  return text;
}

/** The same, parsed. */
export function loadOwned(read: BackendReader, uid: number, cid: number): JsonObject {
  return JSON.parse(loadOwnedText(read, uid, cid)) as JsonObject;
}
