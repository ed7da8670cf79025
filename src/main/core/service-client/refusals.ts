import { errorBodySchema } from '#shared/contract/index.ts';
import { AppError, catalogue, refusalCodes, type ErrorCode, type FieldError } from '#shared/errors/index.ts';
import type { Answer } from './exchange.ts';
import { foreignWords, quotation } from './foreign-words.ts';
import { parseAnswer } from './parse-answer.ts';

/** A campaign has about 60 fields; a refusal that names more than this says nothing more with the rest. */
const mostFields = 200;

/** What a status means on one side of the service; `said` is the code of the body, where it has one. */
export type RefusalCodes = (status: number, said: string | null) => ErrorCode | undefined;

/** Contract §7.1; a wrong host as in §7.3. */
const memberCodes: RefusalCodes = (status) => (status === 421 ? 'wrong_host' : refusalCodes[status]);

/** Whether the service did what it was asked. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/**
 * The failure that a refusing answer stands for, with every failing field, and with `data.retryAfterSeconds` where it asks
 * for a pause. The service's own words are foreign text and appear as a quotation.
 */
export function refusalOf(answer: Answer, codes: RefusalCodes = memberCodes): AppError {
  const { status, retryAfterSeconds } = answer;
  const { message, said, fields } = readBody(answer);
  const code = codes(status, said) ?? (status >= 500 ? 'service_failed' : 'operation_refused');
  return new AppError(code, {
    ...(message === '' || message === catalogue[code].text
      ? {}
      : { message: `${catalogue[code].text} The service says: ${quotation(message)}` }),
    fields,
    data: { status, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) },
  });
}

/** The body of a refusal is our own choice where the contract is silent: anything else says nothing. */
function readBody(answer: Answer): { message: string; said: string | null; fields: FieldError[] } {
  let body;
  try {
    body = parseAnswer(answer, errorBodySchema);
  } catch {
    return { message: '', said: null, fields: [] };
  }
  const words = (text: string): string => foreignWords(answer.conceal(text));
  const fields = (body.errors ?? []).slice(0, mostFields).map(({ field, code, message }) => ({
    field: words(field),
    code: words(code),
    message: words(message),
  }));
  return { message: answer.conceal(body.message), said: body.code ?? null, fields };
}
