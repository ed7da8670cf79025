import { AppError, type FieldError } from './app-error.ts';

interface Issue {
  path: PropertyKey[];
  message: string;
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

function toField({ path, message }: Issue): FieldError {
  return { field: fieldPath(path), code: 'invalid', message };
}

/** Spells the path of a place in an input, for example `changes[0].field`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '');
}
