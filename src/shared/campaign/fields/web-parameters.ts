import { inertText } from '../../lib/inert-text.ts';
import { addressMacro } from '../../lib/web-address.ts';

export interface AddressPart {
  text: string;
  isMacro: boolean;
}

export function addressParts(address: string): AddressPart[] {
  const parts: AddressPart[] = [];
  let end = 0;
  for (const { 0: text, index } of address.matchAll(addressMacro)) {
    if (index > end) parts.push({ text: address.slice(end, index), isMacro: false });
    parts.push({ text, isMacro: true });
    end = index + text.length;
  }
  if (end < address.length) parts.push({ text: address.slice(end), isMacro: false });
  return parts;
}

export function macrosOf(address: string): string[] {
  return [...new Set(address.match(addressMacro))];
}

/** One query parameter as written. Nothing is decoded, so macros and escapes survive an edit. */
export interface AddressParameter {
  name: string;
  value: string | null;
}

export function parametersOf(address: string): AddressParameter[] {
  const { query } = splitAddress(address);
  if (query === null || query === '') return [];
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? { name: pair, value: null } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}

/**
 * Replaces the query of the address with these parameters. Path and fragment stay. Without parameters the question mark
 * is removed too.
 */
export function withParameters(address: string, parameters: readonly AddressParameter[]): string {
  const { before, fragment } = splitAddress(address);
  const query = parameters.map(({ name, value }) => (value === null ? name : `${name}=${value}`)).join('&');
  return `${before}${parameters.length === 0 ? '' : `?${query}`}${fragment}`;
}

/** Escapes characters that would end a parameter or the query. Macros and existing escapes stay. */
export function parameterText(typed: string): string {
  return typed.replaceAll(/[&#\s]/gu, (found) => encodeURIComponent(found));
}

function splitAddress(address: string): { before: string; query: string | null; fragment: string } {
  const hash = address.indexOf('#');
  const fragment = hash < 0 ? '' : address.slice(hash);
  const rest = hash < 0 ? address : address.slice(0, hash);
  const mark = rest.indexOf('?');
  if (mark < 0) return { before: rest, query: null, fragment };
  return { before: rest.slice(0, mark), query: rest.slice(mark + 1), fragment };
}

const samples: readonly [pattern: RegExp, value: string][] = [
  [/click/u, 'click-8f3a21'],
  [/country|geo/u, 'DE'],
  [/cost|price|bid|payout/u, '0.045'],
  [/zone|site|source|pub/u, '12345'],
  [/campaign|cid|creative/u, '1042'],
  [/browser/u, 'Chrome'],
  [/os|platform/u, 'Android'],
  [/device/u, 'mobile'],
  [/lang/u, 'de'],
  [/carrier|isp/u, 'Example'],
  [/ip/u, '203.0.113.7'],
  [/keyword|query/u, 'example'],
  [/city|region/u, 'Berlin'],
  [/time|ts|date/u, '1767225600'],
  [/ua|agent/u, 'Example%2F1.0'],
];

/** The address with a sample value for each macro, for copying. The app never requests it. */
export function testAddress(address: string): string {
  const filled = addressParts(address).map(({ text, isMacro }) => (isMacro ? sampleOf(text) : text));
  return inertText(filled.join(''));
}

function sampleOf(text: string): string {
  const name = text.replaceAll(/[^a-z]+/giu, '_').toLowerCase();
  return samples.find(([pattern]) => pattern.test(name))?.[1] ?? 'sample';
}
