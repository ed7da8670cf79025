/** Whether the first part is a JOSE header (RFC 7515 §4): base64url of a JSON object that names an algorithm. */
export function isJsonWebToken([, head = '']: RegExpMatchArray): boolean {
  const text = Buffer.from(head, 'base64url').toString();
  return /^\s*\{/.test(text) && /"(?:alg|enc)"\s*:/.test(text);
}
