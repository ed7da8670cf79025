/** One stored thing of the authorization server: a client, a code, a token, a grant, an interaction. */
export interface OAuthRow {
  /** The kind of thing, by oidc-provider's model name, for example `RefreshToken`. */
  model: string;
  /** SHA-256 of the id, hex: an id may be a token. */
  idHash: string;
  /** JSON without the id itself. */
  payload: string;
  /** The grant that it ends with. */
  grantId: string | null;
  expiresAtMs: number | null;
  consumedAtMs: number | null;
}

/** Storage of the authorization server. Synchronous; fails with `storage_failed`. Every adapter passes the same tests. */
export interface OAuthRows {
  /** Adds or replaces; `consumedAtMs` of an existing row stays. */
  upsert(row: Omit<OAuthRow, 'consumedAtMs'>): void;
  find(model: string, idHash: string): OAuthRow | null;
  /** Marks a row as consumed; false when it already was, or is not there. */
  consume(model: string, idHash: string, atMs: number): boolean;
  /** Makes a row the newest of its model, with another expiry; nothing happens when it is not there. */
  renew(model: string, idHash: string, expiresAtMs: number | null): void;
  remove(model: string, idHash: string): void;
  /** Removes whatever belongs to the grant, the grant's own row excepted. */
  removeByGrant(grantId: string): void;
  count(model: string): number;
  /**
   * Keeps so many rows of a model, the newest by their last upsert or renewal. Of those beyond the newer half, rows that were
   * never consumed give way first: what anybody can store in numbers drives out nothing that is in use.
   */
  keepNewest(model: string, most: number): void;
  /** Removes what has expired by this time, a bounded number of rows at once. */
  prune(nowMs: number): void;
}
