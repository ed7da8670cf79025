import { expect, test } from 'vitest';
import { windowTitle } from '#renderer/app/profile-words.ts';

test('the window title begins with Demo or LIVE and the profile', () => {
  expect(windowTitle({ kind: 'live', name: 'Meridian' })).toBe('LIVE · “Meridian” — Countersign');
  expect(windowTitle({ kind: 'demo', name: 'Northwind Media' })).toBe(
    'Demo · “Northwind Media” — Countersign',
  );
  expect(windowTitle(undefined)).toBe('Countersign');
});

test('a profile name cannot reverse the text direction of the title', () => {
  expect(windowTitle({ kind: 'live', name: '\u202Eomed' })).toBe('LIVE · “⟨U+202E⟩omed” — Countersign');
});

test('a name cannot end its quotation in the title', () => {
  expect(windowTitle({ kind: 'demo', name: 'a” · LIVE “b' })).toBe('Demo · “a" · LIVE "b” — Countersign');
});
