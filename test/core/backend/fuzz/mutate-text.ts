import type { Random } from '#shared/lib/random.ts';
import { oddTexts } from './odd-values.ts';

/** Returns a query or a form with one parameter changed, duplicated, removed, renamed, or without its equals sign. */
export function mutateParameters(text: string, random: Random): string {
  const pairs = text.split('&');
  const at = random.integer(0, pairs.length - 1);
  const pair = pairs[at] ?? '';
  const [name = '', ...rest] = pair.split('=');
  const odd = random.pick(oddTexts);
  const changed = random.pick([
    () => `${name}=${encode(odd)}`,
    () => `${name}=${odd}`,
    () => `${pair}&${pair}`,
    () => `${pair}&${name}=${encode(odd)}`,
    () => '',
    () => `${encode(odd)}=${rest.join('=')}`,
    () => name,
    () => `${name}[]=${rest.join('=')}`,
    () => `${name}=%zz`,
    () => `${name}=${rest.join('=').toUpperCase()}`,
  ])();
  pairs[at] = changed;
  return pairs.join('&');
}

/** Returns a path with a segment inserted, removed, duplicated or spelled differently. */
export function mutatePath(path: string, random: Random): string {
  const at = random.integer(0, path.length);
  const [before, after] = [path.slice(0, at), path.slice(at)];
  return random.pick([
    () =>
      `${before}${random.pick(['/', '//', '/..', '/%2e%2e/', '%00', '%', '%2f', '\\', ';', '.', '~', '*', ':'])}${after}`,
    () => `${before}${after.slice(1)}`,
    () => `${path}/`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => `${path}/${encode(random.pick(oddTexts))}`,
    () =>
      path.replace(/\d+/, () =>
        random.pick(['0', '-1', '1e3', '99999999999999999999', '007', '1.0', 'null']),
      ),
    () => path.split('/').slice(0, -1).join('/') || '/',
    () => `${path}#x`,
    () => `http://127.0.0.1${path}`,
    () => path.slice(1) || '*',
  ])();
}

/** Returns the bytes with some of them flipped, removed, duplicated or added. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.integer(0, bytes.length);
  const end = random.integer(at, Math.min(bytes.length, at + 40));
  const odd = Buffer.from(random.pick([...oddTexts, '\xff\xfe', '\r\n\r\n', '\0\0\0']), 'latin1');
  return Buffer.concat([
    bytes.subarray(0, at),
    random.pick([odd, Buffer.alloc(0), Buffer.concat([bytes.subarray(at, end), bytes.subarray(at, end)])]),
    bytes.subarray(end),
  ]);
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
