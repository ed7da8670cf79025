import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Settings } from '#electron/platform/settings.ts';
import { createHiding, type HiddenPlace } from '#electron/windows/title-and-closing.ts';
import { settingsSchema } from '#shared/host-api/index.ts';

class FakeWindow extends EventEmitter {
  readonly done: string[] = [];
  gone = false;
  private full: boolean;

  constructor(full = false) {
    super();
    this.full = full;
  }

  isDestroyed = (): boolean => this.gone;
  isFullScreen = (): boolean => this.full;
  setFullScreen = (on: boolean): void => void this.done.push(`full screen ${on ? 'on' : 'off'}`);
  hide = (): void => void this.done.push('hidden');

  /** Ends the full-screen animation of the system. */
  left(): void {
    this.full = false;
    this.emit('leave-full-screen');
  }
}

function kept(found: unknown = {}): Pick<Settings, 'get' | 'set'> {
  const values = settingsSchema.parse(found);
  return { get: (key) => values[key], set: (key, value) => void (values[key] = value) };
}
const explained = () => kept({ hidingExplained: true });

/** Hides windows on this system. `said` gets the explanation; by default the person reads it at once. */
function hiding(
  platform: NodeJS.Platform,
  settings: Pick<Settings, 'get' | 'set'>,
  read = Promise.resolve(),
) {
  const said: HiddenPlace[] = [];
  const hide = createHiding<FakeWindow>({
    platform,
    settings,
    explain: (_window, place) => {
      said.push(place);
      return read;
    },
  });
  return { hide, said };
}

test('a full screen window on macOS leaves full screen before it is hidden', async () => {
  const window = new FakeWindow(true);
  await hiding('darwin', explained()).hide(window);
  expect(window.done).toEqual(['full screen off']);
  window.left();
  expect(window.done).toEqual(['full screen off', 'hidden']);
});

test.each([
  ['macOS, not in full screen', 'darwin', false],
  ['Windows, in full screen', 'win32', true],
] as const)('a window on %s is hidden immediately', async (_, platform, full) => {
  const window = new FakeWindow(full);
  await hiding(platform, explained()).hide(window);
  expect(window.done).toEqual(['hidden']);
});

test.each([
  ['darwin', 'menu bar'],
  ['win32', 'taskbar'],
  ['linux', 'tray'],
] as const)(
  'the first time, the user is told where the app keeps running, and never again: %s',
  async (platform, where) => {
    const settings = kept();
    const window = new FakeWindow();
    const first = hiding(platform, settings);
    await first.hide(window);
    await first.hide(window);
    await hiding(platform, settings).hide(window);
    expect(first.said).toHaveLength(1);
    expect(first.said[0]?.detail).toContain(where);
    expect(first.said[0]?.detail).toContain('Quit Countersign');
    expect(window.done).toEqual(['hidden', 'hidden', 'hidden']);
  },
);

test('the window stays open during that message, which is shown once, and an ended window is ignored', async () => {
  const read = Promise.withResolvers<void>();
  const window = new FakeWindow();
  const { hide, said } = hiding('win32', kept(), read.promise);
  const first = hide(window);
  await hide(window);
  expect(window.done).toEqual([]);
  expect(said).toHaveLength(1);
  window.gone = true;
  read.resolve();
  await first;
  expect(window.done).toEqual([]);
});
