export {
  AppError,
  decodeError,
  diskFailure,
  encodeError,
  parseServiceJson,
  parseStrictJson,
} from './app-error.ts';
export type { AppErrorDetails, EncodedError, FieldError } from './app-error.ts';
export { catalogue, errorCodes, refusalCodes } from './catalogue.ts';
export type { ErrorCode } from './catalogue.ts';
export type { CatalogueEntry } from './catalogue-entry.ts';
export { fieldPath, issueInWords, parseInput } from './parse-input.ts';
export type { InputSchema } from './parse-input.ts';
export { storageCodes } from './program-failures.ts';
