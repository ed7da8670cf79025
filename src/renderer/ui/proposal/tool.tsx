import { memo, type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../controls/buttons.tsx';
import { StatusPill } from '../display/pills.tsx';
import { Fingerprint, ForeignText, LongText, Mono, QuotedText } from '../display/values.tsx';
import { type Definition, DefinitionList, Disclosure } from '../layout/blocks.tsx';
import { LongList, maxDrawn } from '../layout/virtual-list.tsx';
import { Rule, type TargetView, WhatChanges, type WhatChangesProps } from './changes.tsx';
import styles from './request.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { useFormats } from '../formats.ts';
import {
  argumentCount,
  type EffectCertainty,
  isChangeKnown,
  type KnownOfCall,
} from '#shared/wording/index.ts';

export interface ToolContentProps extends WhatChangesProps {
  tool: {
    name: string;
    title: string | null;
    definitionHash: string;
    effect: EffectCertainty;
    known: KnownOfCall;
    prepared: boolean;
    args: readonly ArgumentLine[];
  };
  children?: ReactNode;
}

/** A tool call. Arguments that state only the change are in the technical details ({@link CallDetails}). */
export const ToolContent = memo(function ToolContent({
  tool,
  targets,
  children,
  ...change
}: ToolContentProps): ReactElement {
  const formats = useFormats();
  return (
    <>
      {isChangeKnown(tool.known) && <WhatChanges targets={targets} {...change} />}
      {tool.known === 'campaign' && <Named targets={targets} />}
      {(tool.known === 'task' || tool.known === 'upload') && <WhatHappens {...change} />}
      {children}
      {tool.effect !== 'stated' && (
        <section aria-label="The call">
          <Rule title="The call" aside={valueCount(tool, formats)} />
          <ArgumentList args={tool.args} above={factsOf(tool)} />
        </section>
      )}
    </>
  );
});

export function CallDetails({ tool }: Pick<ToolContentProps, 'tool'>): ReactElement {
  const formats = useFormats();
  return (
    <>
      <DefinitionList items={factsOf(tool)} />
      <Disclosure title="Arguments" aside={valueCount(tool, formats)}>
        <ArgumentList args={tool.args} />
      </Disclosure>
    </>
  );
}

function WhatHappens({ changes }: Pick<WhatChangesProps, 'changes'>): ReactElement {
  return (
    <section aria-label="What happens">
      <Rule title="What happens" />
      <DefinitionList
        items={changes.map(({ field, label, after }) => ({
          key: field,
          term: label,
          value: <ForeignText text={after} />,
        }))}
      />
    </section>
  );
}

/** The effect of the call is unknown, so the page does not claim that anything stays unchanged. */
function Named({ targets }: { targets: readonly TargetView[] }): ReactElement {
  return (
    <section aria-label="The campaign that it names">
      <Rule title="The campaign that it names" aside="as it is now" />
      {targets.map(({ cid, name, statusBefore, perDay }) => (
        <DefinitionList
          key={cid}
          items={[
            {
              key: 'name',
              term: 'Campaign',
              value: (
                <>
                  <QuotedText text={name} />
                  <span> ({cid})</span>
                </>
              ),
            },
            { key: 'status', term: 'Status', value: <StatusPill status={statusBefore} /> },
            { key: 'risk', term: 'At risk per day', value: perDay.before.text },
          ]}
        />
      ))}
    </section>
  );
}

function valueCount({ args }: ToolContentProps['tool'], formats: Formats): string {
  return formats.counted(args.length, 'value');
}

function factsOf({ name, title, definitionHash, prepared }: ToolContentProps['tool']) {
  return [
    {
      key: 'tool',
      term: 'Tool',
      value: (
        <>
          <Mono>
            <ForeignText text={name} />
          </Mono>
          {title !== null && (
            <>
              {' '}
              <QuotedText text={title} />
            </>
          )}
        </>
      ),
    },
    {
      key: 'prepared',
      term: 'Prepared',
      value: prepared ? 'By the service; unchanged.' : 'Not that Countersign saw.',
    },
    { key: 'definition', term: 'Definition', value: <Fingerprint hex={definitionHash} /> },
  ];
}

export interface ArgumentLine {
  path: string;
  value: string;
  picture?: { mediaType: string; base64: string } | undefined;
}

export interface ArgumentListProps {
  args: readonly ArgumentLine[];
  above?: readonly Definition[];
}

/** Names and values are untrusted text of the agent. */
function ArgumentList({ args, above = [] }: ArgumentListProps): ReactElement {
  const formats = useFormats();
  const [all, setAll] = useState(false);
  if (args.length <= maxDrawn) return <DefinitionList items={[...above, ...args.map(argumentOf)]} />;
  if (all) {
    return (
      <>
        {above.length > 0 && <DefinitionList items={above} />}
        <LongDefinitions label="Arguments" items={args.map(argumentOf)} />
      </>
    );
  }
  return (
    <>
      <DefinitionList items={[...above, ...args.slice(0, maxDrawn).map(argumentOf)]} />
      <Button kind="secondary" size="small" onClick={() => setAll(true)}>
        Show all {argumentCount(args.length, formats)}
      </Button>
    </>
  );
}

export function LongDefinitions(props: { label: string; items: readonly Definition[] }): ReactElement {
  if (props.items.length <= maxDrawn) return <DefinitionList items={props.items} />;
  return (
    <LongList
      {...props}
      keyOf={({ key }) => key}
      estimatedHeight={28}
      render={({ term, value }) => (
        <span>
          {term}: {value}
        </span>
      )}
    />
  );
}

function argumentOf({ path, value, picture }: ArgumentLine): Definition {
  return {
    key: `argument ${path}`,
    term: <LongText text={path} />,
    value: (
      <>
        {picture !== undefined && <Thumbnail {...picture} />}
        <Mono>
          <LongText text={value} />
        </Mono>
      </>
    ),
  };
}

/** Drawn without a request, because the core has already read the complete argument. */
function Thumbnail({ mediaType, base64 }: { mediaType: string; base64: string }): ReactElement {
  return (
    <img
      className={styles.thumbnail}
      src={`data:${mediaType};base64,${base64}`}
      alt="Preview of this argument"
      draggable={false}
    />
  );
}
