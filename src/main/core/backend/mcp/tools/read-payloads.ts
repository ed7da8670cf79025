import type { BackendReader } from '#core/store/backend/index.ts';

/** So many characters of payloads go into one answer, which carries them twice; the first one always does. */
const mostCharacters = 512 * 1024;

/** The complete campaigns behind these rows as JSON texts, in their order, as many as one answer holds. */
export function readPayloads(read: BackendReader, uid: number, rows: readonly string[]): string[] {
  const payloads: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const { cid } = JSON.parse(row) as { cid: number };
    const payload = read.payload(uid, cid);
    if (payload === null) throw new Error('A row of the list has no campaign');
    characters += payload.length;
    if (payloads.length > 0 && characters > mostCharacters) break;
    payloads.push(payload);
  }
  return payloads;
}
