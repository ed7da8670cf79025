export { builtPages } from './pages/built-pages.ts';
export type { PageSource } from './pages/page-source.ts';
export { startBrowserHost, startBrowserHostWith } from './start-browser-host.ts';
export type { BrowserHost, BrowserHostOptions } from './start-browser-host.ts';
