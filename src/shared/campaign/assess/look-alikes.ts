import { fieldLabel } from '../fields/labels.ts';
import type { Risk } from './subject.ts';

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
