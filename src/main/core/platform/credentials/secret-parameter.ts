/** Parameters that carry secrets by their name. `key`, `code` and `sig` are everyday names of trackers and are none. */
const secretNames =
  /^(?:(?:access|refresh|id|auth|api|session|bearer|secret)?[_-]?token|api[_-]?key|api[_-]?secret|client[_-]?secret|secret|password|passwd|pwd|code[_-]verifier)$/i;

/** What the service or a tracker puts in later: `{click_id}`, `{{token}}`, `${TOKEN}`, `[CLICKID]`, `%TOKEN%`, `__TOKEN__`. */
const macros = /\$?\{{1,4}[\w.:|-]{1,64}\}{1,4}|\[[\w.:-]{1,64}\]|%[A-Za-z]\w{1,63}%|__[A-Za-z]\w{0,62}__/g;

/** Shorter values protect nothing. */
const leastLength = 6;

/** Whether `name=value` in an address is a secret written out; a macro in its place is none. */
export function isSecretParameter([, name = '', value = '']: RegExpMatchArray): boolean {
  return secretNames.test(name) && value.replace(macros, '').length >= leastLength;
}
