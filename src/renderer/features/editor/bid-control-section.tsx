import { ForeignText, Mono, Section } from '#renderer/ui/index.ts';
import { isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import type { ReactElement } from 'react';
import type { Editing } from './editing.ts';
import styles from './editor.module.css';

/** Bid controls as the service gave them. The contract does not show their fields (§2.4), so every member is printed as it is. */
export function BidControlSection(props: { editing: Editing; title: string }): ReactElement | null {
  const controls = props.editing.campaign['bidControl'];
  if (!Array.isArray(controls) || controls.length === 0) return null;
  return (
    <Section title={props.title} aside={`${controls.length}, kept unchanged`}>
      <ul className={styles.list}>
        {controls.map((control, index) => (
          <li key={index} className={styles.entry}>
            {isJsonObject(control) ? (
              Object.entries(control).map(([key, value]) => <Member key={key} name={key} value={value} />)
            ) : (
              <Mono>
                <ForeignText text={JSON.stringify(control)} />
              </Mono>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Member({ name, value }: { name: string; value: JsonValue }): ReactElement {
  return (
    <span>
      <span className={styles.key}>
        <ForeignText text={name} />
      </span>{' '}
      <ForeignText text={typeof value === 'string' ? value : JSON.stringify(value)} />
    </span>
  );
}
