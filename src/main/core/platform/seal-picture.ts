import { html } from './html.ts';

/** The app's mark, for the pages of a browser. Decoration: the name stands beside it. */
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
