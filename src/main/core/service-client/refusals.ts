import { errorBodySchema } from '#shared/contract/index.ts';
import { AppError, catalogue, refusalCodes, type FieldError } from '#shared/errors/index.ts';
import type { Answer } from './call.ts';
import { foreignWords, quotation } from './foreign-words.ts';
import { parseAnswer } from './parse-answer.ts';

/** A campaign has about 60 fields; a refusal that names more than this says nothing more with the rest. */
const mostFields = 200;

/**
 * The failure that a refusing answer stands for, with every failing field. The service's own words are foreign text and
 * appear as a quotation.
 */
export function refusalOf(answer: Answer): AppError {
  const { message, fields } = readBody(answer);
  const code = refusalCodes[answer.status] ?? (answer.status >= 500 ? 'service_failed' : 'operation_refused');
  return new AppError(code, {
    ...(message === '' || message === catalogue[code].text
      ? {}
      : { message: `${catalogue[code].text} The service says: ${quotation(message)}` }),
    fields,
    data: { status: answer.status },
  });
}

/** The body of a refusal is our own choice where the contract is silent: anything else says nothing. */
function readBody(answer: Answer): { message: string; fields: FieldError[] } {
  let body;
  try {
    body = parseAnswer(answer, errorBodySchema);
  } catch {
    return { message: '', fields: [] };
  }
  const fields = (body.errors ?? []).slice(0, mostFields).map(({ field, code, message }) => ({
    field: foreignWords(field),
    code: foreignWords(code),
    message: foreignWords(message),
  }));
  return { message: body.message, fields };
}
