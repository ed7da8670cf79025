import { Fragment, type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { findCampaigns } from '#renderer/stores/campaigns/campaigns-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { useFormats, Dialog, ForeignText, Icon, KeyHint, cx, common } from '#renderer/ui/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { type Command, commands } from './commands.ts';
import styles from './palette.module.css';

function matches(label: string, query: string): boolean {
  const text = foldedText(label);
  const words = text.split(/[\s“”"–-]+/u);
  return foldedText(query)
    .split(/\s+/u)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)) || text.includes(part));
}

const close = (): void => uiStore.getState().show(null);

function useEntries(query: string): Command[] {
  const formats = useFormats();
  const all = useMemo(() => commands(formats), [formats]);
  const found = useFoundCampaigns(query);
  const campaigns = found.map((row): Command => ({
    id: `campaign-${row.cid}`,
    group: 'Campaigns',
    label: `${row.name} · ${row.cid}`,
    icon: 'campaigns',
    run: () => uiStore.getState().navigate({ page: 'campaigns', cid: row.cid }),
  }));
  const chapters = useGuide(query).map(({ place, title }): Command => ({
    id: `guide-${place}`,
    group: 'Guide',
    label: title,
    icon: 'help',
    run: () => uiStore.getState().navigate({ page: 'guide', place }),
  }));
  return [
    ...all.filter(({ label, group, find }) => matches(find ?? `${group} ${label}`, query)),
    ...campaigns,
    ...chapters,
  ];
}

export function Palette(): ReactElement {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(query);
  const active = Math.min(at, entries.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function run(command: Command | undefined): void {
    if (!command) return;
    close();
    command.run();
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setAt((active + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((active - 1 + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') run(entries[active]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog bare title="Search and commands" onClose={close}>
      <div className={cx(common.row2, styles.box)}>
        <Icon name="search" />
        <input
          className={styles.input}
          role="combobox"
          aria-label="Search and commands"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={entries[active] && `palette-${entries[active].id}`}
          placeholder="Find a campaign by name or ID, or run a command"
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <KeyHint keys={['Esc']} />
      </div>
      <div ref={list} id="palette-list" className={styles.list} role="listbox" aria-label="Results">
        {entries.map((command, index) => (
          <Fragment key={command.id}>
            {command.group !== entries[index - 1]?.group && (
              <div className={styles.group} role="presentation">
                {command.group}
              </div>
            )}
            <div
              id={`palette-${command.id}`}
              className={cx(common.row3, styles.option)}
              role="option"
              aria-selected={index === active}
              onPointerMove={() => setAt(index)}
              onClick={() => run(command)}
            >
              <Icon name={command.icon} />
              <span className={styles.label}>
                <ForeignText text={command.label} />
              </span>
              {command.keys && <KeyHint keys={command.keys} />}
            </div>
          </Fragment>
        ))}
        {entries.length === 0 && <p className={styles.none}>No results</p>}
      </div>
    </Dialog>
  );
}

const maxChapters = 6;

interface Chapter {
  place: string;
  title: string;
}

function useGuide(query: string): readonly Chapter[] {
  const [find, setFind] = useState<((search: string, max: number) => Chapter[]) | null>(null);
  const isAsked = query.trim() !== '';
  useEffect(() => {
    if (!isAsked) return;
    let current = true;
    void import('#renderer/features/guide/index.ts').then(({ findChapters }) => {
      if (current) setFind(() => findChapters);
    });
    return () => {
      current = false;
    };
  }, [isAsked]);
  return find === null || !isAsked ? [] : find(query, maxChapters);
}

const delayMs = 120;

function useFoundCampaigns(query: string): readonly CampaignRow[] {
  const [found, setFound] = useState<{ query: string; rows: readonly CampaignRow[] }>({
    query: '',
    rows: [],
  });
  const text = query.trim();
  useEffect(() => {
    if (text === '') return;
    let current = true;
    const timer = setTimeout(() => {
      void findCampaigns(text).then((rows) => {
        if (current) setFound({ query: text, rows });
      });
    }, delayMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  if (found.query === text) return found.rows;
  // Until the answer arrives, shows the earlier rows that also match this text.
  return text === '' ? [] : found.rows.filter(({ cid, name }) => matches(`${name} ${cid}`, text));
}
