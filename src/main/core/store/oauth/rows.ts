/** One stored thing of the authorization server: a client, a code, a token, a grant, a session, an interaction. */
export interface OAuthRow {
  /** The kind of thing, by oidc-provider's model name, for example `RefreshToken`. */
  model: string;
  /** SHA-256 of the id, hex: an id may be a token. */
  idHash: string;
  /** JSON without the id itself. */
  payload: string;
  grantId: string | null;
  /** What a session or interaction is also found by. */
  uid: string | null;
  expiresAtMs: number | null;
  consumedAtMs: number | null;
}

/** Storage of the authorization server. Synchronous; fails with `storage_failed`. Every adapter passes the same tests. */
export interface OAuthRows {
  /** Adds or replaces; `consumedAtMs` of an existing row stays. */
  upsert(row: Omit<OAuthRow, 'consumedAtMs'>): void;
  find(model: string, idHash: string): OAuthRow | null;
  findByUid(model: string, uid: string): OAuthRow | null;
  /** Marks a row as consumed; false when it already was, or is not there. */
  consume(model: string, idHash: string, atMs: number): boolean;
  remove(model: string, idHash: string): void;
  /** Removes whatever belongs to the grant, the grant's own row excepted. */
  removeByGrant(grantId: string): void;
  count(model: string): number;
  /** Keeps the newest so many rows of a model, by their last upsert. */
  keepNewest(model: string, most: number): void;
  /** Removes what has expired. */
  prune(nowMs: number): void;
}
