export { builtPages } from './built-pages.ts';
export type { PageSource } from './built-pages.ts';
export { startBrowserHost, startBrowserHostWith } from './start-browser-host.ts';
export type { BrowserHost, BrowserHostOptions } from './start-browser-host.ts';
