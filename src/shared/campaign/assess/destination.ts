import { inertText } from '../../lib/inert-text.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { webHost } from '../../lib/web-address.ts';
import { fieldLabel, isListName } from '../fields.ts';
import { dimensionOfList } from '../targeting.ts';
import type { Mark, Risk } from './subject.ts';

/** Fields by which somebody goes somewhere; every other one only names its hosts. */
const destinations = ['clickurl', 'website'];

/** So many hosts are named; of more, that there are more. */
const mostNamed = 3;

/** Another host in an address of any field, however deep it lies, or within another address: the first one, a new one, or one that is gone. */
export const addressRisk: Risk = ({ changes }) =>
  changes.flatMap(({ field, before, after }): Mark[] => {
    if (isListName(field) || dimensionOfList(field) !== undefined) return [];
    const from = [...hostsOf(before)];
    const to = [...hostsOf(after)];
    const fresh = to.filter((host) => !from.includes(host));
    // One that goes may have given way to an address in a form that is not known here.
    const isKept = from.every((host) => to.includes(host));
    if (fresh.length === 0 && isKept && from[0] === to[0]) return [];
    const named = hostWords(fresh.length > 0 ? fresh : to.slice(0, 1)) || 'nowhere';
    const earlier = hostWords(from) || 'nowhere';
    const verb = destinations.includes(field) ? 'goes to' : 'names';
    const text = `${fieldLabel(field)} ${verb} ${named} instead of ${earlier}.`;
    const figure = { label: fieldLabel(field), before: earlier, after: named };
    return [{ code: 'destination_changes', severity: 'warning', text, figure }];
  });

function hostWords(hosts: readonly string[]): string {
  const named = hosts.slice(0, mostNamed).map(inertText).join(', ');
  return hosts.length > mostNamed ? `${named} and ${hosts.length - mostNamed} more` : named;
}

/** Every host in a value, in the order in which they stand. */
function hostsOf(value: JsonValue | undefined, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const host of hostsInText(value)) found.add(host);
  else if (Array.isArray(value)) for (const item of value) hostsOf(item, found);
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) hostsOf(item, found);
  }
  return found;
}

/**
 * The part of an address between `//` and the next slash; also where the address stands in another one. As a browser reads it: behind
 * `https:` with any number of slashes, and with slashes that lean the other way (WHATWG URL, special schemes).
 */
const authority =
  /(?:https?:[\\/]*|(?:[a-z][a-z0-9+.-]{0,30}:|^|[\s=("'<,])[\\/]{2})([^\s"'<>\\/?#&]{1,2048})/gi;

const scheme = /^\s*([a-z][a-z0-9+.-]{0,30}):/i;

function hostsInText(text: string): string[] {
  const texts = new Set([text, unbroken(text), unescaped(text), unescaped(unescaped(text))]);
  const found = new Set(
    [...texts].flatMap((one) => [...one.matchAll(authority)].map(([, host = '']) => host)),
  );
  const hosts = [...found].map(readableHost);
  const named = scheme.exec(text)?.[1]?.toLowerCase();
  return named === undefined || named === 'http' || named === 'https' ? hosts : [`${named}:`, ...hosts];
}

/** A host that cannot be read stands for itself. */
function readableHost(host: string): string {
  return webHost(`https://${host}`) ?? host;
}

/** A browser reads an address as if it had neither tabs nor line breaks. */
function unbroken(text: string): string {
  return scheme.test(text) ? text.replaceAll(/[\t\r\n]/g, '') : text;
}

function unescaped(text: string): string {
  return text.replaceAll(/%([2-7][0-9a-f])/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Scripts whose letters can pass for Latin ones, and letters that are drawn like plain ones (compatibility forms). */
const scripts: readonly [string, RegExp][] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['full-width', /[\uFF01-\uFF5E]/u],
  ['mathematical', /[\u{1D400}-\u{1D7FF}]/u],
];

/** Letters of the Latin script, and signs, that are drawn like plain letters and that no spelling of a language needs. */
const signs: readonly [string, RegExp][] = [
  ['phonetic', /[\u0250-\u02AF\u1D00-\u1DBF\uA730-\uA7FF\uAB30-\uAB6F]/],
  ['letter-like', /[\u2100-\u214F\u2160-\u2188\u24B6-\u24E9\u{1F100}-\u{1F1E5}]/u],
];

/** The scripts in a text whose letters can be taken for others, by name. */
export function lookAlikeScripts(text: string): string[] {
  return scripts.filter(([, letters]) => letters.test(text)).map(([name]) => name);
}

function letterNames(text: string): string[] {
  return [
    ...lookAlikeScripts(text),
    ...signs.filter(([, letters]) => letters.test(text)).map(([name]) => name),
  ];
}

/** A text that gains letters which look like others, so that before and after may be drawn the same. */
export const lookAlikeRisk: Risk = ({ changes }) =>
  changes.flatMap(({ field, before, after }) => {
    if (typeof before !== 'string' || typeof after !== 'string') return [];
    const had = letterNames(before);
    const gained = letterNames(after).filter((name) => !had.includes(name));
    if (gained.length === 0) return [];
    const names = gained.join(' and ');
    const text = `${fieldLabel(field)} gains ${names} letters. They can look like others.`;
    return [{ code: 'look_alikes', severity: 'warning' as const, text }];
  });
