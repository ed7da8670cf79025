import { countryName } from '#shared/campaign/index.ts';
import { begins, type CampaignCondition, countriesNamed } from '#shared/find/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { readAmount } from './condition-kinds.ts';

export interface TypedFilters {
  conditions: CampaignCondition[];
  /** The words that are no filter. They stay in the search. */
  rest: string;
}

const comparison =
  /(?:\b(bid|total|daily)\s*)?(?:\bbudget\s*)?([<>])\s*(\$?\d{1,12}(?:\.\d{1,6})?)(k?)(?!\S)/giu;

const maxCountries = 3;

/**
 * Reads a search text that compares an amount as filters: `br push >100`. Null for any other text, because the search finds
 * words without filters.
 */
export function typedFilters(text: string, types: readonly { name: string }[]): TypedFilters | null {
  const amounts: CampaignCondition[] = [];
  const words = text.replace(
    comparison,
    (_, subject: string | undefined, sign: string, typed: string, kilo) => {
      amounts.push(
        amountCondition(subject?.toLowerCase(), sign, (readAmount(typed) ?? 0) * (kilo ? 1_000 : 1)),
      );
      return ' ';
    },
  );
  if (amounts.length === 0) return null;
  const conditions: CampaignCondition[] = [];
  const rest: string[] = [];
  for (const word of words.split(/\s+/u).filter((part) => part !== '')) {
    const condition = wordCondition(foldedText(word), types);
    if (condition === null) rest.push(word);
    else conditions.push(condition);
  }
  return { conditions: [...conditions, ...amounts], rest: rest.join(' ') };
}

function amountCondition(subject: string | undefined, sign: string, amount: number): CampaignCondition {
  const isAbove = sign === '>';
  if (subject === 'bid') return { kind: 'bid', min: isAbove ? amount : null, max: isAbove ? null : amount };
  const column = subject === 'total' ? 't_revenue' : 'd_revenue';
  return { kind: 'budget', column, is: isAbove ? 'above' : 'below', amount };
}

/** Null for a word that names a type and a country, because a choice between them would be a guess. */
function wordCondition(word: string, types: readonly { name: string }[]): CampaignCondition | null {
  const names = types.map(({ name }) => name).filter((name) => begins(name, word));
  const codes = [...countriesNamed(word)].filter((code) => countryName(code) !== null);
  if (names.length > 0) return codes.length === 0 ? { kind: 'type', names } : null;
  const isCountry = codes.length > 0 && codes.length <= maxCountries;
  return isCountry ? { kind: 'country', codes, orAll: false } : null;
}
