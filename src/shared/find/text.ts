import { countries, parseCountryCode, type BudgetField } from '../campaign/index.ts';
import { type CampaignRow, type SortColumn, targetingLists } from '../contract/index.ts';
import { foldedText } from '../lib/folded-text.ts';

// Stays apart from `matches.ts`: the start of the app needs the text alone, and is built into twenty more files otherwise.

interface TextSubject {
  row: Pick<CampaignRow, 'cid' | 'name' | 'type_name' | 'geo'>;
  labels: readonly string[];
}

/** Digits only mean the id of one campaign (contract §4.1). */
function isExactId(query: string): boolean {
  return /^\d+$/u.test(query.trim());
}

export function hasWords(query: string): boolean {
  return query.trim() !== '' && !isExactId(query);
}

/** True if the service's list cannot answer the query: it searches names only and sorts by stored budgets (contract §4.1). */
export function needsAccount({ query, sort }: { query: string; sort: SortColumn }): boolean {
  return hasWords(query) || budgetColumns.some((column) => column === sort);
}

/**
 * Digits only match an exact id. Otherwise each word must occur in the name, or begin a word of the type, a label or a
 * targeted country.
 */
export function textMatcher(
  query: string,
  labelNames: ReadonlyMap<string, string>,
): (subject: TextSubject) => boolean {
  if (isExactId(query)) return ({ row }) => row.cid === Number(query);
  const words = foldedText(query)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => wordMatcher(word, labelNames));
  return (subject) => {
    if (words.length === 0) return true;
    const name = foldedText(subject.row.name);
    return words.every((matches) => matches(name, subject));
  };
}

/** Shorter words would match the names of too many countries. */
const minCountryLetters = 3;

function wordMatcher(
  word: string,
  labelNames: ReadonlyMap<string, string>,
): (name: string, subject: TextSubject) => boolean {
  const codes = countriesNamed(word);
  const labels = new Set([...labelNames].filter(([, name]) => begins(name, word)).map(([id]) => id));
  const types = new Map<string, boolean>();
  const isType = (name: string): boolean => {
    const known = types.get(name) ?? begins(name, word);
    types.set(name, known);
    return known;
  };
  return (name, { row, labels: attached }) =>
    name.includes(word) ||
    isType(row.type_name) ||
    attached.some((id) => labels.has(id)) ||
    row.geo.some((code) => codes.has(code.toUpperCase()));
}

/** Codes of the countries that a word of a search names, and the word itself as a code. */
export function countriesNamed(word: string): ReadonlySet<string> {
  const code = parseCountryCode(word);
  const named =
    word.length < minCountryLetters
      ? []
      : countries()
          .filter(({ name }) => begins(name, word))
          .map((country) => country.code);
  return new Set([word.toUpperCase(), ...(code === null ? [] : [code]), ...named]);
}

export function begins(text: string, word: string): boolean {
  return foldedText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => part.startsWith(word));
}

// Separate from the schemas, because the pages use these constants and must not bundle the schema library.

export const budgetColumns = ['d_revenue', 't_revenue'] as const satisfies readonly BudgetField[];

export const findablePricings = ['CPC', 'CPV', 'CPM', 'other'] as const;

/** Max length of a search text in UTF-16 units. No name is longer (contract §2.4). */
export const maxSearchText = 255;

export const maxFound = 10_000;

const needFull = ['runsNow', 'endsWithin', 'noEnd', 'pricing', 'domain', 'member'] as const;

/** True if matching the condition may need the complete campaign. */
export function needsFull({ kind: wanted }: { kind: string }): boolean {
  return needFull.some((kind) => kind === wanted);
}

/** True if a full read of a campaign may change the result of the condition. */
export function usesFull(condition: { kind: string }): boolean {
  return needsFull(condition) || condition.kind === 'spendsToday';
}

export const findableLists: readonly string[] = [
  ...targetingLists,
  'keywords_whitelist',
  'keywords_blocklist',
];
