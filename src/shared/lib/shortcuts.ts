interface Shortcut {
  /** The key on a US keyboard, in lower case: `k`. */
  key: string;
  command?: boolean;
  /** For letters only: signs and digits need Shift on some keyboards. */
  shift?: boolean | 'either';
}

/** Every shortcut with a letter, digit or sign. Keys that all keyboards have (arrows, Enter, Escape) are not listed. */
export const shortcuts = {
  /** Ctrl+Shift+F is taken: in input methods it switches between Chinese scripts. */
  emergencyStop: { key: 'h', command: true, shift: true },
  palette: { key: 'k', command: true },
  undo: { key: 'z', command: true },
  redo: { key: 'z', command: true, shift: true },
  selectAll: { key: 'a', command: true },
  copyCells: { key: 'c', command: true },
  fillDown: { key: 'd', command: true },
  search: { key: '/' },
  shortcutList: { key: '?' },
  campaigns: { key: '1' },
  drafts: { key: '2' },
  proposals: { key: '3' },
  reports: { key: '4' },
  schedules: { key: '5' },
  ledger: { key: '6' },
  agents: { key: '7' },
  menuSearch: { key: 'f', command: true },
  menuShortcutList: { key: '/', command: true },
  menuCampaigns: { key: '1', command: true },
  menuDrafts: { key: '2', command: true },
  menuProposals: { key: '3', command: true },
  menuReports: { key: '4', command: true },
  menuSchedules: { key: '5', command: true },
  menuLedger: { key: '6', command: true },
  menuAgents: { key: '7', command: true },
  menuSettings: { key: ',', command: true },
  nextRow: { key: 'j', shift: 'either' },
  previousRow: { key: 'k', shift: 'either' },
  selectRow: { key: 'x' },
  editRow: { key: 'e' },
  onlyValue: { key: 'o' },
  excludeValue: { key: 'e' },
  alertMe: { key: 'a' },
  reviewTogether: { key: 't' },
  reviewSingly: { key: 's' },
  reviewNext: { key: 'n' },
  reviewPrevious: { key: 'p' },
  reviewLater: { key: 'l' },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutName = keyof typeof shortcuts;

export interface KeyPress {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The first matching shortcut, or null. On a Cyrillic or Greek layout the physical key is compared. */
export function pressedShortcut<Name extends ShortcutName>(
  press: KeyPress,
  names: readonly Name[],
  isApple: boolean,
): Name | null {
  const key = latinKey(press);
  const isCommanded = isApple ? press.metaKey : press.ctrlKey;
  if (press.altKey || (isApple ? press.ctrlKey : press.metaKey)) return null;
  const means = (name: Name): boolean => {
    const { key: wanted, command = false, shift = false }: Shortcut = shortcuts[name];
    if (key !== wanted || isCommanded !== command) return false;
    return shift === 'either' || !isLatinLetter(wanted) || press.shiftKey === shift;
  };
  return names.find(means) ?? null;
}

export function shortcutKeys(name: ShortcutName, isApple: boolean): string[] {
  const { key, command = false, shift = false }: Shortcut = shortcuts[name];
  return [...(command ? [isApple ? '⌘' : 'Ctrl'] : []), ...(shift === true ? ['⇧'] : []), key.toUpperCase()];
}

export const shortcutText = (name: ShortcutName, isApple: boolean): string =>
  shortcutKeys(name, isApple).join(' + ').replace('⇧', 'Shift');

const isLatinLetter = (key: string): boolean => /^[a-z]$/u.test(key);

const isOfAnotherScript = (key: string): boolean =>
  /^[\p{L}\p{M}]/u.test(key) && !/^\p{Script=Latin}/u.test(key);

const signs: Readonly<Record<string, string>> = { Comma: ',', Slash: '/' };

function latinKey({ key, code }: KeyPress): string {
  if (!isOfAnotherScript(key)) return key.toLowerCase();
  return signs[code] ?? code.replace(/^(?:Key|Digit)/u, '').toLowerCase();
}
