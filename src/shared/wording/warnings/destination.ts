import { firstCodePoints, inertText, quotedStart } from '../../lib/inert-text.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { isPlainAddress, webHost } from '../../lib/web-address.ts';
import { fieldLabel, fieldWords, isListName, dimensionOfList } from '../../campaign/index.ts';
import type { RiskFinding, RiskRule } from './subject.ts';
import { ownWords, type OwnWords, sentence } from '../../lib/sentence.ts';

const destinations = ['clickurl', 'website'];

/** ASCII (WHATWG URL), and short enough to type. */
const typeableHost = /^[a-z0-9.:[\]-]{1,60}$/;
const maxNamed = 3;

/** Warns of a new, missing or different first host in any field, at any depth or inside another address. */
export const addressRisk: RiskRule = ({ changes }) =>
  changes.flatMap(({ field, before, after }): RiskFinding[] => {
    if (isListName(field) || dimensionOfList(field) !== undefined) return [];
    const from = [...hostsOf(before)];
    const to = [...hostsOf(after)];
    const newHosts = to.filter((host) => !from.includes(host));
    // A missing host may have been replaced by an address in a form that is not recognised.
    const hasAllHosts = from.every((host) => to.includes(host));
    if (newHosts.length === 0 && hasAllHosts && from[0] === to[0]) return [];
    const shown = newHosts.length > 0 ? newHosts : to.slice(0, 1);
    const hostsText = (hosts: readonly string[]): OwnWords =>
      ownWords(enumerate(hosts, shortQuote) || 'nowhere');
    const verb = destinations.includes(field) ? 'goes to' : 'names';
    const text = sentence`${fieldWords(field)} ${ownWords(verb)} ${hostsText(shown)} instead of ${hostsText(from)}.`;
    const figure = {
      label: fieldLabel(field),
      before: enumerate(from, inertText) || 'nowhere',
      after: enumerate(shown, inertText) || 'nowhere',
    };
    const host = newHosts[0] ?? (from[0] === to[0] ? undefined : to[0]);
    if (host === undefined || !destinations.includes(field))
      return [{ code: 'host_changes', field, text, figure }];
    return [
      { code: 'destination_changes', field, text, figure, ...(typeableHost.test(host) && { typed: host }) },
    ];
  });

/** Warns of an address whose host can be misread, or that is no longer encrypted. */
export const addressFormRisk: RiskRule = ({ changes }) =>
  changes.flatMap(({ field, before, after }): RiskFinding[] => {
    if (!destinations.includes(field) || typeof after !== 'string') return [];
    const label = fieldWords(field);
    const isUnclear = webHost(after) !== null && !isPlainAddress(after);
    const isInsecure = typeof before === 'string' && /^https:/i.test(before) && /^http:/i.test(after);
    return [
      ...(isUnclear
        ? [{ code: 'destination_unclear' as const, field, text: sentence`${label} ${ownWords(unclear)}` }]
        : []),
      ...(isInsecure
        ? [{ code: 'destination_insecure' as const, field, text: sentence`${label} ${ownWords(insecure)}` }]
        : []),
    ];
  });

const unclear =
  'does not name its host plainly: what comes before it, or how it is written, can pass for another host.';
const insecure = 'is no longer encrypted: it begins with http instead of https.';

/** Removed parameters: the tracker no longer receives their values. */
export const parameterRisk: RiskRule = ({ changes }) =>
  changes.flatMap(({ field, before, after }): RiskFinding[] => {
    if (!destinations.includes(field) || typeof before !== 'string' || typeof after !== 'string') return [];
    const [from, to] = [parametersOf(before), parametersOf(after)];
    const names = new Set(to.map(([name]) => name));
    const dropped = from.filter(([name]) => !names.has(name));
    if (dropped.length === 0) return [];
    const lost = dropped.map(([name]) => name);
    const text = sentence`${fieldWords(field)} loses ${ownWords(dropped.length === 1 ? 'the parameter' : 'the parameters')} ${ownWords(enumerate(lost, shortQuote))}.`;
    const [first] = dropped;
    const isOne = dropped.length === 1 && first !== undefined;
    const figure = {
      label: `${fieldLabel(field)}, ${isOne ? 'parameter' : 'parameters'}`,
      before: isOne ? inertText(parameterText(first)) : enumerate(lost, inertText),
      after: 'None',
    };
    return [{ code: 'url_parameter_dropped', field, text, figure }];
  });

