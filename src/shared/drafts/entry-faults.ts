import type { EntryForm } from '../campaign/index.ts';

export type EntryFault =
  | 'error'
  | 'placeholder'
  | 'rounded'
  | 'zeros'
  | 'decimal'
  | 'title'
  | 'invisible'
  | 'lost'
  | 'space'
  | 'separator'
  | 'not_understood';

interface FaultRule {
  fault: EntryFault;
  pattern: RegExp;
  forms: readonly EntryForm[];
  /** True if the entry may be valid. It is accepted only if a person confirms it. */
  isDoubtful: boolean;
}

const allForms: readonly EntryForm[] = ['countries', 'ids', 'codes', 'names'];

/**
 * Values that spreadsheets write instead of a result, in several languages: `#N/A`, `#BEZUG!`, `Err:502`, `###` in a
 * narrow column.
 */
const errorValue = /^(?:#(?:N\/A|NV|GETTING_DATA)|#[\p{Lu}\d/_]+[!?]|#{2,}|Err:\d{3})$/u;

const placeholder =
  /^(?:\((?:blank|empty|leer|vide|vacío|en blanco|vuoto|vazio|not set|none|other|all)\)|null|undefined|nan|n\/a|-+|(?:grand )?total|gesamt(?:ergebnis)?|summe)$/iu;

const title =
  /^(?:.*[\s_-])?(?:ids?|names?|domains?|bundles?|publishers?|apps?|sites?|sources?|zones?|ssps?|countr(?:y|ies)|clicks|cost|impressions)$/iu;

const titleOfNames = /^(?:keywords?|carriers?|isps?|cit(?:y|ies))(?: (?:names?|list|id))?$/iu;

/** Invisible characters. Joiners and variation selectors are allowed in names, whose spelling may need them. */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const invisibleInNames =
  /(?!\u200C|\u200D|\uFE0E|\uFE0F|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const rules: readonly FaultRule[] = [
  { fault: 'error', pattern: errorValue, forms: allForms, isDoubtful: false },
  { fault: 'placeholder', pattern: placeholder, forms: allForms, isDoubtful: true },
  { fault: 'rounded', pattern: /^-?\d(?:[.,]\d+)?E[+-]\d{2,3}$/iu, forms: allForms, isDoubtful: false },
  { fault: 'zeros', pattern: /^[1-9]\d{14}0+$/u, forms: allForms, isDoubtful: true },
  { fault: 'decimal', pattern: /^\d{4,}[.,]0+$/u, forms: ['ids', 'codes'], isDoubtful: false },
  { fault: 'title', pattern: title, forms: ['ids', 'codes'], isDoubtful: true },
  { fault: 'title', pattern: titleOfNames, forms: ['names'], isDoubtful: true },
  { fault: 'invisible', pattern: invisible, forms: ['countries', 'ids', 'codes'], isDoubtful: false },
  { fault: 'invisible', pattern: invisibleInNames, forms: ['names'], isDoubtful: false },
  { fault: 'lost', pattern: /\uFFFD/u, forms: allForms, isDoubtful: false },
  { fault: 'space', pattern: /\s/u, forms: ['codes'], isDoubtful: true },
];

export function entryFaultOf(
  entry: string,
  form: EntryForm,
): { fault: EntryFault; isDoubtful: boolean } | null {
  const rule = rules.find(({ pattern, forms: of }) => of.includes(form) && pattern.test(entry));
  return rule === undefined ? null : { fault: rule.fault, isDoubtful: rule.isDoubtful };
}

export const entryFaultWords: Readonly<Record<EntryFault, string>> = {
  error: 'An error value of a spreadsheet',
  placeholder: 'A placeholder or a total',
  rounded: 'A number that a spreadsheet has rounded',
  zeros: 'Possibly rounded: a spreadsheet keeps 15 digits and writes zeros for the others',
  decimal: 'A number with decimals; IDs have none',
  title: 'Looks like the title of a column',
  invisible: 'Has an invisible character in it',
  lost: 'Has a letter that was lost',
  space: 'Has a space in it, which entries of this list do not have',
  separator: 'Has the separator of this list in it',
  not_understood: 'Not understood',
};

const ends = String.raw`[\s\u2800\u3164]|(?![\u{E0020}-\u{E007F}])\p{Cf}`;
const invisibleEnds = new RegExp(`^(?:${ends})+|(?:${ends})+$`, 'gu');

export function trimEntry(entry: string): string {
  return entry.replaceAll(invisibleEnds, '');
}
