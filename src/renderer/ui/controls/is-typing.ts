/** Fields, and menus and lists that are gone through by typing. */
const takesLetters = 'input:not([type=checkbox]), textarea, [contenteditable], [role=menu], [role=listbox]';

/** True where a plain key belongs to what has the focus, so that it is no shortcut of the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(takesLetters) !== null;
