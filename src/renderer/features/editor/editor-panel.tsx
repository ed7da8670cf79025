import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { IconButton, Section } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { AtRisk, BidField, BudgetFields, FlightDays } from './sections/budget-section.tsx';
import type { Editing } from './editing.ts';
import styles from './editor.module.css';
import { EditText } from './fields/edit-fields.tsx';
import { Footer, HistoryButtons } from './footer.tsx';
import { CampaignRecords } from './records/campaign-records.tsx';
import { CampaignFacts, LoadingCampaign, NotRead } from './campaign-head.tsx';
import { Notices } from './notices.tsx';
import { StatusField } from './sections/identity-section.tsx';
import { SectionList } from './section-list.tsx';
import { useEditor } from './use-editing.ts';

/** The open campaign beside the list: its everyday fields, its last changes, and a line for each section of the whole. */
export function EditorPanel({ cid }: { cid: number }): ReactElement {
  const close = (): void => uiStore.getState().navigate({ page: 'campaigns', cid: null });
  const { open, editing, failed, returned, held, form, onKeyDown, onAttention } = useEditor(cid, close);
  const head = (
    <header className={styles.header}>
      <CampaignFacts cid={cid} editing={editing} level={2} />
      <HistoryButtons />
      <a className={styles.expand} href={routeHref({ page: 'campaigns', cid, section: 'identity' })}>
        Edit all
      </a>
      <IconButton icon="close" label="Close the campaign" size="small" onClick={close} />
    </header>
  );
  return (
    <section className={styles.panel} aria-label={`Campaign ${cid}`} onKeyDown={onKeyDown}>
      {head}
      {failed && <NotRead cid={cid} failure={failed} />}
      {!failed && open && editing && (
        <>
          <Notices cid={cid} open={open} editing={editing} returned={returned} />
          <div ref={form} className={styles.scroll}>
            <Everyday editing={editing} />
            <CampaignRecords editing={editing} open={open} />
            <Section title="All sections">
              <SectionList editing={editing} current={null} />
            </Section>
          </div>
          <Footer editing={editing} held={held} proposing={open.proposing} onAttention={onAttention} />
        </>
      )}
      {!failed && !editing && <LoadingCampaign />}
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
          <BidField editing={editing} />
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
