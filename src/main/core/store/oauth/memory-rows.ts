import type { OAuthRow, OAuthRows } from './rows.ts';

/** Keeps the rows in memory, for tests and for what need not outlive the process. */
export function createMemoryRows(): OAuthRows {
  // A map keeps the order of insertion: whatever is stored anew is put at its end.
  const rows = new Map<string, OAuthRow>();
  const keyOf = (model: string, idHash: string) => `${model} ${idHash}`;
  const put = (row: OAuthRow): void => {
    const key = keyOf(row.model, row.idHash);
    rows.delete(key);
    rows.set(key, row);
  };
  const removeWhere = (isOut: (row: OAuthRow) => boolean): void => {
    for (const [key, row] of rows) if (isOut(row)) rows.delete(key);
  };
  const ofModel = (model: string) => [...rows.values()].filter((row) => row.model === model);
  return {
    upsert(row) {
      const consumedAtMs = rows.get(keyOf(row.model, row.idHash))?.consumedAtMs ?? null;
      put({ ...row, consumedAtMs });
    },
    find(model, idHash) {
      const row = rows.get(keyOf(model, idHash));
      return row === undefined ? null : { ...row };
    },
    consume(model, idHash, atMs) {
      const row = rows.get(keyOf(model, idHash));
      if (row === undefined || row.consumedAtMs !== null) return false;
      row.consumedAtMs = atMs;
      return true;
    },
    renew(model, idHash, expiresAtMs) {
      const row = rows.get(keyOf(model, idHash));
      if (row !== undefined) put({ ...row, expiresAtMs });
    },
    remove: (model, idHash) => void rows.delete(keyOf(model, idHash)),
    removeByGrant: (grantId) => removeWhere((row) => row.grantId === grantId),
    count: (model) => ofModel(model).length,
    keepNewest(model, most) {
      const newestFirst = ofModel(model).toReversed();
      const isSpare = ({ consumedAtMs }: OAuthRow, age: number): boolean =>
        consumedAtMs === null && age >= most / 2;
      const kept = newestFirst.filter((row, age) => !isSpare(row, age));
      for (const row of [...kept, ...newestFirst.filter(isSpare)].slice(most)) {
        rows.delete(keyOf(model, row.idHash));
      }
    },
    prune: (nowMs) => removeWhere(({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs <= nowMs),
  };
}
