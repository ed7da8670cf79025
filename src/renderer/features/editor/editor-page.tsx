import { type OpenCampaign, editorStore } from '#renderer/stores/editor/editor-store.ts';
import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  BackLink,
  IconButton,
  Section,
  useFormats,
  Button,
  EmptyState,
  ForeignText,
  Pill,
  StatusPill,
  Menu,
  common,
  cx,
  Loading,
  modalIsOpen,
  pages,
} from '#renderer/ui/index.ts';
import {
  type ReactElement,
  type ReactNode,
  useEffect,
  type KeyboardEvent,
  type RefObject,
  useMemo,
  useRef,
} from 'react';
import { CampaignRecords } from './campaign-records.tsx';
import styles from './editor.module.css';
import { Footer, HistoryButtons, Notices, ReadAgain } from './notices.tsx';
import { sectionWith, type EditorSection, marksOf, sections } from './sections.tsx';
import { AtRisk, BudgetFields, FlightDays } from './sections/budget-section.tsx';
import { type Editing, storedWords, editingOf, proposeAndReview } from './editing.ts';
import { EditAmount, EditText } from './fields/edit-fields.tsx';
import { StatusField } from './sections/identity-section.tsx';
import { valueInWords } from '#shared/wording/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { useStore } from 'zustand';

export function EditorPage({ cid, sectionId }: { cid: number; sectionId: string }): ReactElement {
  const form = useRef<HTMLDivElement>(null);
  const section = sectionWith(sectionId);
  const { id, title, Content } = section;
  useEffect(() => void besideStore.getState().readValues(), [cid]);
  useEffect(() => {
    form.current?.scrollTo(0, 0);
  }, [form, id]);
  return (
    <EditorFrame
      cid={cid}
      form={form}
      leave={() => uiStore.getState().navigate({ page: 'campaigns', cid })}
      level={1}
      before={<BackLink href={routeHref({ page: 'campaigns', cid })} name="Back to the list" keyName="Esc" />}
    >
      {(editing, open) => (
        <div className={styles.columns}>
          <div className={styles.side}>
            <SectionList editing={editing} current={id} />
            <SectionMenu editing={editing} current={section} />
          </div>
          <div ref={form} className={styles.main}>
            <section key={id} className={cx(common.stack4, styles.content)} aria-label={title}>
              <h2 className={cx(common.heading, styles.sectionTitle)} tabIndex={-1}>
                {title}
              </h2>
              <Content editing={editing} />
            </section>
            {id === 'identity' && (
              <div className={styles.records}>
                <CampaignRecords editing={editing} open={open} />
              </div>
            )}
          </div>
        </div>
      )}
    </EditorFrame>
  );
}

export function EditorPanel({ cid }: { cid: number }): ReactElement {
  const form = useRef<HTMLDivElement>(null);
  const close = (): void => uiStore.getState().navigate({ page: 'campaigns', cid: null });
  return (
    <EditorFrame
      cid={cid}
      form={form}
      leave={close}
      level={2}
      after={
        <>
          <a className={styles.expand} href={routeHref({ page: 'campaigns', cid, section: 'identity' })}>
            Edit all
          </a>
          <IconButton icon="close" label="Close the campaign" size="small" onClick={close} />
        </>
      }
    >
      {(editing, open) => (
        <div ref={form} className={pages.scroll}>
          <Everyday editing={editing} />
          <CampaignRecords editing={editing} open={open} />
          <Section title="All sections">
            <SectionList editing={editing} current={null} />
          </Section>
        </div>
      )}
    </EditorFrame>
  );
}

interface EditorFrameProps {
  cid: number;
  form: RefObject<HTMLDivElement | null>;
  leave: () => void;
  level: 1 | 2;
  before?: ReactNode;
  after?: ReactNode;
  children: (editing: Editing, open: OpenCampaign) => ReactNode;
}

/** Opens a campaign and draws it with its draft, or shows why it could not be read. */
function EditorFrame(props: EditorFrameProps): ReactElement {
  const { cid, form, leave, level, before, after, children } = props;
  const formats = useFormats();
  const open = useStore(editorStore, (state) => state.campaigns[cid]);
  const view = useStore(draftsStore, (state) => state.campaigns[cid]);
  const lost = useStore(
    sessionStore,
    ({ connection, status }) => connection.kind !== 'connected' || (status?.writing.off ?? null) !== null,
  );
  useEffect(() => editorStore.getState().open(cid), [cid]);
  const failed = !open?.detail && open?.failure ? open.failure : null;
  useFocusOnRequest(form, failed !== null);
  const { detail, typed, refusal = null, proposing = false } = open ?? {};
  const editing = useMemo(
    () => (detail && typed ? editingOf({ detail, typed, refusal }, view, formats) : null),
    [detail, typed, refusal, view, formats],
  );
  const held = lost || open?.detail?.lockedBy !== null;
  // Equal to the condition of the button in the footer.
  const canReview = editing?.isReady === true && editing.proposalId === null && !held && !proposing;
  function onKeyDown(event: KeyboardEvent): void {
    if (modalIsOpen() || event.defaultPrevented) return;
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canReview) void proposeAndReview(cid);
  }
  const onAttention = (): void =>
    form.current
      ?.querySelector<HTMLElement>('[aria-invalid=true], [role=group][aria-label^=Conflict] button')
      ?.focus();
  return (
    <section className={cx(common.stack, styles.column)} aria-label={`Campaign ${cid}`} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        {before}
        <CampaignFacts cid={cid} editing={editing} level={level} />
        <HistoryButtons />
        {after}
      </header>
      {failed && <NotRead cid={cid} failure={failed} />}
      {!failed && open && editing && (
        <>
          <Notices cid={cid} open={open} editing={editing} returned={view?.returned ?? null} />
          {children(editing, open)}
          <Footer editing={editing} held={held} proposing={proposing} onAttention={onAttention} />
        </>
      )}
      {!failed && !editing && (
        <Loading label="Reading the campaign" widths={['40%', '100%', '100%', '64%', '80%', '52%', '70%']} />
      )}
    </section>
  );
}

