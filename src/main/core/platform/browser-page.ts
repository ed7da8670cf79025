import { createHash } from 'node:crypto';

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[] | null;

/** A template whose values cannot become markup. Attribute values must be written in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (const [at, part] of parts.entries()) text += `${written(part)}${strings[at + 1] ?? ''}`;
  return new Markup(text);
}

function written(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map((one) => one.text).join('');
  return String(part).replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

export const sealPicture = html`<svg viewBox="0 0 512 512" aria-hidden="true">
  <path
    fill="#2547a8"
    d="M256.0 34.0A71.2 71.2 0 0 1 367.0 63.7A71.2 71.2 0 0 1 448.3 145.0A71.2 71.2 0 0 1 478.0 256.0A71.2 71.2 0 0 1 448.3 367.0A71.2 71.2 0 0 1 367.0 448.3A71.2 71.2 0 0 1 256.0 478.0A71.2 71.2 0 0 1 145.0 448.3A71.2 71.2 0 0 1 63.7 367.0A71.2 71.2 0 0 1 34.0 256.0A71.2 71.2 0 0 1 63.7 145.0A71.2 71.2 0 0 1 145.0 63.7A71.2 71.2 0 0 1 256.0 34.0Z"
  />
  <g fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round" stroke-width="46">
    <path d="M349.6 375.8A152 152 0 1 1 327.4 121.8" />
    <path d="M202 254l58 60L410 146" />
  </g>
</svg>`;

const commonRules = `
:root {
  color-scheme: light dark;
  --page: #f4f5f8; --card: #ffffff; --sunken: #fafbfc; --line: #e3e6eb; --text: #131922; --soft: #565f6d;
  --ink: #1f3d94; --ink-soft: #edf2fd;
  --float: 0 1px 2px rgb(19 25 34 / 6%), 0 8px 24px rgb(19 25 34 / 8%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #181d24; --sunken: #12161c; --line: #272e38; --text: #f0f3f6; --soft: #a3adba;
    --ink: #4169d8; --ink-soft: #18233d;
    --float: 0 0 0 1px rgb(255 255 255 / 4%), 0 12px 32px rgb(0 0 0 / 40%);
  }
}
* { box-sizing: border-box; }
html { border-top: 2px solid var(--ink); background: var(--page); }
body {
  margin: 0; padding: 32px 16px; display: grid; justify-items: center; gap: 16px; background: var(--page); color: var(--text);
  font: 400 15px/24px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; -webkit-text-size-adjust: 100%;
}
header, main, footer { width: 100%; max-width: 560px; min-width: 0; }
header { display: flex; align-items: center; gap: 8px; padding: 0 4px; font-size: 13px; line-height: 20px; font-weight: 600; }
header svg { width: 20px; height: 20px; flex: none; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 6px; box-shadow: var(--float); overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; }
footer { padding: 0 4px; color: var(--soft); font-size: 12px; line-height: 16px; }
`;

export interface PageStyle {
  element: Markup;
  /** The style's hash as a source expression (CSP 3 §6.7.3). */
  source: string;
}

export function createPageStyle(ownRules: string): PageStyle {
  const rules = `${commonRules}${ownRules}`;
  return {
    element: new Markup(`<style>${rules}</style>`),
    source: `'sha256-${createHash('sha256').update(rules).digest('base64')}'`,
  };
}

export interface BrowserPage {
  style: PageStyle;
  site: string;
  title: string;
  header?: Markup;
  card: Markup;
  footer?: Markup | string | null;
}

export function browserPage({ style, site, title, header, card, footer = null }: BrowserPage): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – ${site}</title>
        ${style.element}
      </head>
      <body>
        <header>${header ?? html`${sealPicture}${site}`}</header>
        <main>${card}</main>
        ${footer === null ? null : html`<footer>${footer}</footer>`}
      </body>
    </html> `;
}

/** Headers that forbid scripts, loads, frames and caching. Forms may be sent only to `formTargets`, `'none'` by default. */
export function browserPageHeaders(
  style: PageStyle,
  { formTargets = "'none'", referrerPolicy = 'no-referrer' } = {},
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${style.source}; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
    'x-frame-options': 'DENY',
    'referrer-policy': referrerPolicy,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
