import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { unusable, type DocumentName } from './read-document.ts';

/** One document whose fields are read one by one; what is wrong fails with `discovery_failed`, naming the field. */
export interface DocumentFields {
  text(field: string): string;
  /** Null where the field is absent. */
  texts(field: string): readonly string[] | null;
  /** As `texts`, and every one is a single scope (RFC 6749 §3.3). */
  scopes(field: string): readonly string[] | null;
  flag(field: string): boolean | undefined;
  has(field: string): boolean;
  value(field: string): unknown;
}

const oneScope = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function fieldsOf(which: DocumentName, document: JsonObject): DocumentFields {
  const value = (field: string): unknown => (Object.hasOwn(document, field) ? document[field] : undefined);
  const texts = (field: string): readonly string[] | null => {
    const found = value(field);
    if (found === undefined) return null;
    if (!isTexts(found)) throw unusable(which, field, 'is not a list of texts');
    return found;
  };
  return {
    text(field) {
      const found = value(field);
      if (typeof found !== 'string') throw unusable(which, field, 'is not a text');
      return found;
    },
    texts,
    scopes(field) {
      const found = texts(field);
      if (found?.some((scope) => !oneScope.test(scope)))
        throw unusable(which, field, 'is not a list of scopes');
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
