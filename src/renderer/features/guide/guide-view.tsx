import { type ReactElement, useEffect, useRef } from 'react';
import { isTraining, uiStore } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { Button, cx, Icon, PageFrame, common, pages } from '#renderer/ui/index.ts';
import {
  type GuideChapter,
  type GuideBlock,
  type GuideInline,
  findInGuide,
  type GuidePlace,
} from '#shared/guide/index.ts';
import styles from './guide.module.css';
import { assertNever } from '#shared/lib/assert-never.ts';
import { chapters } from 'virtual:guide';

export function GuideView({ place }: { place: string | null }): ReactElement {
  const chapter = chapterOf(place);
  const section = place?.split('/')[1] ?? null;
  return (
    <PageFrame title="Guide" count={null} actions={!isTraining() && gettingStarted}>
      <div className={styles.columns}>
        <Contents current={chapter} section={section} />
        {chapter && <Chapter key={chapter.id} chapter={chapter} section={section} />}
      </div>
    </PageFrame>
  );
}

const gettingStarted = (
  <Button icon="start" onClick={() => uiStore.getState().show('first-start')}>
    Getting started
  </Button>
);

function Contents(props: { current: GuideChapter | undefined; section: string | null }): ReactElement {
  const { current, section } = props;
  return (
    <nav className={styles.contents} aria-label="Contents">
      <ul>
        {chapters.map((chapter) => (
          <li key={chapter.id}>
            <a
              className={cx(styles.entry, chapter === current && styles.open)}
              href={routeHref({ page: 'guide', place: chapter.id })}
              aria-current={chapter === current && section === null ? 'page' : undefined}
            >
              {chapter.title}
            </a>
            {chapter === current && (
              <ul>
                {chapter.sections.map(({ id, title }) => (
                  <li key={id}>
                    <a
                      className={cx(styles.entry, common.small, styles.below, id === section && styles.here)}
                      href={routeHref({ page: 'guide', place: `${chapter.id}/${id}` })}
                      aria-current={id === section ? 'page' : undefined}
                    >
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Chapter({ chapter, section }: { chapter: GuideChapter; section: string | null }): ReactElement {
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    const heading = page.current?.querySelector<HTMLElement>(
      section === null ? 'h2' : `[id="guide-${CSS.escape(section)}"]`,
    );
    heading?.focus({ preventScroll: true });
    if (section === null) page.current?.scrollTo(0, 0);
    else heading?.scrollIntoView({ block: 'start' });
  }, [section]);
  const next = chapters[chapters.indexOf(chapter) + 1];
  return (
    <article ref={page} className={styles.chapter}>
      <div className={cx(common.stack4, pages.lead, styles.text)}>
        <h2 className={cx(pages.title, styles.title)} tabIndex={-1}>
          {chapter.title}
        </h2>
        <GuideBlocks blocks={chapter.blocks} />
        {chapter.sections.map(({ id, title, blocks }) => (
          <section key={id} className={common.stack4} aria-labelledby={`guide-${id}`}>
            <h3 className={styles.heading} id={`guide-${id}`} tabIndex={-1}>
              {title}
            </h3>
            <GuideBlocks blocks={blocks} />
          </section>
        ))}
        {next && (
          <p className={styles.next}>
            <a href={routeHref({ page: 'guide', place: next.id })}>
              Next: {next.title} <Icon name="arrow-right" size={14} />
            </a>
          </p>
        )}
      </div>
    </article>
  );
}

function GuideBlocks({ blocks }: { blocks: readonly GuideBlock[] }): ReactElement {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </>
  );
}

function Block({ block }: { block: GuideBlock }): ReactElement {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Line line={block.line} />
        </p>
      );
    case 'note':
      return (
        <p className={styles.note}>
          <Icon name="info" size={14} />
          <span>
            <Line line={block.line} />
          </span>
        </p>
      );
    case 'list':
      return <List items={block.items} ordered={block.ordered} />;
    case 'table':
      return <Table head={block.head} rows={block.rows} />;
    case 'code':
      return <pre className={cx(pages.framed, styles.code)}>{block.text}</pre>;
    default:
      return assertNever(block);
  }
}

function List({ items, ordered }: { items: GuideInline[][]; ordered: boolean }): ReactElement {
  const entries = items.map((line, index) => (
    <li key={index}>
      <Line line={line} />
    </li>
  ));
  return ordered ? <ol className={styles.steps}>{entries}</ol> : <ul className={styles.points}>{entries}</ul>;
}

function Table({ head, rows }: { head: GuideInline[][]; rows: GuideInline[][][] }): ReactElement {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map((line, index) => (
            <th key={index} scope="col">
              <Line line={line} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((line, index) => (
              <td key={index}>
                <Line line={line} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { line: readonly GuideInline[] }): ReactElement {
  return (
    <>
      {line.map((piece, index) => (
        <Piece key={index} piece={piece} />
      ))}
    </>
  );
}

function Piece({ piece }: { piece: GuideInline }): ReactElement | string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'label':
      return <strong className={common.strong}>{piece.text}</strong>;
    case 'emphasis':
      return <em>{piece.text}</em>;
    case 'code':
      return <code className={styles.inlineCode}>{piece.text}</code>;
    case 'link':
      return <a href={piece.href}>{piece.text}</a>;
    default:
      return assertNever(piece);
  }
}

function chapterOf(place: GuidePlace | null): GuideChapter | undefined {
  const id = place?.split('/')[0];
  return chapters.find((chapter) => chapter.id === id) ?? chapters[0];
}

export const findChapters = (search: string, max: number): { place: GuidePlace; title: string }[] =>
  findInGuide(chapters, search, max);
