import { expect, test } from 'vitest';
import { outcomeOf } from '#core/proposals/operations/outcome.ts';
import { AppError } from '#shared/errors/index.ts';
import { shapeIn, withPlainForms } from '#shared/lib/credential-shapes.ts';
import { credentials } from '#test/fixtures/credentials.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

// The table with which agents' texts are refused too.
test.each(credentials)('an outcome does not contain %s from the text of a failure', (_, credential) => {
  const fields = [{ field: 'name', code: 'bad', message: sentence`not ${ownWords(credential)} here` }];
  const outcome = outcomeOf(
    new AppError('validation_failed', { message: sentence`It was ${ownWords(credential)}.`, fields }),
  );
  const said = [outcome.message, ...(outcome.fields ?? []).map(({ message }) => message)].join('\n');
  expect(said).not.toContain(credential);
  expect(shapeIn(withPlainForms(said))).toBeNull();
  expect(outcome.code).toBe('validation_failed');
});

test('any other text of a failure is shown unchanged', () => {
  const message = 'The daily budget must be at least $10.00.';
  expect(outcomeOf(new AppError('validation_failed', { message }))).toEqual({
    code: 'validation_failed',
    message,
  });
});
