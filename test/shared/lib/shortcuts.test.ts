import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type KeyPress,
  pressedShortcut,
  type ShortcutName,
  shortcuts,
  shortcutText,
} from '#shared/lib/shortcuts.ts';

const names = Object.keys(shortcuts) as ShortcutName[];
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const codes = letters.map((letter) => `Key${letter.toUpperCase()}`);

/** The characters of the keys KeyA to KeyZ in each layout, without and with Shift. */
const layouts: Readonly<Record<string, readonly [string, string]>> = {
  US: ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  German: ['abcdefghijklmnopqrstuvwxzy', 'ABCDEFGHIJKLMNOPQRSTUVWXZY'],
  AZERTY: ['qbcdefghijkl,noparstuvzxyw', 'QBCDEFGHIJKL?NOPARSTUVZXYW'],
  Dvorak: ["axje.uidchtnmbrl'poygk,qf;", 'AXJE>UIDCHTNMBRL"POYGK<QF:'],
  Russian: ['фисвуапршолдьтщзйкыегмцчня', 'ФИСВУАПРШОЛДЬТЩЗЙКЫЕГМЦЧНЯ'],
  Ukrainian: ['фисвуапршолдьтщзйкіегмцчня', 'ФИСВУАПРШОЛДЬТЩЗЙКІЕГМЦЧНЯ'],
  Greek: ['αβψδεφγηιξκλμνοπ;ρστθωςχυζ', 'ΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠ:ΡΣΤΘΩ΅ΧΥΖ'],
};
/** Layouts with another script, on which each shortcut is at its place on a US keyboard, and the US layout. */
const byPlace = ['US', 'Russian', 'Ukrainian', 'Greek'];

const held = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

function pressed(press: Partial<KeyPress>, isApple = false): ShortcutName | null {
  return pressedShortcut({ key: '', code: '', ...held, ...press }, names, isApple);
}

/** Returns the codes of the keys that trigger the shortcut in a layout. */
function codesOf(layout: string, name: ShortcutName): string[] {
  const {
    key,
    command = false,
    shift = false,
  }: { key: string; command?: boolean; shift?: unknown } = shortcuts[name];
  expect(key).toMatch(/^[a-z]$/);
  const row = [...(layouts[layout]?.[shift === true ? 1 : 0] ?? '')];
  expect(row).toHaveLength(codes.length);
  return codes.filter((code, at) => {
    const press = { ...held, key: row[at] ?? '', code, shiftKey: shift === true, ctrlKey: command };
    return pressedShortcut(press, [name], false) !== null;
  });
}

const ofLetters = names.filter((name) => /^[a-z]$/.test(shortcuts[name].key));

test.each(Object.keys(layouts))('each shortcut has exactly one key on the layout %s', (layout) => {
  const row = [...(layouts[layout]?.[0] ?? '')];
  for (const name of ofLetters) {
    const { key } = shortcuts[name];
    const place = byPlace.includes(layout) ? `Key${key.toUpperCase()}` : codes[row.indexOf(key)];
    // AZERTY has M, and Dvorak S, W, V and Z, on keys that have no letters in other layouts.
    expect([name, codesOf(layout, name)]).toEqual([name, place === undefined ? [] : [place]]);
  }
});

test.each([
  ['Z on Dvorak, where others have a slash', { key: 'z', code: 'Slash', ctrlKey: true }, 'undo'],
  ['the stop with Caps Lock', { key: 'h', code: 'KeyH', ctrlKey: true, shiftKey: true }, 'emergencyStop'],
  ['a letter with Caps Lock', { key: 'X', code: 'KeyX' }, 'selectRow'],
  ['an Arabic letter', { key: 'أ', code: 'KeyH', ctrlKey: true, shiftKey: true }, 'emergencyStop'],
  ['a Hebrew letter', { key: 'ל', code: 'KeyK', ctrlKey: true }, 'palette'],
  ['a Thai sign', { key: '็', code: 'KeyH', ctrlKey: true, shiftKey: true }, 'emergencyStop'],
  ['a Thai letter in the digit row', { key: 'ๅ', code: 'Digit1' }, 'campaigns'],
  ['a Russian letter in place of the comma', { key: 'б', code: 'Comma', ctrlKey: true }, 'menuSettings'],
  ['a digit on AZERTY, which needs Shift', { key: '1', code: 'Digit1', shiftKey: true }, 'campaigns'],
  ['a slash of a German keyboard', { key: '/', code: 'Digit7', shiftKey: true }, 'search'],
  ['an accented letter in place of 2', { key: 'é', code: 'Digit2' }, null],
  ['the sign § of a German keyboard', { key: '§', code: 'Digit3', shiftKey: true }, null],
  ['a letter that is typed with AltGr', { key: 'h', code: 'KeyH', ctrlKey: true, altKey: true }, null],
  ['a key that an input method uses', { key: 'Process', code: 'KeyH', ctrlKey: true }, null],
  ['the stop without Shift', { key: 'h', code: 'KeyH', ctrlKey: true }, null],
  ['the earlier key of the emergency stop', { key: 'F', code: 'KeyF', ctrlKey: true, shiftKey: true }, null],
] as const)('shortcuts work with %s', (_case, press, name) => {
  expect(pressed(press)).toBe(name);
});

test('on a Mac the Command key is used, not Control', () => {
  const stop = { key: 'H', code: 'KeyH', shiftKey: true };
  expect(pressed({ ...stop, metaKey: true }, true)).toBe('emergencyStop');
  expect(pressed({ ...stop, ctrlKey: true }, true)).toBeNull();
  expect(pressed({ ...stop, ctrlKey: true, metaKey: true }, true)).toBeNull();
});

test('the guide names the shortcut of the emergency stop', () => {
  const guide = readFileSync('docs/guide/05-emergency-stop.md', 'utf8').replace(/\s+/g, ' ');
  expect(guide).toContain(
    `${shortcutText('emergencyStop', false)}, on a Mac ${shortcutText('emergencyStop', true)}`,
  );
});