type Parameter = readonly [name: string, value: string];

/** Parses addresses with macros, which a URL parser may refuse. */
function parametersOf(address: string): Parameter[] {
  const query = /\?([^#]*)/.exec(address)?.[1] ?? '';
  return query.split('&').flatMap((part): Parameter[] => {
    const [name = '', ...value] = part.split('=');
    return name === '' ? [] : [[name, value.join('=')]];
  });
}

const maxParameterLength = 40;
const maxQuoteLength = 80;

function parameterText([name, value]: Parameter): string {
  const text = `${name}=${value}`;
  const start = firstCodePoints(text, maxParameterLength);
  return start === text ? text : `${start}…`;
}

function enumerate(texts: readonly string[], format: (text: string) => string): string {
  const named = texts.slice(0, maxNamed).map(format).join(', ');
  return texts.length > maxNamed ? `${named} and ${texts.length - maxNamed} more` : named;
}

function shortQuote(text: string): string {
  return quotedStart(text, maxQuoteLength);
}

function hostsOf(value: JsonValue | undefined, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const host of hostsInText(value)) found.add(host);
  else if (Array.isArray(value)) for (const item of value) hostsOf(item, found);
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) hostsOf(item, found);
  }
  return found;
}

/**
 * The host after `//`, also inside another address. Browsers accept any number of slashes after `https:`, and
 * backslashes (WHATWG URL).
 */
const authority =
  /(?:https?:[\\/]*|(?:[a-z][a-z0-9+.-]{0,30}:|^|[\s=("'<,])[\\/]{2})([^\s"'<>\\/?#&]{1,2048})/gi;

const scheme = /^\s*([a-z][a-z0-9+.-]{0,30}):/i;

function hostsInText(text: string): string[] {
  const texts = new Set([
    text,
    removeLineBreaks(text),
    percentDecode(text),
    percentDecode(percentDecode(text)),
  ]);
  const found = new Set(
    [...texts].flatMap((one) => [...one.matchAll(authority)].map(([, host = '']) => host)),
  );
  const hosts = [...found].map(readableHost);
  const named = scheme.exec(text)?.[1]?.toLowerCase();
  return named === undefined || named === 'http' || named === 'https' ? hosts : [`${named}:`, ...hosts];
}

function readableHost(host: string): string {
  return webHost(`https://${host}`) ?? host;
}

/** Removes tabs and line breaks, because browsers ignore them in an address. */
function removeLineBreaks(text: string): string {
  return scheme.test(text) ? text.replaceAll(/[\t\r\n]/g, '') : text;
}

function percentDecode(text: string): string {
  return text.replaceAll(/%([2-7][0-9a-f])/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const scripts: readonly [string, RegExp][] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['full-width', /[\uFF01-\uFF5E]/u],
  ['mathematical', /[\u{1D400}-\u{1D7FF}]/u],
];

/** Latin letters and signs that look like plain ones and that no language needs. */
const signs: readonly [string, RegExp][] = [
  ['phonetic', /[\u0250-\u02AF\u1D00-\u1DBF\uA730-\uA7FF\uAB30-\uAB6F]/],
  ['letter-like', /[\u2100-\u214F\u2160-\u2188\u24B6-\u24E9\u{1F100}-\u{1F1E5}]/u],
];

export function lookAlikeScripts(text: string): string[] {
  return scripts.filter(([, letters]) => letters.test(text)).map(([name]) => name);
}

function letterNames(text: string): string[] {
  return [
    ...lookAlikeScripts(text),
    ...signs.filter(([, letters]) => letters.test(text)).map(([name]) => name),
  ];
}

export const lookAlikeRisk: RiskRule = ({ changes }) =>
  changes.flatMap(({ field, before, after }) => {
    if (typeof before !== 'string' || typeof after !== 'string') return [];
    const had = letterNames(before);
    const gained = letterNames(after).filter((name) => !had.includes(name));
    if (gained.length === 0) return [];
    const names = gained.join(' and ');
    const text = sentence`${fieldWords(field)} gains ${ownWords(names)} letters. They can look like others.`;
    return [{ code: 'look_alikes' as const, field, text }];
  });
