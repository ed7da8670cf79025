import { createHash } from 'node:crypto';
import { Markup } from '#core/platform/html.ts';

/** The look of the pages: the colours and sizes of the app, by the system's fonts, light and dark. */
const style = `
:root {
  color-scheme: light dark;
  --page: #f4f5f8; --card: #ffffff; --sunken: #fafbfc; --line: #e3e6eb; --text: #131922; --soft: #565f6d;
  --ink: #1f3d94; --ink-soft: #edf2fd;
  --float: 0 1px 2px rgb(19 25 34 / 6%), 0 8px 24px rgb(19 25 34 / 8%);
  --sans: 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: 'JetBrains Mono', ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #181d24; --sunken: #12161c; --line: #272e38; --text: #f0f3f6; --soft: #a3adba;
    --ink: #a9c0ff; --ink-soft: #18233d;
    --float: 0 0 0 1px rgb(255 255 255 / 4%), 0 12px 32px rgb(0 0 0 / 40%);
  }
}
* { box-sizing: border-box; }
html { border-top: 2px solid var(--ink); background: var(--page); }
body {
  min-height: calc(100vh - 2px); margin: 0; padding: 32px 16px; display: grid; place-content: center; justify-items: center; gap: 16px;
  background: var(--page); color: var(--text); font: 400 15px/24px var(--sans); -webkit-text-size-adjust: 100%;
}
header, main, footer { width: min(520px, calc(100vw - 32px)); min-width: 0; }
header { display: flex; align-items: center; gap: 8px; padding: 0 4px; font-size: 13px; line-height: 20px; font-weight: 600; }
header svg { width: 20px; height: 20px; flex: none; }
main {
  padding: 24px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); box-shadow: var(--float);
  overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; text-wrap: pretty; }
p { margin: 8px 0 0; color: var(--soft); }
p b { color: var(--text); font-weight: 600; unicode-bidi: isolate; }
.words {
  margin: 20px 0; padding: 20px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--ink);
  font: 600 28px/32px var(--mono); letter-spacing: -0.02em; text-align: center;
}
.waits { display: flex; align-items: center; gap: 8px; margin-top: 0; font-size: 13px; line-height: 20px; }
.waits::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 999px; background: var(--ink); }
footer { padding: 0 4px; color: var(--soft); font-size: 12px; line-height: 16px; text-wrap: pretty; }
@media (max-width: 480px) {
  body { padding: 16px; place-content: start center; }
  main { padding: 16px; }
  .words { font-size: 20px; line-height: 28px; }
}
`;

/** The style sheet as an element, to the byte as its hash says. */
export const styleElement = new Markup(`<style>${style}</style>`);

/** How the content policy names it (CSP 3 §6.7.3). */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
