import { html, type Markup } from '#core/platform/html.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { layout } from './layout.ts';

/** Everything that the browser is told while a person decides in the app's own window; nothing can be answered on it. */
export interface WaitingPage {
  /** As the agent calls itself: foreign text. */
  name: string;
  words: string;
}

/** Shows the two words that the window repeats. Whose account it is about stands in the window only. */
export function waitingPage({ name, words }: WaitingPage): Markup {
  const card = html`<h1>Countersign asks you in its own window</h1>
    <p>
      A program that calls itself <b>${quoted(name)}</b> wants to be let in. Compare these two words with
      those in the window. Let it in only if they are the same.
    </p>
    <div class="words">${words}</div>
    <p class="waits" role="status">Waiting for you. This page goes on by itself.</p>`;
  return layout({
    title: 'Waiting for you',
    card,
    footer: 'If you did not connect a program just now, deny it in the window and close this page.',
  });
}

/** What happened, and what to do next. */
export function messagePage({ title, text }: { title: string; text: string }): Markup {
  const card = html`<h1>${title}</h1>
    <p>${text}</p>`;
  return layout({ title, card, footer: 'Nothing can be decided on this page.' });
}
