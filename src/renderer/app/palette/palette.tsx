import { uiStore } from '#renderer/stores/ui/index.ts';
import { Dialog, ForeignText, Icon, KeyHint } from '#renderer/ui/index.ts';
import { Fragment, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { commands, type Command } from './commands.ts';
import { matches } from './match.ts';
import { useFoundCampaigns } from './use-found-campaigns.ts';
import styles from './palette.module.css';

const close = (): void => uiStore.getState().show(null);

function useEntries(query: string): Command[] {
  const all = useMemo(commands, []);
  const found = useFoundCampaigns(query);
  const campaigns = found.map((row): Command => ({
    id: `campaign-${row.cid}`,
    group: 'Campaigns',
    label: `${row.name} · ${row.cid}`,
    icon: 'campaigns',
    run: () => uiStore.getState().navigate({ page: 'campaigns', cid: row.cid }),
  }));
  return [
    ...all.filter(({ label, group, find }) => matches(find ?? `${group} ${label}`, query)),
    ...campaigns,
  ];
}

/** Every action and every campaign behind one search box. */
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
    if (event.key === 'ArrowDown') setAt((active + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((active - 1 + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') run(entries[active]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog bare title="Search and commands" onClose={close}>
      <div className={styles.box}>
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
              className={styles.option}
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
