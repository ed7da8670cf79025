export { AppError, decodeError, diskFailure, encodeError, fieldPath, issueInWords } from './app-error.ts';
export { parseInput, parseServiceJson, parseStrictJson } from './app-error.ts';
export type { AppErrorDetails, EncodedError, FieldError, InputSchema } from './app-error.ts';
export { catalogue, errorCodes, refusalCodes, type ErrorCode } from './catalogue.ts';
export type { CatalogueEntry } from './catalogue-entry.ts';
export { storageCodes } from './program-failures.ts';
