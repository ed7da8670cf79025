import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import type { Scene } from './scene.ts';

interface Drawn {
  name: string;
  scene: Scene;
  file: string;
  /** The largest text in view, and its size in CSS pixels. */
  largest: { text: string; size: number };
  /** The text of the most severe warning; empty if there is none. */
  weight: string;
}

/** A table of every confirmation with its screenshot, for comparison by people. */
export interface Table {
  add(page: Page, drawn: Omit<Drawn, 'file'>): Promise<void>;
  /** Writes `index.html` into the folder of the screenshots. */
  write(): void;
}

/** Creates a table with its screenshots in this folder. Without a folder it stores nothing. */
export function createTable(folder: string | undefined): Table {
  const all = new Map<string, Drawn>();
  if (folder === undefined) return { add: async () => {}, write: () => {} };
  mkdirSync(folder, { recursive: true });
  return {
    async add(page, drawn) {
      const file = `${drawn.name} ${drawn.scene.theme} ${drawn.scene.zoom}.png`;
      await page.screenshot({ path: join(folder, file), animations: 'disabled' });
      all.set(file, { ...drawn, file });
    },
    write: () => writeFileSync(join(folder, 'index.html'), htmlOf([...all.values()])),
  };
}

function htmlOf(all: readonly Drawn[]): string {
  const rows = [...Map.groupBy(all, ({ name }) => name)].map(
    ([name, scenes]) => `<tr><th>${escaped(name)}</th>${scenes.map(cellOf).join('')}</tr>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Planted faults and harmless changes</title>
<style>body{font:13px system-ui}td,th{padding:8px;vertical-align:top;text-align:left}img{width:380px;border:1px solid #999}</style>
<table>${rows.join('\n')}</table>
`;
}

function cellOf({ scene, file, largest, weight }: Drawn): string {
  const facts = [`${scene.theme}, ${scene.zoom} %`, `${largest.size} px: ${largest.text}`, weight];
  return `<td><img src="${encodeURIComponent(file)}" alt=""><br>${facts.filter(Boolean).map(escaped).join('<br>')}</td>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
