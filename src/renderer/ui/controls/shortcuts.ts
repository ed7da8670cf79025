import { useEffect, useEffectEvent } from 'react';
import {
  type KeyPress,
  pressedShortcut,
  shortcutKeys,
  type ShortcutName,
  shortcutText,
} from '#shared/lib/shortcuts.ts';

export const isApple = /Mac|iPhone|iPad/u.test(navigator.userAgent);

export const shortcutOf = <Name extends ShortcutName>(press: KeyPress, names: readonly Name[]): Name | null =>
  pressedShortcut(press, names, isApple);

const rowKeys = { nextRow: 'ArrowDown', previousRow: 'ArrowUp', selectRow: ' ' } as const;

/** Returns one of `names`, or the key. J, K and X are mapped to arrow down, arrow up and Space. */
export function tableKeyOf(press: KeyPress, names: readonly ShortcutName[]): string {
  const name = shortcutOf(press, [...names, 'nextRow', 'previousRow', 'selectRow']);
  if (name === null) return press.key;
  return name in rowKeys ? rowKeys[name as keyof typeof rowKeys] : name;
}

export const keysOf = (name: ShortcutName): string[] => shortcutKeys(name, isApple);

export const shortcutWords = (name: ShortcutName): string => shortcutText(name, isApple);

/** Listens in the capture phase, so that no part of the page can stop a key first. */
export function useWindowKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useEffectEvent(press);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => latest(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

/** Text fields, and menus and lists that support type-ahead, where a letter must not act as a shortcut. */
const takesLetters = 'input:not([type=checkbox]), textarea, [contenteditable], [role=menu], [role=listbox]';

/** True if plain keys belong to the focused element and are no shortcuts. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(takesLetters) !== null;
