import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal, Scope } from '../mcp/principal.ts';

/** One field that a change would move, as plain values. */
export interface DiffLine {
  field: string;
  from: JsonValue;
  to: JsonValue;
}

/** A change, exact and valid, that waits for its approval. */
export interface PreparedWrite {
  /** What it would change, for example `campaign:104201`. */
  target: string;
  /** What the commit has to bring back unchanged. */
  payload: JsonObject;
  diff: readonly DiffLine[];
  /** In plain words, made here. */
  warnings: readonly string[];
  /** Hash of the state that it was made from. */
  revision: string;
}

/** One kind of write that can be prepared and committed. Refusals are `AppError`s. */
export interface WriteKind {
  name: string;
  /** Needed for prepare and commit, besides what the tools themselves ask. */
  scopes: readonly Scope[];
  /** Reads the current state and makes the payload; changes nothing. */
  prepare(principal: RemotePrincipal, args: JsonObject): PreparedWrite;
  /** Hash of the state now; null when the target is gone. */
  revision(principal: RemotePrincipal, payload: JsonObject): string | null;
  /** Writes, inside the commit's transaction, after everything has been checked again. */
  apply(principal: RemotePrincipal, payload: JsonObject): void;
  /** What is stored now, read after the commit: the verification read. */
  verify(principal: RemotePrincipal, payload: JsonObject): { stored: boolean; data: JsonObject };
}
