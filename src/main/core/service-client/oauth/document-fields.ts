import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { unusable, type DocumentName } from './read-document.ts';

/** One document whose fields are read one by one; what is wrong fails with `discovery_failed`, naming the field. */
export interface DocumentFields {
  text(field: string): string;
  /** Null where the field is absent. */
  texts(field: string): readonly string[] | null;
  flag(field: string): boolean | undefined;
  has(field: string): boolean;
  value(field: string): unknown;
}

export function fieldsOf(which: DocumentName, document: JsonObject): DocumentFields {
  const value = (field: string): unknown => (Object.hasOwn(document, field) ? document[field] : undefined);
  return {
    text(field) {
      const found = value(field);
      if (typeof found !== 'string') throw unusable(which, field, 'is not a text');
      return found;
    },
    texts(field) {
      const found = value(field);
      if (found === undefined) return null;
      if (!isTexts(found)) throw unusable(which, field, 'is not a list of texts');
      return found;
    },
    flag(field) {
      const found = value(field);
      if (found !== undefined && typeof found !== 'boolean') {
        throw unusable(which, field, 'is neither true nor false');
      }
      return found;
    },
    has: (field) => value(field) !== undefined,
    value,
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
