import type { PageRole } from './page-source.ts';

/** What a page may do: load its own files and ask its own origin. Nothing may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The headers of every file that an origin serves. */
export function pageHeaders(role: PageRole): Record<string, string> {
  return {
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    // The app page parts from whoever opened it, but keeps the window that it opens itself: a second review reuses
    // the confirmation window by its name, which only works while that window does not part from its opener.
    'cross-origin-opener-policy': role === 'app' ? 'same-origin-allow-popups' : 'unsafe-none',
  };
}
