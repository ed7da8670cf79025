export { AppError, decodeError, encodeError } from './app-error.ts';
export type { AppErrorDetails, EncodedError, FieldError } from './app-error.ts';
export { catalogue, errorCodes } from './catalogue.ts';
export type { CatalogueEntry } from './catalogue-entry.ts';
export type { ErrorCode } from './catalogue.ts';
export { diskFailure } from './disk-failure.ts';
export { refusalCodes } from './refusal-codes.ts';
export { parseStrictJson } from './strict-json.ts';
export { storageCodes } from './storage-failures.ts';
