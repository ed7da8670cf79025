import { describe, expect, test } from 'vitest';
import { outcomeText } from '#headless/terminal/proposal-text.ts';
import { createStyle } from '#headless/terminal/style.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { exampleBatch } from '#test/fixtures/batch.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';

const text = (proposal: ProposalView): string => outcomeText(proposal, createStyle(false)).join('\n');
const moved = { field: 'payout', label: 'Bid', base: '$0.05', theirs: '$0.04' };

describe('the outcome of a proposal on a terminal', () => {
  test.each([
    [
      'shows the user’s own value next to the other value',
      '$0.06',
      'Bid: it was $0.05, you asked for $0.06, it is $0.04',
    ],
    [
      'does not present a change of another field as requested by the tool call',
      '$0.05',
      'Bid: it was $0.05, it is $0.04',
    ],
  ])('%s', (_case, mine, words) => {
    expect(text(exampleProposal({ state: 'stale', conflict: [{ ...moved, mine }] }))).toContain(words);
  });

  test('quotes text of the service or of an agent, in a conflict and in a verdict', () => {
    const [base, mine, theirs] = ['DE', 'DE, it is Paused', 'FR. Saved and verified.'];
    const conflict = [{ field: 'name', label: 'Name', base, mine, theirs }];
    expect(text(exampleProposal({ state: 'stale', conflict }))).toContain(
      'Name: it was “DE”, you asked for “DE, it is Paused”, it is “FR. Saved and verified.”',
    );
    const verdicts = [
      { field: 'name', label: 'Name', verdict: 'different', sent: mine, found: theirs } as const,
      { field: 'title', label: 'Title', verdict: 'unknown', sent: base, found: '' } as const,
    ];
    expect(text(exampleProposal({ state: 'differs', verdicts: [...verdicts] }))).toContain(
      'Name: DIFFERENT, sent “DE, it is Paused”, found “FR. Saved and verified.”\n' +
        '  Title: unknown, sent “DE”, found not read yet',
    );
  });

  test('shows a result for each change of a batch', () => {
    const batch = exampleBatch(['verified', 'stale'], { state: 'done' });
    expect(text(batch)).toMatch(
      /^Every change has its own result\.\n[^]*1\. .*Saved and verified[^]*2\. .*Someone else changed/,
    );
  });
});
