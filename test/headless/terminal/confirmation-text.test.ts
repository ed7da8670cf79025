import { describe, expect, test } from 'vitest';
import { confirmationText } from '#headless/terminal/confirmation-text.ts';
import { createStyle } from '#headless/terminal/style.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { exampleBatch } from '#test/fixtures/batch.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

const plain = createStyle(false);

const bid = {
  field: 'payout',
  label: 'Bid',
  before: '$0.045',
  after: '$0.450',
  delta: '+0.405',
  factor: '×10',
  added: [],
  removed: [],
  schedule: null,
};

function text(change: Partial<ProposalView>, style = plain): string {
  return confirmationText(exampleProposal(change), 1_000_000, style).join('\n');
}

const money = (text: string) => ({
  text,
  unlimited: false,
  micros: String(Number(text.replace('$', '')) * 1e6 || 0),
});

describe('the confirmation on a terminal', () => {
  test('names the account, the proposer, and the time left to answer', () => {
    expect(text({})).toContain('■ Demo · Northwind Media · account 1042 · proposed by You · 10 min left');
  });

  test('shows each change with its size, and the entries added to and removed from a list', () => {
    const countries = {
      ...bid,
      label: 'Countries',
      delta: null,
      factor: null,
      added: ['AT'],
      removed: ['CH'],
    };
    const shown = text({ changes: [bid, countries] });
    expect(shown).toContain('Δ Bid  $0.045 → $0.450  +0.405  ×10');
    expect(shown).toContain('    − CH\n    + AT');
    expect(shown).toContain('What changes (2 of 2 fields)');
  });

  test('lists the hours of the week that change, day by day', () => {
    const week = (...on: number[]): number[] =>
      Array.from({ length: 168 }, (_, hour) => (on.includes(hour) ? 1 : 0));
    const schedule = { before: week(8, 9, 11, 30), after: week(9, 30, 166, 167) };
    const hours = { ...bid, label: 'Weekly schedule', delta: '+2 h / −2 h', factor: null, schedule };
    expect(text({ changes: [hours] })).toContain(
      '+2 h / −2 h\n    − Mon 08:00–09:00, 11:00–12:00\n    + Sun 22:00–24:00\n',
    );
  });

  test('shows money at risk, warnings, the full fingerprint, and the value to type', () => {
    const shown = text({
      warnings: [{ code: 'bid_tenfold', severity: 'danger', text: sentence`Ten times the current bid.` }],
      typeToConfirm: { label: 'New bid', value: '0.450' },
    });
    expect(shown).toContain('per day        $50.00\n');
    expect(shown).toContain('⚠ Danger: Ten times the current bid.');
    expect(shown).toContain('New bid: 0.450');
    expect(shown).toContain(`fingerprint ${'ffff '.repeat(16).trim()}`);
  });

  test('begins with the most dangerous change, and shows the days of each side and what is counted separately', () => {
    const ends = {
      before: { ...money('$600.00'), until: '2041-12-07' },
      after: { ...money('$700.00'), until: null },
    };
    const starts = { before: { ...money('$50.00'), from: '2041-01-01' }, after: money('$50.00') };
    const shown = text({
      risk: {
        perDay: starts,
        untilEnd: ends,
        bidFactor: null,
        notes: [],
        campaignCount: 3,
        alwaysUnlimited: { perDay: 1, untilEnd: 1 },
        headline: { label: 'Countries', before: 'BR', after: 'All countries' },
      },
    });
    expect(shown).toContain('AT RISK\n  Countries                   BR → All countries\n');
    expect(shown).toContain('per day, 2 campaigns        $50.00 from 1 Jan 2041 → $50.00 today');
    expect(shown).toContain('until the end, 2 campaigns  $600.00 until 7 Dec 2041 → $700.00 no end');
    expect(shown).toContain('  1 campaign: unlimited per day and until the end, unchanged');
  });

  test('shows a headline without a comparison, and the facts to decide by', () => {
    const { risk } = exampleProposal();
    const shown = text({
      risk: { ...risk, headline: { label: 'Campaigns named in the call', after: '41' } },
      facts: [
        { fact: 'host', label: 'Destination', value: 'None', before: 'a.example' },
        { fact: 'lastChange', label: 'Last change', value: 'Paused by you on 3 Jan' },
      ],
    });
    expect(shown).toContain('Campaigns named in the call  41\n');
    expect(shown).toContain(
      '── Facts\n  Destination  None was a.example\n  Last change  Paused by you on 3 Jan\n',
    );
  });

  test("quotes an agent's note as the agent's own words", () => {
    const shown = text({
      proposedBy: { kind: 'agent', name: 'Claude Code', sinceMs: null, agentId: 'agent-1' },
      quotation: 'align with market',
    });
    expect(shown).toContain('“Claude Code” (agent) says: “align with market”');
  });

  test('begins with the changed campaign when a change is proposed again', () => {
    const rebase = { of: 'p0', round: 1, moved: [{ ...bid, label: 'Daily budget' }], volatile: [] };
    expect(text({ rebase })).toMatch(
      /Someone else changed this campaign.*Nothing was sent[^]*Δ Daily budget/,
    );
  });

  test('states the length of the raw payload in bytes and how to read it', () => {
    expect(text({ payload: '{"name":"é"}' })).toContain(
      'Raw payload: 13 bytes, printed when you type payload',
    );
  });

  test('cannot be controlled by untrusted text', () => {
    const escape = String.fromCharCode(27);
    const evil = `${escape}[2K\rApproved\u202E\n`;
    const shown = text({
      title: sentence`${ownWords(evil)}`,
      quotation: evil,
      changes: [{ ...bid, before: evil, added: [evil] }],
      warnings: [{ code: 'bid_doubled', severity: 'warning', text: sentence`${ownWords(evil)}` }],
    });
    expect(shown).not.toMatch(new RegExp(`[${escape}\r\u202E]`));
    expect(shown).toContain('⟨U+001B⟩[2K⟨U+000D⟩Approved⟨U+202E⟩⟨U+000A⟩');
  });

  test('has the same text with and without colour', () => {
    const coloured = text({ changes: [bid] }, createStyle(true));
    const bare = coloured.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '');
    expect(bare).toBe(text({ changes: [bid] }));
  });

  test('lists every change of a batch with its money, and the skipped campaigns', () => {
    const perDay = { before: money('$50.00'), after: money('$40.00') };
    const target = { cid: 7, name: 'DE push', statusBefore: 1, statusAfter: 1, perDay, untilEnd: perDay };
    const member: Extract<ProposalView['detail'], { kind: 'batch' }>['members'][number] = {
      id: 'p1',
      fingerprint: 'f'.repeat(64),
      title: sentence`Raise the bid`,
      state: 'shown',
      targets: [target],
      changes: [bid],
      quotation: 'Align\u001b with market',
      perDay,
      remarks: [{ severity: 'notice', text: sentence`Not running.` }],
      outcome: null,
    };
    const shown = text({
      detail: {
        kind: 'batch',
        equally: sentence`Raise the bid ×10`,
        members: [member, { ...member, id: 'p2', state: 'withdrawn' }],
        skipped: [{ what: sentence`FR push`, because: sentence`Changed since.` }],
        askedBy: [{ kind: 'agent', name: 'Claude Code' }],
      },
      queue: { count: 12, perDay },
    });
    expect(shown).toContain('proposed by “Claude Code” (agent)');
    expect(shown).toContain('per day, whole queue (12)  $50.00 → $40.00');
    expect(shown).toContain('1. “DE push” (7)  $50.00 → $40.00 per day\n    Δ Bid  $0.045 → $0.450');
    expect(shown).toContain('    ℹ Note: Not running.');
    expect(shown).toContain('    In its own words: “Align⟨U+001B⟩ with market”');
    expect(shown).toContain('2. “DE push” (7)  $50.00 → $40.00 per day\n    Withdrawn. Nothing was sent.');
    expect(shown).toContain('Not included: 1\n  FR push: Changed since.');
  });

  test('lists every campaign of a member with several campaigns', () => {
    const target = (cid: number, from: number, before: string, after: string) => ({
      cid,
      name: `Campaign ${cid}`,
      statusBefore: from,
      statusAfter: 1,
      perDay: { before: money(before), after: money(after) },
      untilEnd: { before: money(before), after: money(after) },
    });
    const batch = exampleBatch(['shown']);
    if (batch.detail.kind !== 'batch') throw new Error('Not a batch');
    const [member] = batch.detail.members;
    batch.detail.members = [
      {
        ...member!,
        title: sentence`Activate 2 campaigns`,
        targets: [target(7, 3, '$0.00', '$50.00'), target(8, 1, '$20.00', '$20.00')],
      },
    ];
    expect(text(batch)).toContain(
      [
        '    “Campaign 7” (7)  Paused → Active  $0.00 → $50.00 per day',
        '    “Campaign 8” (8)  stays Active  $20.00 per day',
      ].join('\n'),
    );
    expect(text(batch)).toContain('1. Activate 2 campaigns  ');
  });

  test('lists every argument of a call, and its changes only if they are known', () => {
    const call: Extract<ProposalView['detail'], { kind: 'tool' }> = {
      kind: 'tool',
      name: 'svc_\u001bx',
      title: 'Harmless',
      definitionHash: 'f'.repeat(64),
      effect: 'stated',
      known: 'arguments',
      prepared: false,
      args: [{ path: 'deep.list', value: '[1, “2”]' }],
    };
    const unknown = text({ operation: 'tool.call', detail: call });
    expect(unknown).toContain('── The call: svc_⟨U+001B⟩x (“Harmless”)');
    expect(unknown).toContain('  Countersign did not see it being prepared.\n  deep.list: [1, “2”]');
    expect(unknown).not.toContain('What changes');
    const perDay = { before: money('$50.00'), after: { ...money('Unknown'), unlimited: true } };
    const target = { cid: 7, name: 'DE push', statusBefore: 1, statusAfter: 1, perDay, untilEnd: perDay };
    const named = text({ operation: 'tool.call', targets: [target], detail: { ...call, known: 'campaign' } });
    expect(named).toContain('It names “DE push” (7), Active, at risk now $50.00 per day.');
    const known = text({ operation: 'tool.call', detail: { ...call, known: 'update', prepared: true } });
    expect(known).toContain('── What changes');
    expect(known).toContain('  Prepared by the service; unchanged.');
  });

  test('asks about an agent with its two words and without amounts', () => {
    const admission = text({
      operation: 'agent.admit',
      title: sentence`Let “Codex” look at Northwind Media (Demo)`,
      proposedBy: { kind: 'agent', name: 'Codex\u001b[2J', sinceMs: null, agentId: null },
      detail: {
        kind: 'admission',
        redirectHost: 'localhost',
        words: 'brisk otter',
        scopes: [{ name: 'svc:read', title: 'Look', allows: 'At campaigns.' }],
        until: 'Until you revoke access',
      },
    });
    expect(admission).toContain('brisk otter');
    expect(admission).toContain('Calls itself “Codex⟨U+001B⟩[2J”. This name is not verified.');
    expect(admission).toContain('Your answer goes to localhost.');
    expect(admission).toContain('Look: At campaigns.');
    expect(admission).toContain('Lasts: Until you revoke access');
    expect(admission).not.toMatch(/AT RISK|What changes/);
    expect(admission).not.toContain('\u001b');
  });
});
