import type { ReactElement } from 'react';
import { Icon } from '#renderer/ui/index.ts';
import type { GuideBlock, GuideInline } from '#shared/guide/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import styles from './guide.module.css';

/** Text of the guide. Nothing in it is markup: each piece is drawn as what it is. */
export function GuideBlocks({ blocks }: { blocks: readonly GuideBlock[] }): ReactElement {
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
      return <pre className={styles.code}>{block.text}</pre>;
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
      return <strong className={styles.label}>{piece.text}</strong>;
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
