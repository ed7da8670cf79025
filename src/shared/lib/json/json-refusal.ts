/** Why a JSON text is refused. Each is also a code of the error catalogue. */
export type JsonRefusalCode =
  | 'json_invalid'
  | 'json_duplicate_key'
  | 'json_forbidden_key'
  | 'json_number_inexact'
  | 'json_lone_surrogate'
  | 'json_too_deep'
  | 'json_too_large';

/** A JSON text that cannot be kept exactly. `path` names the place, for example `geo[2]`; empty for the top. */
export class JsonRefusal extends Error {
  readonly code: JsonRefusalCode;
  readonly path: string;

  constructor(code: JsonRefusalCode, path: string, what: string) {
    super(path === '' ? what : `${what} (at ${path})`);
    this.name = 'JsonRefusal';
    this.code = code;
    this.path = path;
  }
}
