/**
 * What closing the app's window means. Where every desktop has a tray or a dock the app stays, so that proposals still
 * reach a person; many Linux desktops show no tray, and an app without a window or tray could not be found again.
 */
export function closeMeans(platform: NodeJS.Platform): 'quit' | 'hide' {
  return platform === 'darwin' || platform === 'win32' ? 'hide' : 'quit';
}
