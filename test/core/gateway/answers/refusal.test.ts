import { expect, test } from 'vitest';
import { refusalResult } from '#core/gateway/answers/answer.ts';
import { sentence } from '#shared/lib/sentence.ts';

const refusal = {
  code: 'denied_by_person',
  message: sentence`A person denied it.`,
  next: sentence`Ask why.`,
  statusCode: 403,
};

test('a refusal is plain text for a tool without an output schema, and has a structured verdict if there is one', () => {
  const alone = refusalResult(refusal, undefined);
  expect(alone).toEqual({ content: [{ type: 'text', text: 'A person denied it. Ask why.' }], isError: true });
  const verdict = { verdict: 'denied', differences: [] };
  expect(refusalResult(refusal, undefined, verdict).structuredContent).toMatchObject({
    status: 'error',
    error: { code: 'denied_by_person', statusCode: 403 },
    countersign: verdict,
  });
});
