const readAtMs = Date.parse('2026-11-22T09:00:00Z');

/** The core's list with one task whose name and kind are untrusted texts. */
const known = {
  profileId: 'demo',
  zone: 'Asia/Kathmandu',
  state: 'idle',
  failure: null,
  readAtMs,
  access: 'ready',
  granted: ['svc:write', 'offline_access'],
  missing: [] as string[],
  unreadable: 0,
  sources: null,
  returns: [],
  tasks: [
    {
      id: 'task-1',
      name: 'Nightly ⟨U+202E⟩ </a><b>report',
      what: 'Task of the kind “lunar”',
      when: 'Unknown',
      kind: 'unknown',
      state: 'suspended',
      stateWord: 'suspended',
      reason: 'The access token does not have the scope that this needs.',
      createdAtMs: readAtMs,
      nextDueAtMs: readAtMs,
      runsAheadMs: [],
      lastRun: {
        dueAtMs: readAtMs,
        ranAtMs: readAtMs,
        outcome: 'eclipsed',
        missed: 2,
        reason: null,
        rows: null,
        bytes: null,
        fileName: null,
      },
      due: null,
      createdBy: { kind: 'unknown' },
      history: [],
    },
  ],
};
const away = {
  code: 'service_unreachable',
  message: 'The service cannot be reached.',
  next: 'Check the network.',
};
const nothing = { ...known, readAtMs: null, tasks: [] };

/** Words on the page about a due change, by its stage. */
export const dueWords = {
  unproposed: 'Its proposal is not here yet.',
  waiting: 'A change awaits your approval.',
  denied: 'You denied this change.',
  decided: 'This change was decided.',
  'too-late': 'Too late to decide.',
  elsewhere: 'This change was prepared for another sign-in.',
} as const;

/** Every state that a live profile can have, as the core answers it, with a sentence from the page. */
export const scheduleStates = {
  reading: [{ ...nothing, state: 'reading' }, 'Reading the schedules'],
  'signed out': [{ ...nothing, access: 'signed-out' }, 'Sign in to see schedules'],
  'member token': [{ ...nothing, access: 'direct' }, 'Schedules need a sign-in'],
  'missing scopes': [
    { ...known, missing: ['svc:write', 'offline_access'] },
    'The sign-in does not cover schedules',
  ],
  failed: [{ ...nothing, state: 'failed', failure: away }, 'Schedules keep running.'],
  away: [{ ...known, state: 'failed', failure: away }, 'schedules keep running'],
  unreadable: [{ ...known, unreadable: 2 }, '2 schedules of the service can’t be read or listed.'],
  foreign: [known, 'Not created through this Countersign'],
} as const;

/** The list with a due task, at this stage of its change. */
export function dueSchedule(stage: string): object {
  const isElsewhere = stage === 'elsewhere';
  const due = {
    stage,
    endsAtMs: isElsewhere ? null : Date.now() + 3_600_000,
    proposalId: isElsewhere || stage === 'unproposed' ? null : 'p1',
  };
  const tasks = known.tasks.map((task) => ({ ...task, state: 'due', stateWord: 'due', reason: null, due }));
  return { ...known, tasks };
}
