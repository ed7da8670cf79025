import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { createCampaignSearchStore } from '#renderer/stores/agents/campaign-search.ts';
import { formOf, readCids, readForm, type GuardrailsForm } from '#renderer/stores/agents/guardrails-form.ts';
import {
  createGuardrailsStore,
  guardrailsStore,
  isEditing,
  isOutdated,
} from '#renderer/stores/agents/guardrails-store.ts';
import { unsavedEdits } from '#renderer/stores/profiles/profiles-store.ts';
import { guardrailsSchema, type Guardrails } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual } from '#shared/lib/json/json-value.ts';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const whole = (min: number, max: number) => fc.integer({ min, max });
const micros = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map(String);
const anyGuardrails: fc.Arbitrary<Guardrails> = fc.record({
  maxBidFactor: fc.option(whole(2, 2000).map((half) => half / 2)),
  maxRaisePerDayMicros: fc.option(micros),
  maxRaiseUntilEndMicros: fc.option(micros),
  maxCampaigns: fc.option(whole(1, 1000)),
  pace: fc.option(fc.record({ changes: whole(1, 1000), minutes: whole(1, 1440) })),
  spendPace: fc.option(fc.record({ micros, hours: whole(1, 168) })),
  quietHours: fc.option(whole(0, 22).map((fromHour) => ({ fromHour, untilHour: fromHour + 1 }))),
  untouchable: fc.uniqueArray(whole(1, 99_999), { maxLength: 5 }),
});

test('a form without edits yields the same guardrails', () => {
  fc.assert(
    fc.property(anyGuardrails, (guardrails) => {
      expect(readForm(formOf(guardrails))).toEqual({ kind: 'guardrails', guardrails });
    }),
  );
});

const everythingOn = (
  typed: Partial<GuardrailsForm['typed']> = {},
  untouchable: number[] = [],
): GuardrailsForm => {
  const form = formOf(noGuardrails);
  return {
    on: {
      bidFactor: true,
      raise: true,
      raiseUntilEnd: true,
      campaigns: true,
      pace: true,
      spendPace: true,
      quiet: true,
    },
    typed: { ...form.typed, ...typed },
    untouchable,
  };
};

test('the initial values of every limit are valid', () => {
  const found = readForm(everythingOn());
  expect(found.kind).toBe('guardrails');
  if (found.kind === 'guardrails') expect(guardrailsSchema.safeParse(found.guardrails).success).toBe(true);
});

test.each([
  ['bidFactor', '0.5'],
  ['bidFactor', '1001'],
  ['bidFactor', '2x'],
  ['raise', '1,000'],
  ['raise', ''],
  ['raiseUntilEnd', '1,000'],
  ['campaigns', '0'],
  ['campaigns', '1.5'],
  ['paceChanges', '-1'],
  ['paceMinutes', '1441'],
  ['spendAmount', '$5'],
  ['spendHours', '169'],
  ['quietFrom', '24'],
  ['quietUntil', '22'],
] as const)('%s %j is refused at its own field only', (field, text) => {
  const found = readForm(everythingOn({ [field]: text }));
  expect(found.kind === 'wrong' && Object.keys(found.errors)).toEqual([field]);
});

test.each([
  ['7', '07'],
  ['0', '00 '],
])(
  'quiet hours from %j until %j are refused, because they begin and end in the same hour',
  (quietFrom, quietUntil) => {
    const found = readForm(everythingOn({ quietFrom, quietUntil }));
    expect(found.kind === 'wrong' && Object.keys(found.errors)).toEqual(['quietUntil']);
  },
);

test('the value of a limit that is off is not checked', () => {
  const form = everythingOn({ raise: 'nonsense' });
  expect(readForm({ ...form, on: { ...form.on, raise: false } }).kind).toBe('guardrails');
});

