import { catalogue, type ErrorCode } from '#shared/errors/index.ts';
import { json, reference, type OpenApiPart } from './schema.ts';

/** One answer that went well. */
export function answer(description: string, content?: OpenApiPart): OpenApiPart {
  return { description, ...(content === undefined ? {} : { content }) };
}

/** The refusals of a REST address, by status, each with the codes that it may carry. */
export function refusals(...codes: ErrorCode[]): OpenApiPart {
  const byStatus = Map.groupBy(codes, (code) => catalogue[code].status);
  const responses = [...byStatus].map(([status, sameStatus]) => [
    String(status),
    {
      description: sameStatus.map((code) => `\`${code}\`: ${catalogue[code].text}`).join(' '),
      content: json(reference('Error')),
    },
  ]);
  return Object.fromEntries(responses) as OpenApiPart;
}
