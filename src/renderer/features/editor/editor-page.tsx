import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { BackLink } from '#renderer/ui/index.ts';
import { type ReactElement, useEffect } from 'react';
import { CampaignRecords } from './records/campaign-records.tsx';
import { CampaignFacts, LoadingCampaign, NotRead } from './campaign-head.tsx';
import styles from './editor.module.css';
import { Footer, HistoryButtons } from './footer.tsx';
import { Notices } from './notices.tsx';
import { SectionList, SectionMenu } from './section-list.tsx';
import { sectionWith } from './sections.tsx';
import { useEditor } from './use-editing.ts';

/** The whole campaign on a page of its own: its sections at the left, the chosen one at the right. */
export function EditorPage({ cid, sectionId }: { cid: number; sectionId: string }): ReactElement {
  const leave = (): void => uiStore.getState().navigate({ page: 'campaigns', cid });
  const { open, editing, failed, returned, held, form, onKeyDown, onAttention } = useEditor(cid, leave);
  const section = sectionWith(sectionId);
  const { id, title, Content } = section;
  useEffect(() => void besideStore.getState().readValues(), [cid]);
  useEffect(() => {
    form.current?.scrollTo(0, 0);
  }, [form, id]);
  return (
    <section className={styles.panel} aria-label={`Campaign ${cid}`} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        <BackLink href={routeHref({ page: 'campaigns', cid })} name="Back to the list" keyName="Esc" />
        <CampaignFacts cid={cid} editing={editing} level={1} />
        <HistoryButtons />
      </header>
      {failed && <NotRead cid={cid} failure={failed} />}
      {!failed && open && editing && (
        <>
          <Notices cid={cid} open={open} editing={editing} returned={returned} />
          <div className={styles.columns}>
            <div className={styles.side}>
              <SectionList editing={editing} current={id} />
              <SectionMenu editing={editing} current={section} />
            </div>
            <div ref={form} className={styles.main}>
              <section key={id} className={styles.content} aria-label={title}>
                <h2 className={styles.sectionTitle} tabIndex={-1}>
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
          <Footer editing={editing} held={held} proposing={open.proposing} onAttention={onAttention} />
        </>
      )}
      {!failed && !editing && <LoadingCampaign />}
    </section>
  );
}
