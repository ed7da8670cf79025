import { canonicalJson } from '../../lib/json/canonical.ts';
import { inertText } from '../../lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { fieldLabel, isListName } from '../fields/fields.ts';
import { entryKeyOf } from '../fields/list-kinds.ts';
import { dimensionOfFlag, dimensionOfList } from '../fields/targeting.ts';
import { selectionInWords } from '../words/value-in-words.ts';
import type { Mark, Risk } from './subject.ts';
import type { Formats } from '../../lib/formats.ts';

/** So many entries of a list are named in a headline. */
const fewEntries = 3;

/** A list that grows tenfold is a danger from so many entries on. */
const manyEntries = 20;

/** Custom targeting that gives way to all values, or to a flag that says nothing. All countries are a danger. */
export const wideningRisk: Risk = ({ changes, after, before }, formats: Formats) =>
  changes
    .flatMap(({ field, before: from, after: to }): Mark[] => {
      const dimension = dimensionOfFlag(field);
      if (dimension === undefined || to === 0 || (to !== 1 && from === 1)) return [];
      if (to !== 1) {
        const text = `${fieldLabel(field)} becomes a value that Countersign does not know.`;
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
      const text = `Targeting widens to all ${dimension.many}.`;
      return [{ code: isWorldwide ? 'worldwide' : 'targeting_widened', field, text, figure }];
    })
    .concat(keywordsOff(before, after));

/** Keywords that are switched off limit nothing any more, whatever their lists say. */
function keywordsOff(before: JsonObject, after: JsonObject): Mark[] {
  if (own(before, 'keywords_enabled') !== 1 || own(after, 'keywords_enabled') === 1) return [];
  const text = 'Keywords are switched off: their lists limit nothing any more.';
  const figure = { label: 'Keywords', before: 'On', after: 'Off' };
  return [{ code: 'keywords_off', field: 'keywords_enabled', text, figure }];
}

/**
 * Lists of any field, by entries: those that lose half of them or more, and those that gain as many as they had. A targeting
 * list counts while its flag says "selected"; a text counts as a list by its lines and commas, and by its words.
 */
export const listRisk: Risk = ({ changes, before, after }, formats: Formats) =>
  changes.flatMap(({ field, before: from, after: to }): Mark[] => {
    if (isWeighedElsewhere(field)) return [];
    const dimension = dimensionOfList(field);
    const isSelected =
      dimension === undefined || [before, after].every((campaign) => own(campaign, dimension.flag) !== 1);
    if (!isSelected) return [];
    const whole = { name: field, from, to };
    const marks =
      dimension === undefined
        ? listPairs(whole).flatMap((pair) => pairRisk(pair, formats))
        : entriesRisk(whole, formats);
    return marks.map((mark) => ({ ...mark, field }));
  });

/** The weekly schedule and bid controls are arrays with a meaning of their own. */
function isWeighedElsewhere(field: string): boolean {
  return field === 'shedule' || field === 'bidControl';
}

/** A longer one holds more back. */
function isBlockList(name: string): boolean {
  return /block|black|deny|exclu|ignore/i.test(name);
}

interface ListPair {
  name: string;
  from: JsonValue | undefined;
  to: JsonValue | undefined;
}

const deepest = 64;

/** Every list within two values, however deep it lies. */
function listPairs({ name, from, to }: ListPair, depth = 0): ListPair[] {
  if (from === to || depth > deepest) return [];
  const within = (key: string | number, old: JsonValue | undefined, now: JsonValue | undefined): ListPair[] =>
    listPairs({ name: `${name}.${key}`, from: old, to: now }, depth + 1);
  if (Array.isArray(from) || Array.isArray(to)) {
    const [old, now] = [Array.isArray(from) ? from : [], Array.isArray(to) ? to : []];
    const objects = old.flatMap((item, index) => (isJsonObject(item) ? within(index, item, now[index]) : []));
    return [{ name, from, to }, ...objects];
  }
  if (isJsonObject(from) || isJsonObject(to)) {
    const [old, now] = [isJsonObject(from) ? from : {}, isJsonObject(to) ? to : {}];
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const inner = keys.flatMap((key) => within(key, own(old, key), own(now, key)));
    // An object of flags by entry is a list itself.
    return inner.length === 0 && isListName(name) ? [{ name, from, to }] : inner;
  }
  return isListName(name) && [from, to].some((side) => typeof side === 'string') ? [{ name, from, to }] : [];
}

function pairRisk({ name, from, to }: ListPair, formats: Formats): Mark[] {
  const byLine = entriesRisk({ name, from, to }, formats);
  if (typeof from !== 'string' || typeof to !== 'string' || byLine.length > 0) return byLine;
  return entriesRisk({ name, from: wordsOf(from), to: wordsOf(to) }, formats);
}

function entriesRisk({ name, from, to }: ListPair, formats: Formats): Mark[] {
  const [had, has] = [new Set(entriesOf(name, from)), new Set(entriesOf(name, to))];
  const removed = [...had].filter((entry) => !has.has(entry)).length;
  const added = [...has].filter((entry) => !had.has(entry)).length;
  const shrinks = removed > 0 && removed * 2 >= had.size;
  // A new allow or block list restricts; the effect of any other list is unknown.
  const grows = added > 0 && added >= had.size && !(had.size === 0 && isListName(name));
  if (!shrinks && !grows) return [];
  const removedWords =
    has.size === 0
      ? `emptied, ${formats.count(removed)} removed`
      : `${formats.count(removed)} of ${formats.count(had.size)} removed`;
  const parts = [
    ...(shrinks ? [removedWords] : []),
    ...(grows ? [`${formats.count(added)} added to ${formats.count(had.size)}`] : []),
  ];
  return [
    {
      code: codeOf({ name, shrinks, had: had.size, has: has.size }),
      text: `${labelOf(name)}: ${parts.join(', ')}.`,
      figure: {
        label: labelOf(name),
        before: entryCount(had.size, formats),
        after: entryCount(has.size, formats),
      },
    },
  ];
}

interface Sizes {
  name: string;
  shrinks: boolean;
  had: number;
  has: number;
}

/** Targeting that grows tenfold is as good as none. A block list that loses half of its entries opens; one that only grows holds back more. */
function codeOf({ name, shrinks, had, has }: Sizes): Mark['code'] {
  const isTenfold = dimensionOfList(name) !== undefined && has >= manyEntries && has >= had * 10;
  if (isTenfold) return 'list_tenfold';
  if (shrinks) return isBlockList(name) ? 'block_list_shrinks' : 'list_shrinks';
  return isBlockList(name) ? 'block_list_grows' : 'list_grows';
}

/** The entries of a list without blanks and surrounding space, and without case if the list folds it. */
function entriesOf(list: string, value: JsonValue | undefined): string[] {
  const plain = (entries: readonly string[]): string[] =>
    entries.map(entryKeyOf(list)).filter((entry) => entry !== '');
  if (typeof value === 'string') return plain(value.split(/[\n\r,;|\t]+/));
  if (Array.isArray(value)) return plain(value.map(keyOf));
  if (isJsonObject(value)) return Object.entries(value).map((entry) => canonicalJson(entry));
  return value === undefined || value === null ? [] : [keyOf(value)];
}

/** The words of a text, as a list; a few lines of many words may hide that most lines are gone, and the other way round. */
function wordsOf(text: string): JsonValue[] {
  return text.split(/[\s,;|]+/);
}

function keyOf(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function labelOf(name: string): string {
  const [field = '', ...path] = name.split('.');
  return path.length === 0 ? fieldLabel(name) : `${fieldLabel(field)}.${inertText(path.join('.'))}`;
}

function entryCount(count: number, formats: Formats): string {
  return formats.counted(count, 'entry', 'entries');
}
