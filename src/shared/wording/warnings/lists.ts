import { canonicalJson } from '../../lib/json/canonical.ts';
import { inertText, quotedStart } from '../../lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import {
  countryName,
  fieldLabel,
  fieldWords,
  isListName,
  entryNouns,
  filterOf,
  listSize,
  entryKeyOf,
  dimensionOfFlag,
  dimensionOfList,
} from '../../campaign/index.ts';
import { selectionInWords } from '../values.ts';
import type { Figure, RiskFinding, RiskRule } from './subject.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence, type Sentence } from '../../lib/sentence.ts';

const fewEntries = 3;
const maxNamedLength = 48;

const manyEntries = 20;

/** Targeting that widens to all values, or gets an unknown flag. All countries are a danger. */
export const wideningRisk: RiskRule = ({ changes, after, before }, formats: Formats) =>
  changes
    .flatMap(({ field, before: from, after: to }): RiskFinding[] => {
      const dimension = dimensionOfFlag(field);
      if (dimension === undefined || to === 0 || (to !== 1 && from === 1)) return [];
      if (to !== 1) {
        const text = sentence`${fieldWords(field)} becomes a value that Countersign does not know.`;
        return [{ code: 'targeting_unknown', field, text }];
      }
      const selected = own(before, dimension.list);
      const entries = entriesOf(dimension.list, selected).length;
      const isWorldwide = dimension.list === 'geo';
      const figure = {
        label: fieldLabel(dimension.list),
        before:
          entries > fewEntries
            ? formats.counted(entries, dimension.one, dimension.many)
            : selectionInWords(field, from, selected, formats),
        after: isWorldwide ? 'Worldwide' : `All ${dimension.many}`,
      };
      const text = sentence`Targeting widens to all ${ownWords(dimension.many)}.`;
      return [{ code: isWorldwide ? 'worldwide' : 'targeting_widened', field, text, figure }];
    })
    .concat(keywordsOff(before, after));

function keywordsOff(before: JsonObject, after: JsonObject): RiskFinding[] {
  if (own(before, 'keywords_enabled') !== 1 || own(after, 'keywords_enabled') === 1) return [];
  const text = sentence`Keywords are switched off: their lists limit nothing any more.`;
  const figure = { label: 'Keywords', before: 'On', after: 'Off' };
  return [{ code: 'keywords_off', field: 'keywords_enabled', text, figure }];
}

/** Lists that lose half of their entries or at least double. A targeting list counts only while its flag selects it. */
export const listRisk: RiskRule = ({ changes, before, after }, formats: Formats) =>
  changes.flatMap(({ field, before: from, after: to }): RiskFinding[] => {
    if (isAssessedElsewhere(field)) return [];
    const dimension = dimensionOfList(field);
    const isSelected =
      dimension === undefined || [before, after].every((campaign) => own(campaign, dimension.flag) !== 1);
    if (!isSelected) return [];
    const fieldPair = { name: field, from, to };
    const marks =
      dimension === undefined
        ? listPairs(fieldPair).flatMap((pair) => pairRisk(pair, formats))
        : entriesRisk(fieldPair, formats);
    return marks.map((mark) => ({ ...mark, field }));
  });

/** True for the weekly schedule and bid controls, because other rules assess these arrays. */
function isAssessedElsewhere(field: string): boolean {
  return field === 'shedule' || field === 'bidControl';
}

/** In a block list more entries mean less traffic, so growth is harmless. */
function isBlockList(name: string): boolean {
  return /block|black|deny|exclu|ignore/i.test(name);
}

interface ListPair {
  name: string;
  from: JsonValue | undefined;
  to: JsonValue | undefined;
}

const maxDepth = 64;

function listPairs({ name, from, to }: ListPair, depth = 0): ListPair[] {
  if (from === to || depth > maxDepth) return [];
  const memberPairs = (
    key: string | number,
    old: JsonValue | undefined,
    now: JsonValue | undefined,
  ): ListPair[] => listPairs({ name: `${name}.${key}`, from: old, to: now }, depth + 1);
  if (Array.isArray(from) || Array.isArray(to)) {
    const [old, now] = [Array.isArray(from) ? from : [], Array.isArray(to) ? to : []];
    const objects = old.flatMap((item, index) =>
      isJsonObject(item) ? memberPairs(index, item, now[index]) : [],
    );
    return [{ name, from, to }, ...objects];
  }
  if (isJsonObject(from) || isJsonObject(to)) {
    const [old, now] = [isJsonObject(from) ? from : {}, isJsonObject(to) ? to : {}];
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const inner = keys.flatMap((key) => memberPairs(key, own(old, key), own(now, key)));
    return inner.length === 0 && isListName(name) ? [{ name, from, to }] : inner;
  }
  return isListName(name) && [from, to].some((side) => typeof side === 'string') ? [{ name, from, to }] : [];
}

function pairRisk({ name, from, to }: ListPair, formats: Formats): RiskFinding[] {
  const lineMarks = entriesRisk({ name, from, to }, formats);
  if (typeof from !== 'string' || typeof to !== 'string' || lineMarks.length > 0) return lineMarks;
  return entriesRisk({ name, from: wordsOf(from), to: wordsOf(to) }, formats);
}

