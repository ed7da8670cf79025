import { contentPolicy, type PageRole } from '#shared/host-api/index.ts';

/** What a page may do: load its own files and ask its own origin. */
const policy = contentPolicy("'self'").join('; ');

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
