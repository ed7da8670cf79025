import { AppError, type FieldError } from './app-error.ts';
import { ownWords, type Sentence, sentence } from '../lib/sentence.ts';

interface Issue {
  path: PropertyKey[];
  message: string;
  /** Names that the schema does not know. */
  keys?: string[];
}

/** The one method of a schema that is used here; the schemas themselves belong to the APIs. */
export interface InputSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: Issue[] } };
}

/**
 * Returns the input in its schema's shape: for requests at the core, over IPC and at the browser host alike. Fails with
 * `bad_input` naming every place that does not fit.
 */
export function parseInput<T>(schema: InputSchema<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_input', { fields: parsed.error.issues.map(toField) });
}

function toField(issue: Issue): FieldError {
  return { field: fieldPath(issue.path), code: 'invalid', message: issueInWords(issue) };
}

/** The words of a schema for one issue: of the input, they repeat only the names that the schema does not know. */
export function issueInWords({ message, keys }: Issue): Sentence {
  if (keys === undefined) return sentence`${ownWords(message)}`;
  return sentence`Unrecognized ${ownWords(keys.length === 1 ? 'key' : 'keys')}: ${keys.join(', ')}`;
}

/** Spells the path of a place in an input, for example `changes[0].field`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '');
}
