/**
 * `node scripts/demo-pictures.ts`: draws icons and main images of the demo's advertisers with Chromium, into
 * src/main/core/backend/demo-data/pictures.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { offers, pictureFile, pictureVariants } from '#core/backend/demo-data/offers.ts';
import { scenes, type Scene } from './demo-pictures/scenes.ts';
import { findChromium } from './lib/find-chromium.ts';
import { projectRoot } from './lib/run-tool.ts';

const folder = join(projectRoot, 'src/main/core/backend/demo-data/pictures');
const fontFile = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const font = readFileSync(join(projectRoot, fontFile), 'base64');

const maxBytes = 12 * 1024;
const qualities = [90, 82, 74, 66];

const sizes = { icon: { width: 192, height: 192 }, image: { width: 492, height: 328 } } as const;

const found = await findChromium();
if (found === null) throw new Error('No Chromium was found. Name one in $CHROMIUM.');
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
mkdirSync(folder, { recursive: true });
const page = await browser.newPage();
let [count, total] = [0, 0];
for (const offer of offers) {
  const scene = scenes.find(({ brand }) => brand === offer.brand);
  if (scene === undefined) throw new Error(`${offer.brand} has no scene`);
  for (const [at, variant] of pictureVariants.entries()) {
    for (const kind of ['icon', 'image'] as const) {
      const content = await picture(page, kind, pageOf(scene, kind, at));
      writeFileSync(join(folder, pictureFile(offer, kind, variant)), content);
      count += 1;
      total += content.length;
    }
  }
}
await browser.close();
process.stdout.write(`${count} pictures, ${Math.round(total / 1024)} KiB\n`);

async function picture(on: Page, kind: keyof typeof sizes, html: string): Promise<Buffer> {
  await on.setViewportSize(sizes[kind]);
  await on.setContent(html);
  await on.evaluate('document.fonts.ready');
  const session = await on.context().newCDPSession(on);
  for (const quality of qualities) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const content = Buffer.from(data, 'base64');
    if (content.length <= maxBytes) return content;
  }
  throw new Error(`A picture is larger than ${maxBytes} bytes: ${html.slice(-400)}`);
}

function pageOf(scene: Scene, kind: keyof typeof sizes, at: number): string {
  const { headline, colours } = scene.variants[at === 0 ? 0 : 1];
  const { from, to, ink, accent } = colours;
  const drawing = `<svg viewBox="0 0 200 200" overflow="visible">${scene.draw(colours)}</svg>`;
  const words = `
    <div class="words">
      <b>${scene.brand.replace('&', '&amp;')}</b>
      <h1>${headline.replace('\n', '<br>')}</h1>
      <span>${scene.action}</span>
    </div>`;
  return `<!doctype html><style>
    @font-face { font-family: Inter; src: url(data:font/woff2;base64,${font}); font-weight: 100 900; }
    * { margin: 0; box-sizing: border-box; font-family: Inter; }
    body { position: relative; height: 100vh; overflow: hidden; color: ${ink}; background: linear-gradient(135deg, ${from}, ${to}); }
    svg { position: absolute; }
    .icon svg { inset: 12px; width: 168px; height: 168px; }
    .image svg { width: 268px; height: 268px; top: 30px; right: 12px; }
    .image.mirrored svg { right: auto; left: 12px; }
    .words { position: absolute; left: 26px; top: 26px; bottom: 26px; width: 210px; display: flex; flex-direction: column; align-items: flex-start; }
    .mirrored .words { left: 296px; width: 180px; }
    b { font-size: 14px; font-weight: 700; letter-spacing: .02em; opacity: .85; }
    h1 { margin: auto 0; font-size: 30px; line-height: 1.12; font-weight: 800; letter-spacing: -.02em; }
    .mirrored h1 { font-size: 27px; }
    span { padding: 9px 16px; border-radius: 999px; font-size: 14px; font-weight: 700; color: ${buttonInk(accent)}; background: ${accent}; }
  </style><body class="${kind}${at === 0 ? '' : ' mirrored'}">${drawing}${kind === 'icon' ? '' : words}</body>`;
}

function buttonInk(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? '#141a26' : '#ffffff';
}
