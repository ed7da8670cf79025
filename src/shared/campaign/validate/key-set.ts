import { counted } from '../../lib/counted.ts';
import { inertText } from '../../lib/inert-text.ts';
import type { FieldErrorCode } from './codes.ts';
import type { Report, Rule } from './subject.ts';

/** How many fields are named one by one; the next one says how many more there are. */
const mostNamed = 100;

/** Code points of a name in a message. */
const longestName = 200;

/** The payload has exactly the keys of the stored campaign: a partial body could reset values (contract §4.1, rule 3). */
export const checkKeySet: Rule = ({ payload, base }, report) => {
  const missing = Object.keys(base).filter((field) => !Object.hasOwn(payload, field));
  const unknown = Object.keys(payload).filter((field) => !Object.hasOwn(base, field));
  name(missing, report, {
    code: 'missing_field',
    one: (field) => `The field ${field} is missing. Send the complete campaign.`,
    rest: (count) =>
      `${counted(count, 'more field is', 'more fields are')} missing. Send the complete campaign.`,
  });
  name(unknown, report, {
    code: 'unknown_field',
    one: (field) => `The campaign has no field ${field}.`,
    rest: (count) =>
      `The campaign does not have ${counted(count, 'more field that was', 'more fields that were')} sent.`,
  });
};

interface Words {
  code: FieldErrorCode;
  one(field: string): string;
  rest(count: number): string;
}

function name(fields: readonly string[], report: Report, { code, one, rest }: Words): void {
  for (const field of fields.slice(0, mostNamed)) report(field, code, one(shortName(field)));
  const [next] = fields.slice(mostNamed);
  if (next !== undefined) report(next, code, rest(fields.length - mostNamed));
}

function shortName(field: string): string {
  // Twice as many code units hold that many code points: a name of megabytes is not taken apart.
  const points = Array.from(field.slice(0, 2 * longestName + 2));
  return points.length > longestName
    ? `${inertText(points.slice(0, longestName).join(''))}…`
    : inertText(field);
}
