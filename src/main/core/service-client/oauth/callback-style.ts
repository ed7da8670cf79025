import { createHash } from 'node:crypto';

const style = `
:root {
  color-scheme: light dark;
  --page: #f4f5f8; --card: #ffffff; --line: #e3e6eb; --text: #131922; --soft: #565f6d; --ink: #1f3d94;
  --float: 0 1px 2px rgb(19 25 34 / 6%), 0 8px 24px rgb(19 25 34 / 8%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #181d24; --line: #272e38; --text: #f0f3f6; --soft: #a3adba; --ink: #4169d8;
    --float: 0 0 0 1px rgb(255 255 255 / 4%), 0 12px 32px rgb(0 0 0 / 40%);
  }
}
* { box-sizing: border-box; }
html { border-top: 2px solid var(--ink); background: var(--page); }
body {
  margin: 0; padding: 32px 16px; display: grid; justify-items: center; gap: 16px; color: var(--text);
  font: 400 15px/24px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  -webkit-text-size-adjust: 100%;
}
header, main { width: 100%; max-width: 560px; }
header { display: flex; align-items: center; gap: 8px; padding: 0 4px; font-size: 13px; line-height: 20px; font-weight: 600; }
header svg { width: 20px; height: 20px; flex: none; }
main { padding: 20px 24px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; box-shadow: var(--float); }
h1 { margin: 0; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; }
p { margin: 4px 0 0; color: var(--soft); }
`;

/** The look of the page: the colours and sizes of the app, by the system's fonts, light and dark. */
export const callbackStyle = `<style>${style}</style>`;

/** How the content policy names it (CSP 3 §6.7.3). */
export const callbackStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