function entriesRisk({ name, from, to }: ListPair, formats: Formats): RiskFinding[] {
  const [had, has] = [new Set(entriesOf(name, from)), new Set(entriesOf(name, to))];
  const removed = [...had].filter((entry) => !has.has(entry)).length;
  const added = [...has].filter((entry) => !had.has(entry)).length;
  const shrinks = removed > 0 && removed * 2 >= had.size;
  // A new allow or block list restricts. The effect of any other new list is unknown.
  const grows = added > 0 && added >= had.size && !(had.size === 0 && isListName(name));
  if (!shrinks && !grows) return [];
  const sizes = { name, shrinks, had: had.size, has: has.size, removed, added };
  return [
    { code: codeOf(sizes), text: textOf(sizes, formats), figure: figureOf(sizes, { from, to }, formats) },
  ];
}

interface Sizes {
  name: string;
  shrinks: boolean;
  had: number;
  has: number;
  removed: number;
  added: number;
}

type Sides = Pick<ListPair, 'from' | 'to'>;

/**
 * Tenfold targeting comes first, because it hardly limits anything. A shrinking block list lets more traffic through, a growing
 * one less.
 */
function codeOf(sizes: Sizes): RiskFinding['code'] {
  const { name, shrinks, had, has } = sizes;
  const isTenfold = dimensionOfList(name) !== undefined && has >= manyEntries && has >= had * 10;
  if (isTenfold) return 'list_tenfold';
  if (isReplaced(sizes)) return name === 'geo' ? 'countries_replaced' : 'targeting_replaced';
  if (shrinks) return isBlockList(name) ? 'block_list_shrinks' : 'list_shrinks';
  return isBlockList(name) ? 'block_list_grows' : 'list_grows';
}

function isReplaced({ name, shrinks, added }: Sizes): boolean {
  return dimensionOfList(name) !== undefined && shrinks && added > 0;
}

/** `Unblocks 8 of 16 blocked publishers.`, `Removes all 5 countries and adds 1 other.` */
function textOf(sizes: Sizes, formats: Formats): Sentence {
  const { name, shrinks, had, removed, added } = sizes;
  const grows = added > 0 && added >= had;
  const nouns = entryNouns(name);
  if (nouns === null) {
    const parts = [
      ...(shrinks ? [`${partOf(removed, had, formats)} removed`] : []),
      ...(grows ? [`${formats.count(added)} added to ${formats.count(had)}`] : []),
    ];
    return sentence`${ownWords(labelOf(name))}: ${ownWords(parts.join(', '))}.`;
  }
  const { removes, adds, what } = verbsOf(name);
  const removals =
    had === 1 ? `the only ${what}${nouns.one}` : `${partOf(removed, had, formats)} ${what}${nouns.many}`;
  if (!shrinks)
    return sentence`${ownWords(adds)} ${ownWords(formats.counted(added, `more ${what}${nouns.one}`, `more ${what}${nouns.many}`))}.`;
  if (added === 0) return sentence`${ownWords(removes)} ${ownWords(removals)}.`;
  return sentence`${ownWords(removes)} ${ownWords(removals)} and ${ownWords(adds.toLowerCase())} ${ownWords(formats.counted(added, 'other'))}.`;
}

function partOf(part: number, all: number, formats: Formats): string {
  return part === all ? `all ${formats.count(all)}` : `${formats.count(part)} of ${formats.count(all)}`;
}

function verbsOf(name: string): { removes: string; adds: string; what: string } {
  const filter = filterOf(name);
  if (filter?.does === 'blocks') return { removes: 'Unblocks', adds: 'Blocks', what: 'blocked ' };
  return { removes: 'Removes', adds: 'Adds', what: filter === undefined ? '' : 'allowed ' };
}

function figureOf(sizes: Sizes, sides: Sides, formats: Formats): Figure {
  const label = labelOf(sizes.name);
  if (isReplaced(sizes)) return { label, ...sidesInWords(sizes.name, sides, formats) };
  return {
    label,
    before: listSize(sizes.name, sizes.had, formats),
    after: listSize(sizes.name, sizes.has, formats),
  };
}

function sidesInWords(
  name: string,
  { from, to }: Sides,
  formats: Formats,
): { before: string; after: string } {
  const [before = '', after = ''] = [from, to].map((side) => {
    const plain = (Array.isArray(side) ? side : []).map((entry) => inertText(keyOf(entry)));
    const named = name === 'geo' ? plain.map((code) => countryName(code) ?? code) : plain;
    const short = [named, plain]
      .map((list) => list.toSorted().join(', '))
      .find(({ length }) => length <= maxNamedLength);
    return short ?? listSize(name, new Set(entriesOf(name, side)).size, formats);
  });
  return { before, after };
}

function entriesOf(list: string, value: JsonValue | undefined): string[] {
  const plain = (entries: readonly string[]): string[] =>
    entries.map(entryKeyOf(list)).filter((entry) => entry !== '');
  if (typeof value === 'string') return plain(value.split(/[\n\r,;|\t]+/));
  if (Array.isArray(value)) return plain(value.map(keyOf));
  if (isJsonObject(value)) return Object.entries(value).map((entry) => canonicalJson(entry));
  return value === undefined || value === null ? [] : [keyOf(value)];
}

/** Splits into words: a few long lines may hide that most words are gone. */
function wordsOf(text: string): JsonValue[] {
  return text.split(/[\s,;|]+/);
}

function keyOf(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

const maxPathLength = 80;

function labelOf(name: string): string {
  const [field = '', ...path] = name.split('.');
  return path.length === 0
    ? fieldLabel(name)
    : `${fieldLabel(field)} ${quotedStart(path.join('.'), maxPathLength)}`;
}