test('campaign ids may be separated by spaces, commas or lines and count once; other input is refused', () => {
  expect(readCids(' 12, 13\n12;14 ')).toEqual({ kind: 'cids', cids: [12, 13, 14] });
  expect(readCids('')).toEqual({ kind: 'cids', cids: [] });
  for (const wrong of ['0', '-3', '1.5', '1e3', 'abc', '9'.repeat(16)]) {
    expect(readCids(`7 ${wrong}`)).toMatchObject({ kind: 'wrong' });
  }
  const tooMany = Array.from({ length: 1001 }, (_, index) => index + 1);
  const found = readForm(everythingOn({}, tooMany));
  expect(found.kind === 'wrong' && Object.keys(found.errors)).toEqual(['untouchable']);
});

describe('the limits on the page', () => {
  function page() {
    const core = { stored: noGuardrails, refusal: null as AppError | null, savedFor: [] as string[] };
    const bridge = fakeBridge({
      'guardrails.get': () => core.stored,
      'guardrails.set': (input) => {
        if (core.refusal) throw core.refusal;
        if (!jsonEqual(input.base, core.stored)) throw new AppError('edit_conflict');
        core.stored = input.guardrails;
        core.savedFor.push(input.profileId);
        return input.guardrails;
      },
    });
    const search = createCampaignSearchStore(bridge);
    const store = createGuardrailsStore(bridge, search);
    store.getState().start();
    store.getState().show('demo');
    bridge.connect({ kind: 'connected' });
    return { core, bridge, store, search, state: () => store.getState() };
  }

  test('are stored with Save and not before', async () => {
    const { core, state } = page();
    await settled();
    state().edit();
    expect(isEditing(state())).toBe(false);
    state().setOn('campaigns', true);
    state().type('campaigns', '5');
    expect(isEditing(state())).toBe(true);
    expect(core.stored).toEqual(noGuardrails);
    expect(await state().save()).toBe(true);
    expect(core.stored.maxCampaigns).toBe(5);
    expect(core.savedFor).toEqual(['demo']);
    expect(state().form).toBeNull();
    expect(isEditing(state())).toBe(false);
  });

  test('that are invalid are not sent, and editing a field clears its error', async () => {
    const { bridge, state } = page();
    await settled();
    state().edit();
    state().setOn('pace', true);
    state().type('paceChanges', 'many');
    expect(await state().save()).toBe(false);
    expect(Object.keys(state().errors)).toEqual(['paceChanges']);
    expect(bridge.asked.map(({ name }) => name)).not.toContain('guardrails.set');
    state().type('paceChanges', '5');
    expect(state().errors).toEqual({});
  });

  test('that are refused stay as typed', async () => {
    const { core, state } = page();
    await settled();
    state().edit();
    state().protect([42]);
    core.refusal = new AppError('storage_failed');
    expect(await state().save()).toBe(false);
    expect(state().form?.untouchable).toEqual([42]);
    expect(state().refusal?.failure.code).toBe('storage_failed');
  });

  test('protect each campaign once, and stop protecting it', async () => {
    const { core, state } = page();
    await settled();
    state().edit();
    state().protect([7, 42]);
    state().protect([42, 9]);
    state().unprotect(7);
    expect(await state().save()).toBe(true);
    expect(core.stored.untouchable).toEqual([42, 9]);
  });

  test('protect the campaigns whose ids are still in the search field, and clear the field', async () => {
    const { core, search, state } = page();
    await settled();
    state().edit();
    state().protect([7]);
    search.setState({ query: ' 1042, 7 1043 ' });
    expect(await state().save()).toBe(true);
    expect(core.stored.untouchable).toEqual([7, 1042, 1043]);
    expect(search.getState().query).toBe('');
  });

  test('are not saved while the search field contains a name, which does not identify campaigns', async () => {
    const { core, search, state } = page();
    await settled();
    state().edit();
    state().setOn('pace', true);
    state().type('paceChanges', 'many');
    search.setState({ query: '1042 summer' });
    expect(await state().save()).toBe(false);
    expect(Object.keys(state().errors)).toEqual(['paceChanges', 'untouchable']);
    state().type('paceChanges', '5');
    expect(await state().save()).toBe(false);
    expect(Object.keys(state().errors)).toEqual(['untouchable']);
    expect([core.savedFor, search.getState().query]).toEqual([[], '1042 summer']);
    search.setState({ query: '  ' });
    expect(await state().save()).toBe(true);
  });

  test('of another profile are read again, and open at the requested limit', async () => {
    const { bridge, state } = page();
    await settled();
    state().show('live-1');
    expect(state().stored).toBeNull();
    state().edit('campaigns');
    await settled();
    expect(state()).toMatchObject({ profileId: 'live-1', focus: 'campaigns', stored: noGuardrails });
    expect(state().form).not.toBeNull();
    expect(bridge.asked.at(-1)).toMatchObject({ name: 'guardrails.get', input: { profileId: 'live-1' } });
  });

  test('that are being edited are not overwritten by a change elsewhere', async () => {
    const { core, bridge, state } = page();
    await settled();
    state().edit();
    state().setOn('quiet', true);
    core.stored = { ...noGuardrails, maxCampaigns: 3 };
    bridge.emit({ kind: 'agents.changed' });
    await settled();
    expect(state().form?.on).toMatchObject({ quiet: true, campaigns: false });
    expect(isOutdated(state())).toBe(true);
    state().discard();
    expect(state().form).toBeNull();
    expect(isOutdated(state())).toBe(false);
  });

  test('that nobody has edited follow what is stored elsewhere', async () => {
    const { core, bridge, state } = page();
    await settled();
    state().edit();
    core.stored = { ...noGuardrails, maxCampaigns: 3 };
    bridge.emit({ kind: 'agents.changed' });
    await settled();
    expect(state().form?.on.campaigns).toBe(true);
    expect([isEditing(state()), isOutdated(state())]).toEqual([false, false]);
  });

  /** Two people edit at once. The page learns of the other edit when its own save is refused. */
  async function conflict() {
    const opened = page();
    const { core, state } = opened;
    core.stored = { ...noGuardrails, maxBidFactor: 2, untouchable: [7, 9] };
    opened.bridge.emit({ kind: 'agents.changed' });
    await settled();
    state().edit();
    state().setOn('campaigns', true);
    state().type('campaigns', '5');
    state().unprotect(7);
    state().protect([42]);
    core.stored = { ...noGuardrails, quietHours: { fromHour: 22, untilHour: 7 }, untouchable: [7, 8, 9] };
    expect(await state().save()).toBe(false);
    await settled();
    return opened;
  }

  test('that changed elsewhere during the edit are not overwritten, and no input is lost', async () => {
    const { core, state } = await conflict();
    expect(core.savedFor).toEqual([]);
    expect(state().refusal?.failure.code).toBe('edit_conflict');
    expect(isOutdated(state())).toBe(true);
    expect(state().form).toMatchObject({ typed: { campaigns: '5' }, untouchable: [9, 42] });
  });

  test('can be saved over the changes from elsewhere, which are kept in all fields that were not edited', async () => {
    const { core, state } = await conflict();
    state().settle('mine');
    expect([isEditing(state()), isOutdated(state())]).toEqual([true, false]);
    expect(await state().save()).toBe(true);
    expect(core.stored).toEqual({
      ...noGuardrails,
      maxCampaigns: 5,
      quietHours: { fromHour: 22, untilHour: 7 },
      untouchable: [8, 9, 42],
    });
  });

  test('can be discarded in favour of the changes from elsewhere', async () => {
    const { core, state } = await conflict();
    state().settle('theirs');
    expect([isEditing(state()), isOutdated(state())]).toEqual([false, false]);
    expect(state().form).toEqual(formOf(core.stored));
  });
});

test('switching the profile asks about unsaved limits', () => {
  const isAsked = (): boolean => [...unsavedEdits].some((isUnsaved) => isUnsaved());
  const form = formOf(noGuardrails);
  guardrailsStore.setState({ form, base: noGuardrails });
  expect(isAsked()).toBe(false);
  guardrailsStore.setState({ form: { ...form, untouchable: [7] } });
  expect(isAsked()).toBe(true);
});
