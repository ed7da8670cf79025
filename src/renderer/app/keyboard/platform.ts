/** True where the command key does what Ctrl does elsewhere. */
export const isApple = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** How the key of commands is written on this machine. */
export const commandKey = isApple ? '⌘' : 'Ctrl';
