export {
  createAppWindow,
  type AppWindow,
  type AppWindowOptions,
  living,
  openingPlace,
  rememberPlace,
  windowIcon,
} from './app-window.ts';
export { ignoreHints, setUpGuards } from './guards.ts';
export { createLinkGuard, type Links, type LinksOptions } from './links.ts';
export { securePreferences } from './page-rules.ts';
export { closeMeans, windowColour, windowTitle } from './title-and-closing.ts';
