import { describe, expect, test } from 'vitest';
import { decide, type Dialogue, type Reply } from '#headless/terminal/decide.ts';
import { createStyle } from '#headless/terminal/style.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs, type Decision, type Seen, type Display } from '#shared/host-api/index.ts';
import { exampleBatch } from '#test/fixtures/batch.ts';
import { exampleProposal, exampleDisplay } from '#test/fixtures/proposal.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** A person who answers each question with one of these lines, and a core with this answer. */
function scene(lines: string[], answer: (decision: Decision) => Display | null = () => null) {
  const decisions: Decision[] = [];
  const seen: Seen[] = [];
  const asked: { question: string; settleMs: number }[] = [];
  const printed: string[] = [];
  const dialogue: Dialogue = {
    async ask(question, settleMs) {
      asked.push({ question, settleMs });
      const text = lines.shift();
      return text === undefined ? { kind: 'ended' } : ({ kind: 'line', text } satisfies Reply);
    },
    dispose: () => {},
  };
  const parts = {
    confirmation: {
      seen: (which: Seen) => void seen.push(which),
      async decide(decision: Decision) {
        decisions.push(decision);
        const proposal = exampleProposal({ id: `proposal of ${decision.displayId}` });
        return { proposal, again: answer(decision) };
      },
    },
    dialogue,
    style: createStyle(false),
    nowMs: () => 1,
    over: () => new Promise<void>(() => {}),
    out: (line = '') => void printed.push(line),
  };
  return { parts, decisions, seen, asked, printed };
}

describe('at the terminal prompt,', () => {
  test('a proposal that expires ends the question and all questions that belong to it', async () => {
    for (const lines of [[], ['approve']]) {
      const { parts, decisions, printed } = scene(lines);
      const over = Promise.withResolvers<void>();
      const typeToConfirm = { label: 'Type the campaign id', value: '4711' };
      const display = exampleDisplay({ typeToConfirm }, 's');
      const { dialogue } = parts;
      const asked: Dialogue = {
        ...dialogue,
        ask: async (question, settleMs) => {
          if (lines.length > 0) return dialogue.ask(question, settleMs);
          setImmediate(over.resolve);
          return new Promise(() => {});
        },
      };
      expect(await decide(display, { ...parts, dialogue: asked, over: () => over.promise })).toBe('over');
      expect(decisions).toEqual([]);
      expect(printed.at(-1)).toBe('');
    }
  });

  test('only the complete word decides', async () => {
    const { parts, decisions, printed } = scene(['', 'y', 'APPROVE', 'approve it', 'approve']);
    await decide(exampleDisplay({}, 's'), parts);
    expect(decisions).toEqual([
      {
        displayId: 's',
        nonce: 'nonce of s',
        fingerprint: 'f'.repeat(64),
        decision: 'approve',
        reason: null,
        typed: null,
      },
    ]);
    expect(printed.filter((line) => line.startsWith('Nothing is decided'))).toHaveLength(4);
  });

  test('the exact payload is printed on request, complete and harmless, and decides nothing', async () => {
    const display = exampleDisplay({}, 's');
    display.proposal.payload = `{"cid":7,"name":"\u202E${'x'.repeat(9000)}"}`;
    const { parts, decisions, printed } = scene(['payload', 'deny']);
    await decide(display, parts);
    expect(printed).toContain(`{"cid":7,"name":"⟨U+202E⟩${'x'.repeat(9000)}"}`);
    expect(decisions.map(({ decision }) => decision)).toEqual(['deny']);
  });

  test('unchanged fields are printed on request one by one and harmless, and decide nothing', async () => {
    const display = exampleDisplay({}, 's');
    display.proposal.unchanged = [{ field: 'name', label: 'Name', value: '\u202Epush ED' }];
    const { parts, decisions, printed } = scene(['fields', 'deny']);
    await decide(display, parts);
    expect(printed).toContain('  Name: ⟨U+202E⟩push ED');
    expect(printed.join('\n')).toContain('What stays: 1 field identical, printed when you type fields');
    expect(decisions.map(({ decision }) => decision)).toEqual(['deny']);
  });

  test('the question appears after the arming delay, which starts when the change is shown', async () => {
    const { parts, seen, asked } = scene(['deny']);
    await decide(exampleDisplay({}, 's'), parts);
    expect(seen).toEqual([{ displayId: 's', nonce: 'nonce of s' }]);
    expect(asked[0]?.settleMs).toBeGreaterThanOrEqual(armingDelayMs);
  });

  test('a value to type is sent with the approval, and a wrong value is asked for again', async () => {
    const display = exampleDisplay({}, 's');
    display.proposal.typeToConfirm = { label: 'New bid', value: '0.450' };
    const { parts, decisions, printed } = scene(['approve', '0.45', 'approve', '0.450'], ({ typed }) => {
      if (typed !== '0.450') throw new AppError('typed_value_wrong');
      return null;
    });
    await decide(display, parts);
    expect(decisions.map(({ typed }) => typed)).toEqual(['0.45', '0.450']);
    expect(printed.join('\n')).toContain('The typed value is not the one that was asked for.');
  });

  test.each([
    [
      'a denied batch of an agent asks for a reason',
      'agent',
      ['deny', 'Not before Monday'],
      'Not before Monday',
    ],
    ['a denied batch of the user asks for no reason', 'person', ['deny'], null],
  ] as const)('%s', async (_case, kind, lines, reason) => {
    const display = exampleDisplay({}, 's');
    display.proposal = exampleBatch(['shown', 'shown'], {
      detail: {
        kind: 'batch',
        equally: sentence`Pause`,
        members: [],
        skipped: [],
        askedBy: [{ kind, name: 'Codex' }],
      },
    });
    const { parts, decisions } = scene([...lines]);
    await decide(display, parts);
    expect(decisions.map((decision) => decision.reason)).toEqual([reason]);
  });

  test('a changed campaign is shown and asked about again with its own nonce', async () => {
    const { parts, decisions } = scene(['approve', 'deny'], ({ displayId }) =>
      displayId === 's' ? exampleDisplay({}, 's2') : null,
    );
    const rested = await decide(exampleDisplay({}, 's'), parts);
    expect(decisions.map(({ displayId, nonce, decision }) => [displayId, nonce, decision])).toEqual([
      ['s', 'nonce of s', 'approve'],
      ['s2', 'nonce of s2', 'deny'],
    ]);
    expect(rested).toMatchObject({ id: 'proposal of s2' });
  });

  test('closing the terminal decides nothing', async () => {
    const { parts, decisions } = scene([]);
    expect(await decide(exampleDisplay({}, 's'), parts)).toBeNull();
    expect(decisions).toEqual([]);
  });

  test('a confirmation that has ended is not asked about again', async () => {
    const { parts, decisions } = scene(['approve', 'approve'], () => {
      throw new AppError('proposal_expired');
    });
    await expect(decide(exampleDisplay({}, 's'), parts)).rejects.toMatchObject({ code: 'proposal_expired' });
    expect(decisions).toHaveLength(1);
  });
});
