import { html, type Markup } from '#core/platform/html.ts';
import { sealPicture } from '#core/platform/seal-picture.ts';
import { styleElement } from './style.ts';

/** One page: the app's name, one card, and a word below it. */
export function layout(page: { title: string; card: Markup; footer: string }): Markup {
  const { title, card, footer } = page;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Countersign</title>
        ${styleElement}
      </head>
      <body>
        <header>${sealPicture}Countersign</header>
        <main>${card}</main>
        <footer>${footer}</footer>
      </body>
    </html> `;
}
