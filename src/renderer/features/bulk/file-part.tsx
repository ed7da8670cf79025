import { bulkFileStore, type FileReading } from '#renderer/stores/bulk/bulk-file-store.ts';
import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import {
  cx,
  common,
  useFormats,
  DefinitionList,
  ForeignText,
  NativeSelect,
  pages,
} from '#renderer/ui/index.ts';
import type { BulkFile } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './bulk.module.css';

const encodings: Record<BulkFile['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};
const separators: Record<BulkFile['separator'], string> = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' };
const marks: Record<BulkFile['decimals'], string> = {
  point: 'Point (0.045)',
  comma: 'Comma (0,045)',
  unknown: 'Not clear',
};

const orders: Record<BulkFile['dates'], string> = {
  'year-first': 'Year first (2026-12-31)',
  'day-first': 'Day first (31/12/2026)',
  'month-first': 'Month first (12/31/2026)',
  unknown: 'Not clear',
};

const damage = { keep: 'Keep the exported value', take: 'Take it from the file' };

export function FilePart(): ReactElement | null {
  const formats = useFormats();
  const { read, reading } = useStore(bulkFileStore);
  if (read === null) return null;
  const { file } = read;
  const left = file.skipped.new + file.skipped.unknown + file.skipped.unreadable;
  return (
    <>
      <p className={cx(common.strong, common.breaks)}>
        <ForeignText text={file.name} />
      </p>
      <Lines file={file} />
      <FormChoices reading={reading} detected={file} />
      <NativeSelect
        label="Decimals"
        value={reading.decimals ?? ''}
        options={choices(marks, file.decimals).filter(({ id }) => id !== 'unknown')}
        onChange={(id) => {
          const decimals = chosen(marks, id);
          void readAs({ decimals: decimals === 'unknown' ? null : decimals });
        }}
      />
      <NativeSelect
        label="Dates"
        value={reading.dates ?? ''}
        options={choices(orders, file.dates).filter(({ id }) => id !== 'unknown' && id !== 'year-first')}
        onChange={(id) => {
          const dates = chosen(orders, id);
          void readAs({ dates: dates === 'day-first' || dates === 'month-first' ? dates : null });
        }}
      />
      {(['rounded', 'lost'] as const).map((doubt) => (
        <NativeSelect
          key={doubt}
          label={doubt === 'rounded' ? 'Rounded numbers' : 'Texts that lost letters'}
          value={reading[doubt] ?? ''}
          options={[
            { id: '', label: 'Skip the line' },
            ...Object.entries(damage).map(([id, label]) => ({ id, label })),
          ]}
          onChange={(id) => void readAs({ [doubt]: chosen(damage, id) })}
        />
      ))}
      <DefinitionList
        items={[
          { key: 'fields', term: 'Fields', value: file.fields.join(', ') },
          ...(file.unknownColumns.length === 0
            ? []
            : [
                {
                  key: 'unknown',
                  term: 'Ignored columns',
                  value: <ForeignText text={file.unknownColumns.join(', ')} />,
                },
              ]),
        ]}
      />
      <p className={common.quiet}>
        {file.hasVersions
          ? 'A blank cell empties its field.'
          : 'Without the version column, blank cells change nothing and conflicts go unnoticed.'}
      </p>
      {left > 0 && (
        <section aria-label="Skipped lines">
          <h2 className={common.bad}>{formats.counted(left, 'line', 'lines')} skipped</h2>
          <ul className={cx(common.small, styles.faults)}>
            {file.faults.map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                Line {line}: <ForeignText text={message} />
              </li>
            ))}
          </ul>
          {left > file.faults.length && (
            <p className={common.quiet}>The first {file.faults.length} of them are listed.</p>
          )}
        </section>
      )}
    </>
  );
}

export function RefusedFile(): ReactElement | null {
  const refused = useStore(bulkFileStore, (state) => state.refused);
  if (refused === null) return null;
  return (
    <section className={styles.refused} aria-label="File that could not be read">
      <p className={cx(common.strong, common.breaks)}>
        <ForeignText text={refused.name} />
      </p>
      <FormChoices reading={refused.reading} detected={null} />
    </section>
  );
}

async function readAs(change: Partial<FileReading>): Promise<void> {
  if (await bulkFileStore.getState().readAs(change)) await bulkStore.getState().beginWithFile();
}

interface FormChoicesProps {
  reading: FileReading;
  detected: Pick<BulkFile, 'encoding' | 'separator'> | null;
}

function FormChoices({ reading, detected }: FormChoicesProps): ReactElement {
  return (
    <>
      <NativeSelect
        label="Encoding"
        value={reading.encoding ?? ''}
        options={choices(encodings, detected?.encoding)}
        onChange={(id) => void readAs({ encoding: chosen(encodings, id) })}
      />
      <NativeSelect
        label="Separator"
        value={reading.separator ?? ''}
        options={choices(separators, detected?.separator)}
        onChange={(id) => void readAs({ separator: chosen(separators, id) })}
      />
    </>
  );
}

function Lines({ file: { skipped } }: { file: BulkFile }): ReactElement {
  const formats = useFormats();
  const counts = useStore(bulkStore, ({ preview }) => preview?.counts);
  const kinds = [
    ['Changed', counts?.change],
    ['Conflict', counts?.conflict],
    ['Unchanged', counts?.same],
    ['Problem', counts?.problem],
    ['New campaign, skipped', skipped.new],
    ['Unknown campaign, skipped', skipped.unknown],
    ['Not readable, skipped', skipped.unreadable],
  ] as const;
  const found = kinds.filter(([, count]) => count !== 0);
  return (
    <dl className={cx(pages.tabular, styles.lines)} aria-label="Lines of the file">
      {found.map(([term, count]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{count === undefined ? '…' : formats.count(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function choices<K extends string>(
  names: Record<K, string>,
  detected: K | undefined,
): { id: string; label: string }[] {
  return [
    { id: '', label: detected === undefined ? 'Detect' : `Detected: ${names[detected]}` },
    ...Object.entries<string>(names).map(([id, label]) => ({ id, label })),
  ];
}

function chosen<K extends string>(names: Record<K, string>, id: string): K | null {
  return Object.hasOwn(names, id) ? (id as K) : null;
}
