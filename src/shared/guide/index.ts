/** A part of a line. It is text only: nothing in the guide is ever interpreted as markup. */
export type GuideInline =
  | { kind: 'text'; text: string }
  | { kind: 'label'; text: string }
  | { kind: 'emphasis'; text: string }
  | { kind: 'code'; text: string }
  /** `href` is a place in the app: a section such as `#/guide/…`, or another page. */
  | { kind: 'link'; href: string; text: string };

export type GuideBlock =
  | { kind: 'paragraph'; line: GuideInline[] }
  | { kind: 'note'; line: GuideInline[] }
  | { kind: 'list'; ordered: boolean; items: GuideInline[][] }
  | { kind: 'table'; head: GuideInline[][]; rows: GuideInline[][][] }
  | { kind: 'code'; text: string };

export interface GuideSection {
  id: string;
  title: string;
  blocks: GuideBlock[];
}

export interface GuideChapter {
  id: string;
  title: string;
  blocks: GuideBlock[];
  sections: GuideSection[];
}

/** The id of a chapter or of a section: `agents`, `agents/connect-an-agent`. */
export type GuidePlace = string;

export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
}

export function placeExists(chapters: readonly GuideChapter[], place: GuidePlace): boolean {
  const [id, section] = place.split('/');
  const chapter = chapters.find((one) => one.id === id);
  return (
    chapter !== undefined && (section === undefined || chapter.sections.some((one) => one.id === section))
  );
}

function guideText(blocks: readonly GuideBlock[]): string {
  return blocks.map((block) => linesOf(block).map(textOf).join(' ')).join(' ');
}

function linesOf(block: GuideBlock): GuideInline[][] {
  switch (block.kind) {
    case 'list':
      return block.items;
    case 'table':
      return [...block.head, ...block.rows.flat()];
    case 'code':
      return [[{ kind: 'code', text: block.text }]];
    default:
      return [block.line];
  }
}

function textOf(line: readonly GuideInline[]): string {
  return line.map(({ text }) => text).join('');
}

export interface GuideMatch {
  place: GuidePlace;
  title: string;
}

/** Returns places that contain every word of a search, headings first. At most `max`. */
export function findInGuide(chapters: readonly GuideChapter[], search: string, max: number): GuideMatch[] {
  const wanted = wordsOf(search);
  if (wanted.length === 0) return [];
  const places = chapters.flatMap(({ id, title, blocks, sections }) => [
    { place: id, title, text: guideText(blocks) },
    ...sections.map((section) => ({
      place: `${id}/${section.id}`,
      title: `${title} › ${section.title}`,
      text: guideText(section.blocks),
    })),
  ]);
  const hasAll = (text: string): boolean => {
    const words = wordsOf(text);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  };
  const inHeading = places.filter(({ title }) => hasAll(title));
  const inText = places.filter((one) => !inHeading.includes(one) && hasAll(`${one.title} ${one.text}`));
  return [...inHeading, ...inText].slice(0, max).map(({ place, title }) => ({ place, title }));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