function Everyday({ editing }: { editing: Editing }): ReactElement {
  return (
    <>
      <Section title="Identity and pricing">
        <div className={styles.form}>
          <EditText editing={editing} field="name" wide />
          <StatusField editing={editing} />
          <EditAmount editing={editing} field="payout" unit="$" />
        </div>
      </Section>
      <Section title="Budget and flight">
        <div className={styles.form}>
          <BudgetFields editing={editing} />
          <FlightDays editing={editing} />
        </div>
        <AtRisk editing={editing} />
      </Section>
    </>
  );
}

function CampaignFacts(props: { cid: number; editing: Editing | null; level: 1 | 2 }): ReactElement {
  const formats = useFormats();
  const { cid, editing, level } = props;
  const Heading = `h${level}` as const;
  return (
    <div className={common.growNarrow}>
      <Heading className={styles.name} tabIndex={-1}>
        {editing ? <ForeignText text={storedWords(editing, 'name', formats)} /> : `Campaign ${cid}`}
      </Heading>
      <div className={cx(common.quiet, styles.facts)}>
        {editing && <StatusPill framed status={Number(editing.campaign['status'])} />}
        <span>ID {cid}</span>
        {editing && (
          <ForeignText text={valueInWords('type', editing.campaign['type'], editing.context, formats)} />
        )}
        {editing && editing.changed.length > 0 && <Pill framed tone="busy" label="Edited" />}
      </div>
    </div>
  );
}

function NotRead({ cid, failure }: { cid: number; failure: AppError }): ReactElement {
  const gone = failure.code === 'campaign_not_found';
  const again = <ReadAgain cid={cid} code={failure.code} />;
  const list = (
    <Button onClick={() => uiStore.getState().navigate({ page: 'campaigns', cid: null })}>
      Back to the list
    </Button>
  );
  return (
    <EmptyState icon={gone ? 'search-none' : 'offline'} title={failure.message} action={gone ? list : again}>
      {failure.next}
    </EmptyState>
  );
}

function SectionList(props: { editing: Editing; current: string | null }): ReactElement {
  const formats = useFormats();
  const { editing, current } = props;
  return (
    <nav aria-label="Sections of the campaign">
      <ul className={common.stack}>
        {sectionsOf(editing).map((section) => (
          <li key={section.id}>
            <a
              className={cx(common.stack, styles.sectionLink)}
              href={routeHref({ page: 'campaigns', cid: editing.cid, section: section.id })}
              aria-current={section.id === current ? 'page' : undefined}
            >
              <span className={styles.sectionName}>
                {section.title} <Marks section={section} editing={editing} />
              </span>
              <span className={cx(common.quiet, common.breaks, styles.summary)}>
                <ForeignText text={section.summary(editing, formats)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SectionMenu({ editing, current }: { editing: Editing; current: EditorSection }): ReactElement {
  const formats = useFormats();
  const { cid } = editing;
  const entries = sectionsOf(editing).map((section) => {
    const { changed, errors } = marksOf(section, editing);
    const marks = [
      changed > 0 && formats.counted(changed, 'change'),
      errors > 0 && formats.counted(errors, 'problem'),
    ];
    return { id: section.id, label: [section.title, ...marks.filter(Boolean)].join(' · ') };
  });
  return (
    <div className={styles.sectionMenu}>
      <Menu
        label={current.title}
        name={`Section: ${current.title}`}
        entries={entries}
        selection={{ mode: 'single', ids: [current.id] }}
        onAction={(section) => uiStore.getState().navigate({ page: 'campaigns', cid, section })}
      />
      <span className={styles.sectionName}>
        <Marks section={current} editing={editing} />
      </span>
      <span className={cx(common.quiet, common.breaks, styles.summary)}>
        <ForeignText text={current.summary(editing, formats)} />
      </span>
    </div>
  );
}

function sectionsOf(editing: Editing): EditorSection[] {
  return sections.filter((section) => section.fieldsOf(editing).length > 0);
}

function Marks({ section, editing }: { section: EditorSection; editing: Editing }): ReactElement {
  const formats = useFormats();
  const { changed, errors } = marksOf(section, editing);
  return (
    <>
      {changed > 0 && <span className={styles.mark}>{formats.counted(changed, 'change')}</span>}
      {errors > 0 && (
        <span className={cx(common.bad, styles.problem)}>{formats.counted(errors, 'problem')}</span>
      )}
    </>
  );
}

/** Focuses the first input only if a person asked to edit. The request ends when the panel closes or has nothing to edit. */
function useFocusOnRequest(form: RefObject<HTMLDivElement | null>, failed: boolean): void {
  const wanted = useStore(uiStore, (state) => state.wantedFocus === 'editor');
  useEffect(() => {
    // No dependencies: the input appears together with the campaign, which may load after the request.
    if (wanted && failed) uiStore.getState().focusTaken();
    const input = wanted ? form.current?.querySelector('input') : null;
    if (!input) return;
    input.focus();
    input.select();
    uiStore.getState().focusTaken();
  });
  useEffect(
    () => () => {
      if (uiStore.getState().wantedFocus === 'editor') uiStore.getState().focusTaken();
    },
    [],
  );
}
