import { z } from 'zod';
import { profileSchema, shownFormatsSchema } from '../app-api/index.ts';
import { campaignRowSchema } from '../contract/index.ts';

/** The most rows that a large screen shows without scrolling. */
export const maxFirstRows = 80;

/**
 * The rows and counts that a page draws before the core answers. Contains nothing that is not in the campaign cache or in the
 * profile, and no credential.
 */
export const firstScreenSchema = z.strictObject({
  /** The version of the app that wrote the file. Other versions ignore the file. */
  version: z.string().max(100),
  keptAtMs: z.int(),
  profile: profileSchema,
  /** The origins of the profile's addresses, which the administrator's policy may forbid. */
  origins: z.array(z.string().max(500)).max(3),
  formats: shownFormatsSchema,
  rows: z.array(campaignRowSchema).min(1).max(maxFirstRows),
  total: z.int().min(1),
  readAtMs: z.int(),
  waiting: z.int().min(0),
  drafts: z.int().min(0),
});

export type FirstScreen = z.infer<typeof firstScreenSchema>;

/** Puts the screen into an inert element, which the page finds by its id. Escapes `<`, so that no text of a campaign ends it. */
export function withFirstScreen(html: string, screen: FirstScreen | null): string {
  if (screen === null) return html;
  const json = JSON.stringify(screen).replaceAll('<', String.raw`\u003c`);
  const element = `<script type="application/json" id="first-screen">${json}</script>`;
  return html.replace('</head>', () => `${element}</head>`);
}
